//! `mcve generate`, `mcve reduce --choices` and `mcve fuzz`, through the real binary.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use mcve::cli::exit::Exit;
use mcve_testing::shell::MCVE_PID;
use mcve_testing::test_folder::names;
use mcve_testing::{Said, TestFolder};
use rustix::process::{Pid, Signal, kill_process};

/// A program fails that mentions a struct, and is one for the lexer.
const STRUCT: &str = "grep -q struct $1";

/// A generator of two kinds of lines, as a script.
const LINES: &str = r#"#!/bin/sh
echo generator lines 1 "$*"
echo repeat lines 0 4 9; read n
i=0; text=
while [ $i -lt $n ]; do
  echo part; echo fresh name; read name; echo choose kind struct enum; read kind; echo end
  text="$text$kind A$name {}
"
  i=$((i + 1))
done
echo end; echo output; printf '%s' "$text"
"#;

/// A rustc that crashes on programs with a struct or a `for`, each in its own way.
const CRASHING: &str = r#"#!/bin/sh
crash() { echo "thread 'rustc' panicked at compiler/rustc_$1/src/lib.rs:1:2:" >&2; echo "no $1" >&2; exit 101; }
for file; do :; done
[ -f "$file" ] || exit 0
grep -q 'struct ' "$file" && crash struct
grep -q 'for ' "$file" && crash for
exit 0
"#;

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// What it says when it ends with an error.
#[track_caller]
fn error(place: &TestFolder, args: &[&str], exit: Exit) -> String {
    let stderr = place.run_cleanly(args, exit).stderr;
    assert!(stderr.starts_with("error: "), "{stderr}");
    stderr
}

#[test]
fn a_seed_makes_a_program_and_its_choices_make_it_again() {
    let place = TestFolder::new(BINARY);
    let program =
        place.run_cleanly(&["generate", "--seed", "22", "--size", "4", "--choices", "p.choices"], Exit::Done).stdout;
    assert!(program.contains("fn main()"));
    assert_eq!(place.run_cleanly(&["generate", "--seed", "22", "--size", "4"], Exit::Done).stdout, program);
    assert_ne!(place.run_cleanly(&["generate", "--seed", "23", "--size", "4"], Exit::Done).stdout, program);
    assert_eq!(place.run_cleanly(&["generate", "--replay", "p.choices"], Exit::Done).stdout, program);
}

#[test]
fn choices_are_reduced_through_the_generator_and_then_the_tree() {
    let place = TestFolder::new(BINARY);
    place.run_cleanly(&["generate", "--seed", "1", "--choices", "p.choices"], Exit::Done);
    let before = place.read("p.choices");
    let output = place.run_cleanly(&["reduce", "--choices", "p.choices", "--test", STRUCT], Exit::Done);
    let said = output.stderr;
    let passes: Vec<&str> = said.lines().filter_map(|line| line.split(": ").next()).collect();
    let place_of = |words: &str| passes.iter().position(|pass| *pass == words).expect(words);
    assert!(place_of("shrinking the choices of the generator") < place_of("shortening names"), "{said}");
    assert!(said.contains("1-minimal"), "{said}");
    assert!(place.read("p_mcve.rs").contains("struct"));
    assert!(place.read("p_mcve.rs").len() < 60, "{}", place.read("p_mcve.rs"));
    assert_eq!(place.read("p.choices"), before, "the choices are never changed");
    assert!(!place.path("p.rs").exists());
}

#[test]
fn choices_that_cannot_be_used_are_refused() {
    let place = TestFolder::new(BINARY);
    place.run_cleanly(&["generate", "--seed", "2", "--size", "2", "--choices", "p.choices"], Exit::Done);
    let choices = place.read("p.choices");
    let lines: Vec<&str> = choices.lines().collect();
    let write = |name: &str, text: String| _ = place.write(name, text);
    write("version.choices", choices.replacen("generator rust 2", "generator rust 1", 1));
    write("other.choices", choices.replacen("generator rust", "generator rest", 1));
    write("format.choices", choices.replacen("mcve choices 1", "mcve choices 9", 1));
    write("settings.choices", choices.replacen("size=2", "size=2 colour=red", 1));
    write("cut.choices", lines[..lines.len() - 1].join("\n"));
    write("less.choices", format!("{}\n", lines[..3].join("\n")));
    write("program.choices", "fn main() {}\n".to_owned());
    for (name, why) in [
        ("version", "its version is `1`, and here it is `2`"),
        ("other", "its name is `rest`"),
        ("format", "another format"),
        ("settings", "its settings"),
        ("cut", "its end is missing"),
        ("less", "does not make a program"),
        ("program", "no file of choices"),
        ("missing", "cannot read"),
    ] {
        let file = format!("{name}.choices");
        let said = error(&place, &["reduce", "--choices", &file, "--test", "true"], Exit::Input);
        assert!(said.contains(why) && said.contains(&file), "{said}");
    }
    let said = error(&place, &["reduce", "--choices", "p.choices", "--test", "false"], Exit::NotFailing);
    assert!(said.contains("mcve generate --replay p.choices > p.rs && "), "{said}");
    error(&place, &["reduce", "--choices", "--in-place", "p.choices"], Exit::Usage);
    error(&place, &["reduce", "--generator", "./g.sh", "p.choices"], Exit::Usage);
    assert_eq!(place.read("p.choices"), choices);
}

