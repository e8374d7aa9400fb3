//! Generators that know nothing of mcve: Python programs that take their choices from `random`, and ones that speak the
//! protocol but declare no loops.

use std::path::Path;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// Letters, as many as were decided before, by plain questions.
const PLAIN: &str = r#"#!/bin/sh
echo generator plain 1
echo range count 0 40; read n
w=
while [ $n -gt 0 ]; do echo choose letter a b c d; read l; w=$w$l; n=$((n - 1)); done
echo output; echo "$w"
"#;

/// The path of a generator of the benchmark.
fn generator(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/generators").join(name).display().to_string()
}

/// The characters and lines that the generator leaves of the first text that `fails`, by `test`, and the whole result.
#[track_caller]
fn reduced(
    place: &TestFolder,
    generator: &str,
    fails: impl Fn(&str) -> bool,
    test: &str,
    more: &[&str],
) -> (String, String) {
    let made = |seed: &u64| {
        let seed = seed.to_string();
        let args = ["generate", "--generator", generator, "--seed", &seed, "--choices", "p.txt.choices"];
        place.run_cleanly(&args, Exit::Done).stdout
    };
    assert!((0..60).any(|seed| fails(&made(&seed))), "some seed fails");
    let args = ["reduce", "-j", "1", "--choices", "p.txt.choices", "--generator", generator, "--test", test];
    let said = place.run_cleanly(&[&args[..], more].concat(), Exit::Done).stderr;
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("shrinking the choices of the generator: "))
        .expect("it is the first pass");
    let size = line.rsplit_once(", ").expect("checks come last").0.to_owned();
    (size, place.read("p_mcve.txt"))
}

/// Both lines are the same, and have a c.
const PASSWORD: &str = r#"[ "$(sed -n 1p $1)" = "$(sed -n 2p $1)" ] && [ $(grep -c c $1) = 2 ]"#;

#[test]
fn the_example_of_the_paper_is_reduced_through_its_generator() {
    let place = TestFolder::new(BINARY);
    let fails = |text: &str| text.contains('c') && text.len() > 12;
    for more in [&[][..], &["--order", "sequence", "--alignment", "halt"], &["--alignment", "bypass"]] {
        let (size, left) = reduced(&place, &generator("password.py"), fails, PASSWORD, more);
        // What goes on with the text may take the last line break.
        assert_eq!((&*size, left.trim_end()), ("4 characters, 2 lines", "c\nc"));
    }
}

#[test]
fn a_generator_that_knows_nothing_of_mcve_is_reduced_to_the_smallest_sentence() {
    let place = TestFolder::new(BINARY);
    let fails = |text: &str| text.len() > 2000 && text.contains("COALESCE(");
    let (size, _) = reduced(&place, &generator("sql.py"), fails, "grep -q 'SELECT .*COALESCE(.*FROM' $1", &[]);
    // `CREATE TABLE t0 (t0_c0 INT);`, a query with the call, and another one, as it makes two or more.
    assert_eq!(size, "75 characters, 3 lines");
}

#[test]
fn plain_questions_are_reduced_without_declared_loops() {
    let place = TestFolder::new(BINARY);
    let script = place.write_script("plain.sh", PLAIN).display().to_string();
    let fails = |text: &str| text.contains('c') && text.len() > 30;
    assert_eq!(reduced(&place, &script, fails, "grep -q c $1", &[]).0, "2 characters, 1 lines");
    let fails = |text: &str| text.contains("bc") && text.len() > 30;
    assert_eq!(reduced(&place, &script, fails, "grep -q 'b.*c' $1", &[]).0, "3 characters, 1 lines");
}

#[test]
fn a_seed_makes_one_text_and_its_choices_make_it_again() {
    let place = TestFolder::new(BINARY);
    let sql = generator("sql.py");
    let made =
        |args: &[&str]| place.run_cleanly(&[&["generate", "--generator", &sql], args].concat(), Exit::Done).stdout;
    let text = made(&["--seed", "7", "--choices", "p.choices"]);
    assert_eq!(made(&["--seed", "7"]), text);
    assert_eq!(made(&["--replay", "p.choices"]), text);
    assert_ne!(made(&["--seed", "8"]), text);
    let with_python = format!("python3 {sql}");
    let args = ["generate", "--generator", &with_python, "--seed", "7"];
    assert_eq!(place.run_cleanly(&args, Exit::Done).stdout, text);
}

#[test]
fn everything_of_random_is_asked_for() {
    let place = TestFolder::new(BINARY);
    let script = r#"import random
from random import Random, SystemRandom, shuffle
r = Random(5)
letters = list("abc")
shuffle(letters)
print(sorted(letters), sorted(r.sample(range(9), 9)), len(r.choices([1, 2], weights=[1, 0], k=3)))
print(r.randrange(4, 10, 3) in (4, 7), 0 <= random.random() < 1, 2 <= random.uniform(2, 3) <= 3)
print(type(random.gauss(0, 1)).__name__, r.getrandbits(200) < 1 << 200, SystemRandom().choice([7]))
print(len(r.randbytes(5)), r.choice([print, len, [1]]) is not None)
"#;
    let path = place.write("all.py", script).display().to_string();
    let text = place.run_cleanly(&["generate", "--generator", &path], Exit::Done).stdout;
    let expected = "['a', 'b', 'c'] [0, 1, 2, 3, 4, 5, 6, 7, 8] 3\nTrue True True\nfloat True 7\n5 True\n";
    assert_eq!(text, expected);
    place.write("wrong.py", "import random\nrandom.random()\nraise ValueError('no text')\n");
    let said = place.run_cleanly(&["generate", "--generator", "wrong.py"], Exit::Input).stderr;
    assert!(said.contains("no text") && said.contains("it failed"), "{said}");
}

#[test]
fn an_order_needs_choices() {
    let place = TestFolder::new(BINARY);
    place.write("p.rs", "fn main() {}\n");
    for option in [["--order", "tree"], ["--alignment", "halt"]] {
        let args = [&["reduce", "p.rs", "--test", "true"], &option[..]].concat();
        assert!(place.run_cleanly(&args, Exit::Usage).stderr.contains("need --choices"));
    }
    place.run_cleanly(&["reduce", "--choices", "p", "--test", "true", "--order", "list"], Exit::Usage);
}
