//! `mcve generate`, `mcve reduce --choices` and `mcve fuzz`, through the real binary.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

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

/// A rustc that crashes on programs with a trait or a `while`, each in its own way.
const CRASHING: &str = r#"#!/bin/sh
crash() { echo "thread 'rustc' panicked at compiler/rustc_$1/src/lib.rs:1:2:" >&2; echo "no $1" >&2; exit 101; }
for file; do :; done
[ -f "$file" ] || exit 0
grep -q 'trait ' "$file" && crash trait
grep -q 'while ' "$file" && crash while
exit 0
"#;

/// A folder with files, in which the command runs; its temporary files go to a folder inside, so that leftovers show.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        // Some tests send signals, which whoever started this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn script(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("it can be written");
        std::fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).expect("it is ours");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command.env("XDG_CONFIG_HOME", self.path("config"));
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) -> Output {
        let output = self.command(args).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
        assert!(!stderr.contains("panicked at src"), "{stderr}");
        self.nothing_left();
        output
    }

    #[track_caller]
    fn nothing_left(&self) {
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).expect("it is there").collect();
        assert!(left.is_empty(), "left in the temporary folder: {left:?}");
    }

    /// What it says when it ends with an error.
    #[track_caller]
    fn error(&self, args: &[&str], exit: Exit) -> String {
        let stderr = text(&self.run(args, exit).stderr);
        assert!(stderr.starts_with("error: "), "{stderr}");
        stderr
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_seed_makes_a_program_and_its_choices_make_it_again() {
    let place = Place::new();
    let program = place.run(&["generate", "--seed", "22", "--size", "4", "--choices", "p.choices"], Exit::Done).stdout;
    assert!(text(&program).contains("fn main()"));
    assert_eq!(place.run(&["generate", "--seed", "22", "--size", "4"], Exit::Done).stdout, program);
    assert_ne!(place.run(&["generate", "--seed", "23", "--size", "4"], Exit::Done).stdout, program);
    assert_eq!(place.run(&["generate", "--replay", "p.choices"], Exit::Done).stdout, program);
    let bare = place.run(&["generate", "--seed", "22", "--with", "structs,traits", "--without", "traits"], Exit::Done);
    let bare = text(&bare.stdout);
    assert!(bare.contains("struct ") && !bare.contains("trait ") && !bare.contains("match "), "{bare}");
}

#[test]
fn choices_are_reduced_through_the_generator_and_then_the_tree() {
    let place = Place::new();
    place.run(&["generate", "--seed", "1", "--choices", "p.choices"], Exit::Done);
    let before = place.read("p.choices");
    let output = place.run(&["reduce", "--choices", "p.choices", "--test", STRUCT], Exit::Done);
    let said = text(&output.stderr);
    let passes: Vec<&str> = said.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(passes[2], "generator", "{said}");
    assert!(passes[3..].contains(&"names") && said.contains("1-minimal"), "{said}");
    assert!(place.read("p_mcve.rs").contains("struct"));
    assert!(place.read("p_mcve.rs").len() < 60, "{}", place.read("p_mcve.rs"));
    assert_eq!(place.read("p.choices"), before, "the choices are never changed");
    assert!(!place.path("p.rs").exists());
}

#[test]
fn choices_that_cannot_be_used_are_refused() {
    let place = Place::new();
    place.run(&["generate", "--seed", "2", "--size", "2", "--choices", "p.choices"], Exit::Done);
    let choices = place.read("p.choices");
    let lines: Vec<&str> = choices.lines().collect();
    let write = |name: &str, text: String| std::fs::write(place.path(name), text).expect("it can be written");
    write("version.choices", choices.replacen("generator rust 1", "generator rust 0", 1));
    write("other.choices", choices.replacen("generator rust", "generator rest", 1));
    write("format.choices", choices.replacen("mcve choices 1", "mcve choices 9", 1));
    write("settings.choices", choices.replacen("size=2", "size=2 colour=red", 1));
    write("cut.choices", lines[..lines.len() - 1].join("\n"));
    write("less.choices", format!("{}\n", lines[..3].join("\n")));
    write("program.choices", "fn main() {}\n".to_owned());
    for (name, why) in [
        ("version", "its version is `0`, and here it is `1`"),
        ("other", "its name is `rest`"),
        ("format", "another format"),
        ("settings", "its settings"),
        ("cut", "its end is missing"),
        ("less", "does not make a program"),
        ("program", "no file of choices"),
        ("missing", "cannot read"),
    ] {
        let file = format!("{name}.choices");
        let error = place.error(&["reduce", "--choices", &file, "--test", "true"], Exit::Input);
        assert!(error.contains(why) && error.contains(&file), "{error}");
    }
    let error = place.error(&["reduce", "--choices", "p.choices", "--test", "false"], Exit::NotFailing);
    assert!(error.contains("mcve generate --replay p.choices > p.rs && "), "{error}");
    place.error(&["reduce", "--choices", "--in-place", "p.choices"], Exit::Usage);
    place.error(&["reduce", "--generator", "./g.sh", "p.choices"], Exit::Usage);
    assert_eq!(place.read("p.choices"), choices);
}

#[test]
fn a_generator_that_never_ends_is_told() {
    let place = Place::new();
    let error = place.error(&["generate", "--limit", "50"], Exit::Input);
    assert!(error.contains("more than 50 decisions"), "{error}");
    place.script("endless.sh", "#!/bin/sh\necho generator endless 1\nwhile :; do echo flip more 50; read more; done\n");
    let args = ["generate", "--generator", "./endless.sh", "--limit", "2000"];
    assert!(place.error(&args, Exit::Input).contains("more than 2000 decisions"));
    let args = ["fuzz", "--generator", "./endless.sh", "--limit", "2000", "--test", "true"];
    let error = place.error(&args, Exit::Input);
    assert!(error.contains("seed 0 makes no program") && error.contains("2000"), "{error}");
}

#[test]
fn a_generator_of_ones_own_is_reduced_by_its_choices() {
    let place = Place::new();
    place.script("lines.sh", LINES);
    place.run(&["generate", "--generator", "./lines.sh", "--seed", "4", "--choices", "p.choices"], Exit::Done);
    let args = ["reduce", "--choices", "p.choices", "--generator", "./lines.sh", "--test", STRUCT, "-o", "-"];
    let output = place.run(&args, Exit::Done);
    assert!(text(&output.stderr).contains("generator: 4 tokens, 1 lines"), "{}", text(&output.stderr));
    let error = place.error(&["reduce", "--choices", "p.choices", "--test", STRUCT], Exit::Input);
    assert!(error.contains("its name is `lines`, and here it is `rust`"), "{error}");
    let args = ["reduce", "--choices", "p.choices", "--generator", "./lines.sh -x", "--test", STRUCT];
    let error = place.error(&args, Exit::Input);
    assert!(error.contains("its settings is ``, and here it is `-x`"), "{error}");
    let error = place.error(&["generate", "--generator", "echo nonsense"], Exit::Check);
    assert!(error.contains("generator NAME VERSION"), "{error}");
}

#[test]
fn fuzzing_keeps_the_smallest_program_of_each_failure() {
    let place = Place::new();
    place.script("rustc", CRASHING);
    let args = ["fuzz", "--seeds", "10..30", "--size", "4", "--rustc", "./rustc", "-o", "out/finds"];
    let one = place.run(&[&args[..], &["-j", "1"]].concat(), Exit::Done);
    let said = text(&one.stderr);
    assert!(said.contains(" in 2 ways, "), "{said}");
    let mut results = Vec::new();
    for entry in std::fs::read_dir(place.path("out/finds")).expect("it was made") {
        let name = entry.expect("it can be read").file_name().into_string().expect("it is text");
        results.push((name.clone(), place.read(&format!("out/finds/{name}"))));
    }
    results.sort();
    let programs: Vec<&String> =
        results.iter().filter(|(name, _)| name.ends_with(".rs")).map(|(_, program)| program).collect();
    assert_eq!((results.len(), programs.len()), (4, 2), "{results:?}");
    assert!(programs.iter().all(|program| program.len() < 60), "{programs:?}");
    assert!(programs.iter().any(|program| program.contains("while")), "{programs:?}");
    // The result does not depend on how many are tried at once.
    place.run(&[&args[..], &["-j", "3"]].concat(), Exit::Done);
    assert!(results.iter().all(|(name, program)| place.read(&format!("out/finds/{name}")) == *program));
    // What a find began with is there.
    let choices = results.iter().find(|(name, _)| name.ends_with(".choices")).expect("it was kept");
    let replayed = place.run(&["generate", "--replay", &format!("out/finds/{}", choices.0)], Exit::Done);
    assert!(text(&replayed.stdout).contains("fn main"));
}

#[test]
fn fuzzing_compares_what_programs_do() {
    let place = Place::new();
    let generator = "echo generator main 1; echo fresh name; read n; echo output; \
                     echo 'fn main() { print!(\"{}\", cfg!(one)) }'";
    let flags = ["--flags", "--cfg one", "--flags", "--cfg two"];
    let args = ["fuzz", "--count", "2", "--generator", generator, "--run", "-o", "finds"];
    let said = text(&place.run(&[&args[..], &flags].concat(), Exit::Done).stderr);
    assert!(said.contains("it behaves in two ways") && said.contains("seed 1: as seed 0"), "{said}");
    assert!(place.read("finds/seed-0.rs").contains("cfg!(one)"), "{}", place.read("finds/seed-0.rs"));
    let same = text(&place.run(&[&args[..], &["--flags", "-O", "--flags", "-g"]].concat(), Exit::Done).stderr);
    assert!(same.contains("done: 2 programs, 0 failed in 0 ways"), "{same}");
}

#[test]
fn errors_are_failures_unless_only_crashes_are_asked_for() {
    let place = Place::new();
    let generator = "echo generator wrong 1; echo output; echo 'fn main() { let x: u8 = true; }'";
    let args = ["fuzz", "--count", "1", "--generator", generator, "-o", "finds"];
    let said = text(&place.run(&args, Exit::Done).stderr);
    assert!(said.contains("seed 0: error E0308") && place.path("finds/seed-0.rs").exists(), "{said}");
    let said = text(&place.run(&[&args[..], &["--crashes"]].concat(), Exit::Done).stderr);
    assert!(said.contains("0 failed"), "{said}");
}

#[test]
fn a_wrong_command_line_of_fuzz_is_told() {
    let place = Place::new();
    let wrong: [&[&str]; 7] = [
        &["fuzz", "--seeds", "5..5"],
        &["fuzz", "--seeds", "1..2", "--count", "1"],
        &["fuzz", "--run"],
        &["fuzz", "--run", "--flags", "-O"],
        &["fuzz", "--test", "true", "--", "-O"],
        &["fuzz", "--with", "magic"],
        &["generate", "--replay", "p.choices", "--seed", "1"],
    ];
    for args in wrong {
        place.run(args, Exit::Usage);
    }
    place.error(&["fuzz", "--rustc", "/nowhere/rustc"], Exit::Check);
    std::fs::write(place.path("file"), "").expect("it can be written");
    place.error(&["fuzz", "--count", "1", "-o", "file", "--test", "true"], Exit::Output);
}

#[test]
fn an_interrupt_ends_fuzzing_and_leaves_nothing() {
    let place = Place::new();
    // The second program is never done with.
    let test = "case $1 in *seed-0.rs) test $(wc -c < $1) -gt 30; exit ;; esac; exec tail -f /dev/null";
    let args = ["fuzz", "-j", "1", "--seeds", "0..1000", "--size", "1", "--test", test, "-o", "finds"];
    let mut child = place.command(&args).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is a pipe")).lines();
    assert!(lines.by_ref().any(|line| line.expect("it is text").contains("see it")), "the first find is kept");
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let rest: Vec<String> = lines.map(|line| line.expect("it is text")).collect();
    assert!(rest.last().expect("it says how it ended").starts_with("interrupted: 1 programs, 1 failed"), "{rest:?}");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(Exit::Interrupted.code().into()));
    place.nothing_left();
    assert!(place.path("finds/seed-0.rs").exists());
}