#[test]
fn a_generator_that_never_ends_is_told() {
    let place = TestFolder::new(BINARY);
    let said = error(&place, &["generate", "--limit", "50"], Exit::Input);
    assert!(said.contains("more than 50 decisions"), "{said}");
    place.write_script(
        "endless.sh",
        "#!/bin/sh\necho generator endless 1\nwhile :; do echo flip more 50; read more; done\n",
    );
    let args = ["generate", "--generator", "./endless.sh", "--limit", "2000"];
    assert!(error(&place, &args, Exit::Input).contains("more than 2000 decisions"));
    let args = ["fuzz", "--generator", "./endless.sh", "--limit", "2000", "--test", "true"];
    let said = error(&place, &args, Exit::Input);
    assert!(said.contains("seed 0 makes no program") && said.contains("2000"), "{said}");
}

#[test]
fn a_generator_of_ones_own_is_reduced_by_its_choices() {
    let place = TestFolder::new(BINARY);
    place.write_script("lines.sh", LINES);
    place.run_cleanly(&["generate", "--generator", "./lines.sh", "--seed", "4", "--choices", "p.choices"], Exit::Done);
    let args = ["reduce", "--choices", "p.choices", "--generator", "./lines.sh", "--test", STRUCT, "-o", "-"];
    let output = place.run_cleanly(&args, Exit::Done);
    assert!(output.stderr.contains("generator: 4 tokens, 1 lines"), "{}", output.stderr);
    let said = error(&place, &["reduce", "--choices", "p.choices", "--test", STRUCT], Exit::Input);
    assert!(said.contains("its name is `lines`, and here it is `rust`"), "{said}");
    let args = ["reduce", "--choices", "p.choices", "--generator", "./lines.sh -x", "--test", STRUCT];
    let said = error(&place, &args, Exit::Input);
    assert!(said.contains("its settings is ``, and here it is `-x`"), "{said}");
    let said = error(&place, &["generate", "--generator", "echo nonsense"], Exit::Check);
    assert!(said.contains("generator NAME VERSION"), "{said}");
}

#[test]
fn fuzzing_keeps_the_smallest_program_of_each_failure() {
    let place = TestFolder::new(BINARY);
    place.write_script("rustc", CRASHING);
    let args = ["fuzz", "--seeds", "10..30", "--size", "4", "--rustc", "./rustc", "-o", "out/finds"];
    let one = place.run_cleanly(&[&args[..], &["-j", "1"]].concat(), Exit::Done);
    let said = one.stderr;
    assert!(said.contains(" in 2 ways, "), "{said}");
    let read = |name: String| (name.clone(), place.read(format!("out/finds/{name}")));
    let results: Vec<(String, String)> = names(&place.path("out/finds")).into_iter().map(read).collect();
    let programs: Vec<&String> =
        results.iter().filter(|(name, _)| name.ends_with(".rs")).map(|(_, program)| program).collect();
    assert_eq!((results.len(), programs.len()), (4, 2), "{results:?}");
    assert!(programs.iter().all(|program| program.len() < 60), "{programs:?}");
    assert!(programs.iter().any(|program| program.contains("for ")), "{programs:?}");
    // The result does not depend on how many are tried at once.
    place.run_cleanly(&[&args[..], &["-j", "3"]].concat(), Exit::Done);
    assert!(results.iter().all(|(name, program)| place.read(format!("out/finds/{name}")) == *program));
    // What a find began with is there.
    let choices = results.iter().find(|(name, _)| name.ends_with(".choices")).expect("it was kept");
    let replayed = place.run_cleanly(&["generate", "--replay", &format!("out/finds/{}", choices.0)], Exit::Done);
    assert!(replayed.stdout.contains("fn main"));
}

#[test]
fn fuzzing_compares_what_programs_do() {
    let place = TestFolder::new(BINARY);
    let generator = "echo generator main 1; echo fresh name; read n; echo output; \
                     echo 'fn main() { print!(\"{}\", cfg!(one)) }'";
    let flags = ["--flags", "--cfg one", "--flags", "--cfg two"];
    let args = ["fuzz", "--count", "2", "--generator", generator, "--run", "-o", "finds"];
    let said = place.run_cleanly(&[&args[..], &flags].concat(), Exit::Done).stderr;
    assert!(said.contains("it behaves in two ways") && said.contains("seed 1: as seed 0"), "{said}");
    assert!(place.read("finds/seed-0.rs").contains("cfg!(one)"), "{}", place.read("finds/seed-0.rs"));
    let same = place.run_cleanly(&[&args[..], &["--flags", "-O", "--flags", "-g"]].concat(), Exit::Done).stderr;
    assert!(same.contains("done: 2 programs, 0 failed in 0 ways"), "{same}");
}

