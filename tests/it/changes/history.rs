//! Histories of git that the tests make.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;
use mcve_testing::shell::MCVE_PID;

use super::git::{applies, changes, commit, git, place};

const NEEDLE: &str = "grep -rq needle \"$1\"";

/// A repository in `r` whose commits are numbered from 1, each of which appends a line to a few files; the one of number
/// `bad` changes much, a line of `f3` is to blame.
fn history(commits: usize, bad: usize) -> TestFolder {
    let place = place();
    std::fs::create_dir(place.path("r")).expect("it can be made");
    git(&place, "r", &["init", "--quiet", "--initial-branch=main"]);
    let mut texts = vec![String::new(); 6];
    for number in 1..=commits {
        for (file, text) in texts.iter_mut().enumerate() {
            text.push_str(&format!("{number} of {file}\n"));
            if number == bad && file != 5 {
                let added: Vec<String> = (0..60).map(|line| format!("new {line}")).collect();
                *text = format!("first\n{text}{}\n", added.join("\n")).replace("5 of", "five of");
                *text = if file == 3 { text.replace("new 33\n", "new 33\nneedle\n") } else { text.clone() };
            }
            let name = if number >= bad && file == 5 { "renamed".to_owned() } else { format!("f{file}") };
            place.write(format!("r/{name}"), &*text);
        }
        if number == bad {
            std::fs::remove_file(place.path("r/f5")).expect("it is there");
        }
        commit(&place, "r", &format!("commit {number}"));
    }
    place
}

/// All that a user can see of a repository.
fn state(place: &TestFolder) -> Vec<String> {
    let asked: [&[&str]; 5] = [
        &["status", "--porcelain", "--branch"],
        &["for-each-ref"],
        &["worktree", "list", "--porcelain"],
        &["reflog"],
        &["count-objects", "-v"],
    ];
    let mut state: Vec<String> = asked.iter().map(|words| git(place, "r", words)).collect();
    let index = std::fs::read(place.path("r/.git/index")).expect("it is there");
    state.push(format!("{index:?}"));
    let mut inside: Vec<_> = std::fs::read_dir(place.path("r/.git"))
        .expect("it is there")
        .map(|entry| entry.expect("it is").path())
        .collect();
    inside.sort();
    state.push(format!("{inside:?}"));
    state
}

#[test]
fn a_line_of_a_large_commit_among_60_is_found() {
    let place = history(60, 37);
    // What is not committed stays so.
    place.write("r/f1", "not committed\n");
    place.write("r/new", "needle\n");
    let before = state(&place);
    let args = ["--git", "HEAD~59..", "-o", "../p", "--test", NEEDLE];
    let (_, told) = changes(&place, "r", &args, Exit::Done);
    assert_eq!(state(&place), before);
    assert_eq!(place.read("r/f1"), "not committed\n");
    for words in [
        "warning: changes that are not committed are not looked at",
        "history: 59 commits",
        "commit 37, 12 checks",
        "files: 6 -> 1, 15 checks",
        "-> +1 -0",
        "commit 36, which fails with it",
    ] {
        assert!(told.contains(words), "no {words} in: {told}");
    }
    let checks = told.lines().find_map(|line| line.trim().strip_prefix("checks   ")?.split(' ').next()?.parse().ok());
    assert!(checks.is_some_and(|checks: usize| checks <= 27), "{told}");
    let patch = place.read("p");
    assert_eq!(patch.lines().filter(|line| line.starts_with('+')).collect::<Vec<_>>(), ["+++ b/f3", "+needle"]);
    git(&place, "r", &["checkout", "--quiet", "--force", "HEAD~24"]);
    applies(&place, "r", &[], &place.path("p"));
}

/// The chapter's history of eight versions, of which the second is the first bad one.
#[test]
fn the_versions_4_3_and_2_of_the_debugging_book_are_tested() {
    let place = history(8, 2);
    let (_, told) = changes(&place, "r", &["-v", "--git", "HEAD~7..HEAD", "--test", NEEDLE], Exit::Done);
    let tested: Vec<&str> = told.lines().filter(|line| line.starts_with("  bad (")).collect();
    assert_eq!(tested.len(), 3, "{told}");
    assert!(
        ["commit 4", "commit 3", "commit 2"].iter().zip(&tested).all(|(commit, line)| line.ends_with(commit)),
        "{told}"
    );
    assert!(!told.contains("  good ("), "{told}");
}