#[test]
fn a_budget_ends_fuzzing() {
    let place = Place::new();
    let args = ["fuzz", "--seeds", "0..18446744073709551615", "--size", "1", "--test", "false", "--budget", "0.2"];
    let said = text(&place.run(&args, Exit::Done).stderr);
    assert!(said.contains("the budget is spent"), "{said}");
}

/// In a shell: the process that has a check run, behind the two that start it and watch it.
const MCVE: &str = r#"$(cut -d" " -f4 /proc/$(cut -d" " -f4 /proc/$PPID/stat)/stat)"#;

#[test]
fn a_killed_reduction_through_a_generator_goes_on() {
    let place = Place::new();
    place.run(&["generate", "--seed", "1", "--choices", "p.choices"], Exit::Done);
    // The ninth check is in the pass of the generator, and kills who asks for it, once.
    let test = format!(
        "echo >> {0}/asked; [ $(wc -l < {0}/asked) -ne 9 ] || kill -KILL {MCVE}; grep -q struct $1",
        place.folder.path().display()
    );
    let args = ["reduce", "-j", "1", "--sandbox", "off", "--choices", "p.choices", "--test", &test];
    let killed = place.command(&args).output().expect("the binary runs");
    assert_eq!(killed.status.code(), None, "{}", text(&killed.stderr));
    assert!(text(&killed.stderr).lines().all(|line| !line.starts_with("generator: ")), "it was in that pass");
    let resumed = text(&place.run(&["resume"], Exit::Done).stderr);
    assert!(resumed.contains("generator: ") && resumed.contains("from before"), "{resumed}");
    let result = place.read("p_mcve.rs");
    place.run(&["reduce", "-j", "1", "--choices", "p.choices", "--test", STRUCT], Exit::Done);
    assert_eq!(place.read("p_mcve.rs"), result);
    // Other choices are another run.
    let killed = place.command(&[&args[..8], &[&test.replace("-ne 9", "-lt 1")]].concat()).output();
    assert_eq!(killed.expect("the binary runs").status.code(), None);
    let made = place.command(&["generate", "--seed", "3", "--choices", "p.choices"]).status();
    assert!(made.expect("the binary runs").success());
    let error = text(&place.command(&["resume"]).output().expect("the binary runs").stderr);
    assert!(error.contains("p.choices has changed since"), "{error}");
}
