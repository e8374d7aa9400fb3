//! `--executor` and `mcve worker`: checks that other programs run, and their faults. By the real rustc.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

use crate::store::CRASH;

pub(crate) fn place() -> TestFolder {
    let place = TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", CRASH);
    place
}

/// Reduces the program with these executors, in whose lines `MCVE` stands for the command.
pub(crate) fn run(place: &TestFolder, executors: &[&str], exit: Exit) -> Said {
    let executors = executors
        .iter()
        .flat_map(|line| ["--executor".to_owned(), line.replace("MCVE", &format!("'{}'", env!("CARGO_BIN_EXE_mcve")))]);
    let words: Vec<String> = ["a.rs", "-o", "small.rs"].map(str::to_owned).into_iter().chain(executors).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Said::by(place.mcve(&words).env("RUSTC_BOOTSTRAP", "1")).exits(exit)
}

#[test]
fn workers_make_the_result_of_one_machine_whatever_becomes_of_them() {
    let place = place();
    run(&place, &[], Exit::Done);
    let expected = place.read("small.rs");
    for (what, executors, least) in [
        ("two workers", &["tee one | MCVE worker", "tee two | MCVE worker"][..], 20),
        ("a greeting before the first answer", &["echo Welcome; tee one | MCVE worker"], 20),
        ("one that ends after ten jobs", &["sed -u 11q | tee one | MCVE worker", "tee two | MCVE worker"], 20),
        ("one that ends, and no other one", &["tee one | sed -u 8q | MCVE worker"], 7),
        (
            "answers that are changed",
            &["tee one | MCVE worker | sed -u 's/\"Exited\":101/\"Exited\":0/'", "tee two | MCVE worker"],
            20,
        ),
        (
            "answers that are cut off",
            &["tee one | MCVE worker | sed -u 's/^\\(.\\{400\\}\\).*/\\1/'", "tee two | MCVE worker"],
            20,
        ),
        (
            "answers to others",
            &["tee one | MCVE worker | sed -u 's/\"token\":\"[^\"]*\"/\"token\":\"0\"/'", "tee two | MCVE worker"],
            20,
        ),
        ("answers that come twice", &["tee one | MCVE worker | sed -u p"], 20),
        (
            "answers that files are missing",
            &[
                "tee one | MCVE worker | sed -u 's/^{\"done\":{\"id\":\\([0-9]*\\).*/{\"missing\":\\1}/'",
                "tee two | MCVE worker",
            ],
            20,
        ),
    ] {
        for name in ["small.rs", "one", "two"] {
            let _ = std::fs::remove_file(place.path(name));
        }
        run(&place, executors, Exit::Done);
        assert_eq!(place.read("small.rs"), expected, "{what}");
        let sent = ["one", "two"].map(|name| std::fs::read_to_string(place.path(name)).unwrap_or_default());
        let jobs = sent.concat().lines().filter(|line| line.starts_with("{\"run\"")).count();
        assert!(jobs >= least, "{what}: {jobs} jobs were sent");
    }
    place.assert_clean();
}

#[test]
fn an_executor_that_cannot_be_used_is_refused_before_the_first_job() {
    let place = place();
    for (line, why) in [
        ("sed -u 's/rustc 1[.]/rustc 0./g' | MCVE worker", "it has no rustc 0."),
        ("sed -u 's/\"form\":2/\"form\":0/' | MCVE worker", "it is of another version of mcve"),
        ("false", "it has ended"),
        ("echo '{\"done\":{}}'", "it has ended"),
        ("no-such-command", "it has ended"),
    ] {
        let said = run(&place, &[line], Exit::Check).stderr;
        assert!(said.contains("the executor `") && said.contains(why), "{line}: {said}");
    }
    assert!(!place.path("small.rs").exists());
}

#[test]
fn workers_on_which_the_failure_is_another_one_are_found_and_named() {
    let place = place();
    run(&place, &[], Exit::Done);
    let expected = place.read("small.rs");
    // There rustc does not know unstable options.
    let other = "s/\"RUSTC_BOOTSTRAP\",\"1\"/\"RUSTC_BOOTSTRAP\",null/";
    let lies = format!("tee one | sed -u '{other}' | MCVE worker");
    for executors in [vec![lies.clone()], vec!["tee two | MCVE worker".to_owned(), lies]] {
        let executors: Vec<&str> = executors.iter().map(String::as_str).collect();
        let said = run(&place, &executors, Exit::Done).stderr;
        // By the first failure that is compared, or by the first check of that worker.
        let whys = ["the failure is not the same there", "with exit code 1 by the executor `tee one"];
        let is_named = whys.iter().any(|why| said.contains(why));
        assert!(said.contains("the executors run no more checks") && is_named, "{said}");
        assert_eq!(place.read("small.rs"), expected);
        // What had begun by then, and nothing later.
        assert!(place.read("one").lines().filter(|line| line.starts_with("{\"run\"")).count() <= 6, "{said}");
    }
}

#[test]
fn a_worker_gets_the_libraries_that_a_check_names_by_their_paths() {
    let place = place();
    place.write("deps/dep.rs", "pub struct Dep(pub u8);");
    let rustc = ["rustc", "--crate-type=lib", "--crate-name=dep", "--out-dir=deps", "deps/dep.rs"];
    assert!(Said::by(place.command(rustc[0]).args(&rustc[1..])).is_success());
    place.write("a.rs", format!("{CRASH}pub fn with(d: &dep::Dep) -> u8 {{ d.0 }}\n"));
    let (deps, library) = (place.path("deps"), place.path("deps/libdep.rlib"));
    let library = format!("--extern=dep={}", library.display());
    // The worker is told of a folder that it does not have.
    let moved = format!(
        "--executor=sed -u 's#{}#/nowhere/deps#g' | tee one | '{}' worker",
        deps.display(),
        env!("CARGO_BIN_EXE_mcve")
    );
    for (output, executor) in [("small.rs", None), ("there.rs", Some(moved.as_str()))] {
        let words = ["a.rs", "-o", output].into_iter().chain(executor).chain(["--message-format=json", "--", &library]);
        let words: Vec<&str> = words.collect();
        let said = Said::by(place.mcve(&words).env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done);
        assert!(!said.stdout.contains("shortcut-closed"), "{}", said.stdout);
    }
    assert_eq!(place.read("there.rs"), place.read("small.rs"));
    let sent = place.read("one");
    let runs: Vec<&str> = sent.lines().filter(|line| line.starts_with("{\"run\"")).collect();
    assert!(runs.len() >= 20, "{sent}");
    assert!(runs[0].contains("\"path\":\"/nowhere/deps/libdep.rlib\""), "{}", runs[0]);
}