#[test]
fn fuzzing_looks_for_other_kinds_of_failure() {
    let place = TestFolder::new(BINARY);
    let generator = "echo generator kind 1; echo output; \
                     echo 'fn more() {} fn main() { more(); let all = vec![3, 4]; for i in 0..all.len() { println!(\"total: {}\", all[i]); } }'";
    let fuzz = |kind: &[&str]| {
        let args = ["fuzz", "--count", "2", "--generator", generator, "-o", "finds"];
        place.run_cleanly(&[&args[..], kind].concat(), Exit::Done).stderr
    };
    let said = fuzz(&["--prints", "total: 4"]);
    assert!(said.contains("seed 1: as seed 0") && said.contains("2 failed in 1 ways"), "{said}");
    let left = place.read("finds/seed-0.rs");
    assert!(left.contains("total: ") && !left.contains("more"), "{left}");
    assert!(fuzz(&["--prints", "total: 5"]).contains("0 failed"));
    assert!(fuzz(&["--run", "--hang", "9s"]).contains("0 failed"));
    place.run_cleanly(&["fuzz", "--prints", "a", "--flags", "-O"], Exit::Usage);
}

#[test]
fn errors_are_failures_unless_only_crashes_are_asked_for() {
    let place = TestFolder::new(BINARY);
    let generator = "echo generator wrong 1; echo output; echo 'fn main() { let x: u8 = true; }'";
    let args = ["fuzz", "--count", "1", "--generator", generator, "-o", "finds"];
    let said = place.run_cleanly(&args, Exit::Done).stderr;
    assert!(said.contains("seed 0: error E0308") && place.path("finds/seed-0.rs").exists(), "{said}");
    let said = place.run_cleanly(&[&args[..], &["--crashes"]].concat(), Exit::Done).stderr;
    assert!(said.contains("0 failed"), "{said}");
}

#[test]
fn a_wrong_command_line_of_fuzz_is_told() {
    let place = TestFolder::new(BINARY);
    let wrong: [&[&str]; 7] = [
        &["fuzz", "--seeds", "5..5"],
        &["fuzz", "--seeds", "1..2", "--count", "1"],
        &["fuzz", "--run"],
        &["fuzz", "--run", "--flags", "-O"],
        &["fuzz", "--test", "true", "--", "-O"],
        &["fuzz", "--size", "x"],
        &["generate", "--replay", "p.choices", "--seed", "1"],
    ];
    for args in wrong {
        place.run_cleanly(args, Exit::Usage);
    }
    error(&place, &["fuzz", "--rustc", "/nowhere/rustc"], Exit::Check);
    place.write("file", "");
    error(&place, &["fuzz", "--count", "1", "-o", "file", "--test", "true"], Exit::Output);
}

#[test]
fn an_interrupt_ends_fuzzing_and_leaves_nothing() {
    let place = TestFolder::new(BINARY);
    // The second program is never done with.
    let test = "case $1 in *seed-0.rs) test $(wc -c < $1) -gt 30; exit ;; esac; exec tail -f /dev/null";
    let args = ["fuzz", "-j", "1", "--seeds", "0..1000", "--size", "1", "--test", test, "-o", "finds"];
    let mut child = place.mcve(&args).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is a pipe")).lines();
    assert!(lines.by_ref().any(|line| line.expect("it is text").contains("see it")), "the first find is kept");
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let rest: Vec<String> = lines.map(|line| line.expect("it is text")).collect();
    assert!(rest.last().expect("it says how it ended").starts_with("interrupted: 1 programs, 1 failed"), "{rest:?}");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(Exit::Interrupted.code().into()));
    place.assert_clean();
    assert!(place.path("finds/seed-0.rs").exists());
}

#[test]
fn a_budget_ends_fuzzing() {
    let place = TestFolder::new(BINARY);
    let args = ["fuzz", "--seeds", "0..18446744073709551615", "--size", "1", "--test", "false", "--budget", "0.2"];
    let said = place.run_cleanly(&args, Exit::Done).stderr;
    assert!(said.contains("the budget is spent"), "{said}");
}

