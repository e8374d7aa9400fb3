//! Tests of pages.

use std::path::PathBuf;

use mcve_reduce::event::{Attempt, Rejection};
use mcve_reduce::program::Size;

use super::*;
use crate::report::log::line::Pass;
use crate::report::log::{RefusedAt, ResultLine};

/// A program that would end the script of a page.
const TEXT: &str = "fn f() { g(\"</script><b>'\") }";

fn size(tokens: usize) -> Size {
    Size { tokens, bytes: 10 * tokens, lines: tokens / 10 }
}

/// A run of two steps, as its log has it.
fn run() -> Run {
    let refused = |number, start, end| RefusedAt { number, start, end, is_whole: true };
    let attempt = |before: &str, after: &str, reason: &str| Attempt {
        place: "a.rs:1:1".to_owned(),
        transform: "x".to_owned(),
        before: before.to_owned(),
        after: after.to_owned(),
        bytes: Vec::new(),
        rejection: Some(Rejection { reason: reason.to_owned(), check: Some(1), ..Rejection::default() }),
    };
    let line = ResultLine {
        file: "a.rs".to_owned(),
        line: 1,
        text: TEXT.to_owned(),
        was: String::new(),
        tried: vec![refused(0, 11, 26), refused(1, 9, 27)],
        left: Vec::new(),
        untraced: Vec::new(),
    };
    let pass = |name: &str, seconds, fail, pass| Pass { name: name.to_owned(), seconds, fail, pass, ..Pass::default() };
    let steps = [
        r#"{"seconds":1.0,"checks":5,"pass":"items","reductions":["a.rs:2:1: delete-item"],"size":{"tokens":100,"bytes":1000,"lines":10},"at":30,"removed":11,"added":""}"#,
        r#"{"seconds":2.0,"checks":9,"pass":"lines","reductions":[],"size":{"tokens":10,"bytes":100,"lines":1},"at":29,"removed":1,"added":""}"#,
    ];
    let end = End {
        ending: Ending::Complete,
        one_minimal: true,
        before: size(1000),
        after: size(10),
        unit: "tokens".to_owned(),
        checks: 12,
        seconds: 4.0,
        failure: "the test <f> fails: panic in `m::f`: x".to_owned(),
        fingerprint: None,
        shown: Vec::new(),
        hidden_errors: Vec::new(),
        command: "rustc a.rs && ./a > \"x\"".to_owned(),
        output: Some("a.rs".to_owned()),
        at: Some(1),
        change: Some(("\n    -    g()\n    +    h()".to_owned(), "it passes".to_owned())),
        reasons: vec![("it compiles".to_owned(), 3)],
        text: format!("{TEXT}\n"),
    };
    Run {
        version: "1.2.3".to_owned(),
        input: format!("{TEXT}\n\nfn gone() {{}}"),
        steps: steps.map(|step| serde_json::from_str(step).expect("it is a step")).into(),
        passes: vec![pass("items", 1.0, 2, 3), pass("lines", 0.5, 1, 0), pass("items", 2.0, 0, 4)],
        tried: vec![
            attempt("\"..\"", "", "new error E0061: an argument is missing"),
            attempt("g(..)", "()", "it <compiles>"),
        ],
        lines: vec![line],
        end: Some(end),
        ..Run::default()
    }
}

fn rendered() -> String {
    let run = run();
    page(&run, run.end.as_ref().expect("it has an end"))
}

#[track_caller]
fn assert_has(page: &str, expected: &str) {
    assert!(page.contains(expected), "{expected} is not in:\n{page}");
}

#[test]
fn a_page_says_what_fails_where_and_what_makes_it_pass() {
    let page = rendered();
    for expected in [
        "<h1>the test &#60;f&#62; fails: panic in `m::f`: x</h1>",
        "<strong class=\"here\">fails here</strong>",
        "With this change, it passes",
        "<span class=\"gone\">-    g()</span><span class=\"new\">+    h()</span>",
        "rustc a.rs &#38;&#38; ./a &#62; &#34;x&#34;",
        "error E0061: an argument is missing",
        "for `g(..)`: it &#60;compiles&#62;",
        "No single step makes it smaller.",
        "<b>10</b> of 1,000 tokens",
        "<span class=\"gone\">-fn gone() {}</span>",
    ] {
        assert_has(&page, expected);
    }
}

#[test]
fn what_a_program_says_is_no_part_of_the_page() {
    let page = rendered();
    assert_eq!(page.matches("</script>").count(), 1, "{page}");
    assert!(!page.contains("<b>'"), "{page}");
    assert_has(&page, "&#60;/script&#62;&#60;b&#62;&#39;");
}