#[test]
fn an_interrupt_leaves_nothing() {
    let place = history(20, 15);
    let before = state(&place);
    let script =
        format!("grep -q '^10 of' f0 && ! grep -q '^12 of' f0 && {{ kill -INT {MCVE_PID}; sleep 1000; }}; {NEEDLE}");
    let args = ["--git", "HEAD~19..HEAD", "--sandbox", "off", "--test", &script];
    let (patch, told) = changes(&place, "r", &args, Exit::Interrupted);
    assert!(told.contains("interrupted before there was a result") && patch.is_empty(), "{told}");
    assert_eq!(state(&place), before);
}

#[test]
fn commits_that_cannot_be_tested_are_skipped() {
    let place = history(20, 15);
    let script = format!("grep -Eq '^(10|11|12) of 0' f0 && ! grep -q '^13 of' f0 && exit 125; {NEEDLE}");
    let (_, told) = changes(&place, "r", &["-v", "--git", "HEAD~19..HEAD", "--test", &script], Exit::Done);
    assert!(told.contains("skipped (the script cannot say)"), "{told}");
    assert!(told.contains("first bad commit:") && told.contains(" commit 15, "), "{told}");
}

#[test]
fn what_hides_behind_commits_that_cannot_be_tested_is_told() {
    let place = history(12, 8);
    let script = format!("grep -Eq '^(7|8) of 0' f0 && ! grep -q '^9 of' f0 && exit 125; {NEEDLE}");
    let (patch, told) = changes(&place, "r", &["--git", "HEAD~11..HEAD", "--test", &script], Exit::Done);
    assert!(told.contains("commit 9, ") && told.contains("or one of 2 commits before it"), "{told}");
    assert!(told.contains("compared with:") && told.contains("commit 6"), "{told}");
    assert!(patch.contains("+needle"), "{patch}");
}

/// A side branch that begins before the good commit brings the failure in only together with the main one.
#[test]
fn a_merge_is_compared_with_its_first_good_parent() {
    let place = history(4, 99);
    git(&place, "r", &["checkout", "--quiet", "-b", "side", "HEAD~2"]);
    for name in ["side", "other"] {
        place.write(format!("r/{name}"), "side\n");
        commit(&place, "r", name);
    }
    git(&place, "r", &["checkout", "--quiet", "main"]);
    place.write("r/main", "main\n");
    commit(&place, "r", "on main");
    git(&place, "r", &["merge", "--quiet", "--no-edit", "side"]);
    place.write("r/behind", "behind\n");
    commit(&place, "r", "behind the merge");
    let both = "[ -e side ] && [ -e main ]";
    for more in [&[][..], &["--first-parent"]] {
        let args = [&["--git", "HEAD~4..HEAD", "-o", "../p", "--test", both], more].concat();
        let (_, told) = changes(&place, "r", &args, Exit::Done);
        assert!(told.contains("Merge branch 'side'") && told.contains("on main"), "{told}");
        assert!(place.read("p").contains("+++ b/side"), "{}", place.read("p"));
    }
    // By the history of the side branch alone, its own first commit is to blame.
    let (_, told) = changes(&place, "r", &["--git", "main~4..HEAD", "--test", "[ -e side ]"], Exit::Done);
    assert!(told.contains(" side, "), "{told}");
}