#[test]
fn a_killed_reduction_through_a_generator_goes_on() {
    let place = TestFolder::new(BINARY);
    place.run_cleanly(&["generate", "--seed", "1", "--choices", "p.choices"], Exit::Done);
    // The ninth check is in the pass of the generator, and kills who asks for it, once.
    let test = format!(
        "echo >> {0}/asked; [ $(wc -l < {0}/asked) -ne 9 ] || kill -KILL {MCVE_PID}; grep -q struct $1",
        place.root().display()
    );
    let args = ["reduce", "-j", "1", "--sandbox", "off", "--choices", "p.choices", "--test", &test];
    let killed = Said::by(&mut place.mcve(&args));
    assert_eq!(killed.code(), None, "{}", killed.stderr);
    assert!(
        killed.stderr.lines().all(|line| !line.starts_with("shrinking the choices of the generator: ")),
        "it was in that pass"
    );
    let resumed = place.run_cleanly(&["resume"], Exit::Done).stderr;
    assert!(
        resumed.contains("shrinking the choices of the generator: ") && resumed.contains("from before"),
        "{resumed}"
    );
    let result = place.read("p_mcve.rs");
    place.run_cleanly(&["reduce", "-j", "1", "--choices", "p.choices", "--test", STRUCT], Exit::Done);
    assert_eq!(place.read("p_mcve.rs"), result);
    // Other choices are another run.
    let killed = Said::by(&mut place.mcve(&[&args[..8], &[&test.replace("-ne 9", "-lt 1")]].concat()));
    assert_eq!(killed.code(), None);
    place.run(&["generate", "--seed", "3", "--choices", "p.choices"], Exit::Done);
    Said::by(&mut place.mcve(&["resume"])).says(&["p.choices has changed since"]);
}

#[test]
fn mutants_of_files_crash_the_compiler() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    // The crash needs the bound of the one and the sum of the other.
    place.write("in/bound.rs", "#![crate_type = \"lib\"]\npub fn a<T>() where u8: std::ops::Add<*const T> { 1; }\n");
    place.write("in/sum.rs", "#![crate_type = \"lib\"]\npub fn b() { 0 + 0 as _; }\n");
    let run = |jobs: &str, folder: &str, more: &[&str]| {
        let args = ["fuzz", "--mutate", "in", "-j", jobs, "-o", folder];
        place.run(&[&args[..], more].concat(), Exit::Done).stderr
    };
    let said = run("2", "finds", &["--count", "600"]);
    let found: Vec<&str> = said.lines().filter(|line| line.contains("statement.rs:894")).collect();
    assert_eq!(found.len(), 1, "{said}");
    let (mutant, _) = found[0].split_once(": internal compiler error").expect("it is a crash");
    let name = mutant.replace(' ', "-");
    assert!(place.read(format!("finds/{name}.rs")).contains("0 as _"), "{said}");
    assert!(place.read(format!("finds/unreduced/{name}.rs")).contains("crate_type"));
    // The same mutants crash, whatever the number of jobs; and what has been kept is known.
    let number: u64 = mutant.replace("mutant ", "").parse().expect("a mutant has a number");
    let seeds = format!("0..{}", number + 1);
    assert!(run("1", "others", &["--seeds", &seeds]).contains(found[0]));
    let again = run("2", "finds", &["--seeds", &seeds]);
    assert!(!again.contains("statement.rs") && again.contains("failed in"), "{again}");
    place.run(&["fuzz", "in"], Exit::Usage);
    place.run(&["fuzz", "--mutate", "nowhere"], Exit::Input);
}

/// A script that finds a number with an exponent below a key `deep`, and says what else it saw.
const DEEP: &str =
    "case $(cat \"$1\") in *deep*[0-9]e*) exit 0 ;; *null*) echo a null ;; *true*) echo a truth ;; esac; exit 1";

#[test]
fn mutants_of_texts_are_sentences_of_their_grammar() {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("in/one.json", "{\"a\": [1, 2, {\"deep\": [true, null]}], \"b\": 5}\n");
    place.write("in/two.json", "[{\"b\": \"s\", \"c\": {\"d\": -1.5e3}}, [], \"\"]");
    let args = ["fuzz", "--mutate", "in", "--grammar", "json", "--test", DEEP];
    let run =
        |jobs: &str| place.run(&[&args[..], &["-j", jobs, "--count", "60", "-o", jobs]].concat(), Exit::Done).stderr;
    let said = run("2");
    let (mutant, _) = said.split_once(": `case").expect("one is found");
    let found = place.read(format!("2/{}.json", mutant.replace(' ', "-")));
    assert!(
        found.len() < 20 && found.contains("deep") && serde_json::from_str::<serde_json::Value>(&found).is_ok(),
        "{found}"
    );
    assert!(run("1").starts_with(&format!("{mutant}: ")), "{said}");
    place.run(&["fuzz", "--mutate", "in", "--grammar", "json"], Exit::Usage);
    place.write("in/none.json", "[");
    place.write("in/a.json", "{");
    place.run(&args, Exit::Input).says(&["a.json does not follow the grammar json"]);
}