#[test]
fn a_page_asks_for_no_other_file() {
    let page = rendered();
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("url("), "{page}");
    for (at, _) in page.match_indices("src=").chain(page.match_indices(" href=")) {
        let value = page[at..].split('"').nth(1).expect("it has a value");
        assert!(value.starts_with('#') || value == "data:,", "{value}");
    }
    assert_has(&page, "default-src 'none'");
}

#[test]
fn the_curve_is_that_of_the_sizes() {
    let page = rendered();
    // Of 4 seconds from 84 to 700, and of 1000 to 10 tokens from 16 down to 258.
    assert_has(&page, "points=\"84,16 238,16 238,137 392,137 392,258 700,258\"");
    assert_has(
        &page,
        "cx=\"238\" cy=\"137\" r=\"5\" data-step=\"1\"><title>step 1, items: 100 tokens after 1.0 s</title>",
    );
    assert_has(&page, "from 1,000 to 10 tokens in 2 steps");
}

#[test]
fn passes_of_one_name_are_one_row() {
    let page = rendered();
    assert_has(&page, "<td>3.0 s</td><td>9</td><td>900</td>");
    assert_has(&page, "<b>3</b> showed the failure");
    assert_has(&page, "<b>7</b> passed");
}

#[test]
fn only_a_page_is_written_over() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    std::fs::write(path("p.html"), rendered()).expect("it can be written");
    std::fs::write(path("a.rs"), "fn main() {}").expect("it can be written");
    for (name, is_place) in
        [("p.html", true), ("new.html", true), ("a.rs", false), ("none/p.html", false), (".", false)]
    {
        assert_eq!(check_place(&path(name)).is_ok(), is_place, "{name}");
    }
}

#[test]
fn the_script_is_the_one_that_runs() {
    let (compiler, groups, without_failure) = (String::new(), Vec::new(), Vec::new());
    let index = mcve_batch::index::Index { form: 1, compiler, inputs: 0, groups, without_failure };
    for page in [rendered(), crate::report::batch::page(&index)] {
        let (_, script) = page.split_once("<script>").expect("there is one");
        let (script, _) = script.split_once("</script>").expect("it ends");
        assert_has(&page, &format!("script-src 'sha256-{}'", base64(&sha256(script.as_bytes()))));
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| -> String {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        let digit = |at: usize| if at <= group.len() { DIGITS[(bits >> (18 - 6 * at)) as usize % 64] } else { b'=' };
        (0..4).map(|at| char::from(digit(at))).collect()
    };
    bytes.chunks(3).map(group).collect()
}

/// The fractional part of a root of a prime.
fn fraction(root: f64) -> u32 {
    (root.fract() * f64::from(u32::MAX).mul_add(1.0, 1.0)) as u32
}

/// SHA-256, as FIPS 180-4 has it.
fn sha256(text: &[u8]) -> Vec<u8> {
    let is_prime = |number: &u32| {
        (2..*number).take_while(|divisor| divisor * divisor <= *number).all(|divisor| !number.is_multiple_of(divisor))
    };
    let primes: Vec<f64> = (2..).filter(is_prime).take(64).map(f64::from).collect();
    let mut hash: Vec<u32> = primes[..8].iter().map(|prime| fraction(prime.sqrt())).collect();
    let mut padded = [text, &[0x80]].concat();
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((8 * text.len() as u64).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words: Vec<u32> =
            block.chunks(4).map(|word| word.iter().fold(0, |all, byte| all << 8 | u32::from(*byte))).collect();
        for at in 16..64 {
            let (early, late) = (words[at - 15], words[at - 2]);
            let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            words.push(words[at - 16].wrapping_add(early).wrapping_add(words[at - 7]).wrapping_add(late));
        }
        let mut now = hash.clone();
        for (word, prime) in words.iter().zip(&primes) {
            let e = now[4];
            let mixed = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let chosen = (e & now[5]) ^ (!e & now[6]);
            let one = [mixed, chosen, fraction(prime.cbrt()), *word].into_iter().fold(now[7], u32::wrapping_add);
            let a = now[0];
            let mixed = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let most = (a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]);
            now.rotate_right(1);
            now[4] = now[4].wrapping_add(one);
            now[0] = one.wrapping_add(mixed).wrapping_add(most);
        }
        hash.iter_mut().zip(now).for_each(|(all, new)| *all = all.wrapping_add(new));
    }
    hash.into_iter().flat_map(u32::to_be_bytes).collect()
}