#[test]
fn a_range_that_cannot_be_searched_is_told() {
    let place = history(6, 3);
    git(&place, "r", &["checkout", "--quiet", "-b", "other", "HEAD~3"]);
    commit(&place, "r", "elsewhere");
    git(&place, "r", &["checkout", "--quiet", "main"]);
    std::fs::create_dir(place.path("no repository")).expect("it can be made");
    let clone = place.path("r").display().to_string();
    git(&place, "", &["clone", "--quiet", "--depth=2", &format!("file://{clone}"), "shallow"]);
    let cases = [
        ("r", "HEAD..HEAD", Exit::Input, "both ends are the same"),
        ("r", "HEAD..HEAD~2", Exit::Input, "the bad end comes before the good one"),
        ("r", "other..main", Exit::Input, "`other` is no ancestor of `main`; both come from"),
        ("r", "nowhere..main", Exit::Input, "there is no commit `nowhere`"),
        ("r", "main", Exit::Input, "`main` is no range GOOD..BAD"),
        ("r", "main...other", Exit::Input, "is no range"),
        ("no repository", "a..b", Exit::Input, "not a git repository"),
        ("shallow", "HEAD~4..HEAD", Exit::Input, "git fetch --unshallow"),
        ("r", "HEAD~1..HEAD", Exit::NotFailing, "fails as well"),
        ("r", "HEAD~5..HEAD~4", Exit::NotFailing, "does not fail"),
    ];
    for (at, range, exit, words) in cases {
        let (_, told) = changes(&place, at, &["--git", range, "--test", NEEDLE], exit);
        assert!(told.contains(words), "no {words} for {range} in: {told}");
    }
}

/// Programs that a repository names in its configuration and attributes never run.
#[test]
fn what_a_repository_would_have_git_run_does_not_run() {
    let place = place();
    std::fs::create_dir(place.path("r")).expect("it can be made");
    git(&place, "r", &["init", "--quiet", "--initial-branch=main"]);
    for (number, text) in ["\"\"", "1", "\"\""].into_iter().enumerate() {
        place.write("r/a.rs", format!("fn main() {{ let x: u8 = {text}; }}\n"));
        commit(&place, "r", &number.to_string());
    }
    let evil = place.write_script("evil.sh", "#!/bin/sh\necho \"$@\" >> $PLACE/ran\ncat\n");
    let evil = evil.to_str().expect("it is text");
    for hook in ["post-checkout", "post-index-change", "reference-transaction"] {
        std::fs::create_dir_all(place.path("hooks")).expect("it can be made");
        std::fs::copy(place.path("evil.sh"), place.path("hooks").join(hook)).expect("it can be copied");
    }
    let settings = ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.alternateRefsCommand"];
    let filters =
        ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.external", "diff.evil.textconv"];
    for name in settings.into_iter().chain(filters).chain(["gpg.program", "core.gitProxy", "credential.helper"]) {
        git(&place, "r", &["config", name, evil]);
    }
    let hooks = place.path("hooks");
    git(&place, "r", &["config", "core.hooksPath", hooks.to_str().expect("it is text")]);
    git(&place, "r", &["config", "log.showSignature", "true"]);
    place.write("r/.git/info/attributes", "* filter=evil diff=evil\n");
    // git has to look into the file: its time has changed.
    place.write("r/a.rs", place.read("r/a.rs"));
    let _ = std::fs::remove_file(place.path("ran"));
    changes(&place, "r", &["--git", "HEAD~1..main", "--test", "grep -q '\"\"' a.rs"], Exit::Done);
    let mut command = place.mcve(&["a.rs", "--fixed", "HEAD~1", "-o", "../b.rs"]);
    mcve_testing::Said::by(super::git::settle(&place, &mut command, "r")).exits(Exit::Done);
    assert!(!place.path("ran").exists(), "{}", place.read("ran"));
    // In the user's own git they would have run.
    git(&place, "r", &["status"]);
    assert!(place.path("ran").exists());
}

#[test]
fn a_bare_repository_and_a_worktree_are_searched() {
    let place = history(6, 3);
    git(&place, "r", &["clone", "--quiet", "--bare", ".", "../bare"]);
    git(&place, "r", &["worktree", "add", "--quiet", "--detach", "../w", "main"]);
    for at in ["bare", "w", "w/.."] {
        let exit = if at == "w/.." { Exit::Input } else { Exit::Done };
        let (patch, _) = changes(&place, at, &["--git", "main~5..main", "--test", NEEDLE], exit);
        assert_eq!(patch.contains("+needle"), exit == Exit::Done, "{patch}");
    }
}
