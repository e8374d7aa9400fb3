//! The words of other reducers: each command line of `docs/coming-from.md` that mcve does not take ends with exit code 2 and mcve's own words,
//! and each of mcve's there is understood.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("ice.rs", "fn f() -> u8 { \"\" }\nfn main() { f(); }\n");
    place.write_script("interesting.sh", "#!/bin/sh\ngrep -q main \"$1\"\n");
    place.write_script("interesting", "#!/bin/sh\ngrep -q main \"$1\"\n");
    place.write("interesting.py", "");
    place
}

/// Checks that a command line is refused in these words.
#[track_caller]
fn refuses(args: &[&str], words: &[&str]) {
    let place = place();
    let said = place.run(args, Exit::Usage).says(words);
    assert!(!said.stderr.contains("Usage:") && said.stdout.is_empty(), "{}", said.all());
    assert!(!place.path("ice_mcve.rs").exists());
}

#[test]
fn a_script_before_the_file_is_an_option_here() {
    for script in ["./interesting.sh", "interesting.py", "./interesting", "missing.sh"] {
        let right = format!("`mcve ice.rs --test {script}`");
        refuses(&[script, "ice.rs"], &[&right]);
        refuses(&["--not-c", "--n", "4", script, "ice.rs"], &[&right, "`--not-c`", "left out", "`--jobs N`"]);
    }
}

#[test]
fn the_options_of_others_are_told_in_own_words() {
    refuses(
        &["--interesting-stderr", "E0308", "-s", "ice.rs", "-o", "b.rs", "--", "rustc", "@@.rs"],
        &["`--stderr REGEX`", "treereduce", "`mcve FILE -- COMMAND {}`"],
    );
    refuses(&["ice.rs", "--interesting-exit-code=1", "--", "rustc", "{}"], &["`--exit-code CODE`"]);
    refuses(&["ice.rs", "--interesting-stdout", "x", "--", "rustc", "{}"], &["`--stdout REGEX`"]);
    refuses(&["ice.rs", "--tidy"], &["`--in-place`"]);
    refuses(&["--rustc", "ice.rs", "--verify-fn", "|output| true"], &["cargo-minimize", "`--message REGEX`"]);
    refuses(&["--testcase=ice.rs"], &["lithium", "`mcve FILE`"]);
    refuses(&["ice.rs", "--parallelism", "2"], &["Shrink Ray", "`--jobs N`"]);
}

#[test]
fn the_sign_of_treereduce_for_a_candidate_is_told() {
    refuses(&["ice.rs", "--stderr", "E0308", "--", "rustc", "@@.rs"], &["`@@.rs`", "`{}`"]);
    refuses(&["ice.rs", "--", "rustc", "@@"], &["`@@`", "`{}`"]);
}

#[test]
fn what_is_nearly_said_is_told() {
    refuses(&["reduc", "ice.rs"], &["no such command: `reduc`. Did you mean `mcve reduce`?"]);
    refuses(&["resme"], &["no such command: `resme`. Did you mean `mcve resume`?"]);
    refuses(&["ice.rs", "--edition", "2021"], &["`mcve ice.rs -- --edition 2021`"]);
    let place = place();
    place.write("fine.rs", "fn main() { let mut x = 1; let unused = 2; println!(\"{x}\"); }\n");
    let said = place.run(&["fine.rs"], Exit::NotFailing);
    said.says(&["to keep that: --lint unused_mut\n", "to keep that: --lint unused_variables\n", "--tool clippy"]);
}

#[test]
fn what_is_nobody_elses_is_told_as_ever() {
    let place = place();
    let said = place.run(&["ice.rs", "--no-such-option"], Exit::Usage);
    assert!(said.stderr.contains("unexpected argument '--no-such-option'") && said.stderr.contains("Usage:"));
    place.run(&["ice.rs", "-q", "--test", "./interesting.sh", "--force"], Exit::Done);
}

#[test]
fn each_option_that_the_page_shows_for_mcve_is_one() {
    let page = include_str!("../../docs/coming-from.md");
    let help = place().run(&["reduce", "--help=all"], Exit::Done).stdout;
    let rows = page.lines().filter(|line| line.starts_with("| `") || line.starts_with("| --"));
    let mut options = 0;
    for row in rows {
        // A pipe in a command is escaped.
        let cells: Vec<String> =
            row.replace("\\|", "\u{0}").split('|').map(|cell| cell.replace('\u{0}', "|")).collect();
        let own = cells[2].split('`').skip(1).step_by(2);
        for command in own {
            let words = command.split(" -- ").next().unwrap_or_default().split_whitespace();
            for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
                options += 1;
                assert!(help.contains(option), "{option} of {row}");
            }
        }
    }
    assert!(options > 30, "{options}");
}
