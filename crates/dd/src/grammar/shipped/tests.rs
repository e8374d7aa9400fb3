//! The shipped grammars take what they should, refuse what they should, and all that they generate.

use super::*;
use crate::grammar::earley::Earley;
use crate::grammar::generator::generate;
use crate::grammar::notation::read;

#[track_caller]
fn check(name: &str, accepted: &[&str], refused: &[&str]) {
    let grammar = read(shipped(name).expect("it is shipped")).expect("it is a grammar");
    let parser = Earley::new(&grammar);
    for text in accepted {
        let parse = parser.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((parse.tree.text().as_str(), parse.ambiguity), (*text, None));
    }
    for text in refused {
        assert!(!parser.accepts(text), "{text}");
    }
    for seed in 0..60 {
        let text = generate(&grammar, 80, seed).text();
        assert!(parser.accepts(&text), "seed {seed}: {text}");
    }
}

#[test]
fn arithmetic() {
    check("arithmetic", &["1", " -2 * (3.5 - x) ", "f(1, 2 ** -3) % 4", "g()"], &["", "1 +", "()", "1 2", "1."]);
}

#[test]
fn cgi() {
    check("cgi", &["", "a=1&b", "name=Ada+L.&born=10%2F12", "&=&"], &["a b", "%2", "a=b=c"]);
}

#[test]
fn csv() {
    check("csv", &["", "a,b\n1,\"x, \"\"y\"\"\n\"\r\n,\n"], &["\"", "a\"b", "\"a\"b"]);
}

#[test]
fn json() {
    let good = "{\"a\": [1, -2.5e+3, \"x\\n\\u00e9\\\\\"], \"b\" : {}, \"\": [ ]}\n";
    check("json", &["0", good, " [[], null , true,false ]"], &["", "[1,]", "{a: 1}", "01", "'a'", "\"\n\"", "1 2"]);
}

#[test]
fn sql() {
    let table = "CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b VARCHAR(20) NOT NULL, UNIQUE (a, b));";
    let query = "select t.a, count(*) as n from t left join u on t.a = u.a where not b like 'x''y%' and a in (1, 2)\n  group by t.a having n > 1 order by n desc limit 3";
    let change =
        "INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL); UPDATE t SET a = a + 1 WHERE a IS NOT NULL; DELETE FROM t";
    check(
        "sql",
        &["", table, query, change, "DROP TABLE t -- over\n"],
        &["select", "select from t", "drop t", "insert into t"],
    );
}

#[test]
fn toml() {
    let good = "# A\nname = \"x\\n\" # B\n[a.\"b c\"]\nd = 1979-05-27T07:32:00Z\nl = [\n  1, # C\n  0x_ff,\n]\n[[p]]\nt = { x = 1, y = 'z' }\ns = \"\"\"a\n\"b\"\"\"\nf = 1_0.5e-3\n";
    check("toml", &["", &good.replace("0x_ff", "0xf_f")], &["a", "a = ", "= 1", "[a", "a = 1 b = 2", "a = 01"]);
}

#[test]
fn url() {
    let good = "https://me:secret@www.host.example:8080/a/b%20c/?key=value&flag=#part";
    check("url", &["a://b", good, "http://[::1]/"], &["", "a:b", "http://h p", "http://h/%2"]);
}
