//! `docs/changes.md`: its commands are run, and what it shows is what they print.

use std::path::Path;

use mcve_testing::Said;

use super::git::{place, settle};

/// A block of the document behind a fence: the language, and the range of lines.
fn blocks(lines: &[&str]) -> Vec<(String, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            match open.take() {
                Some((language, start)) => found.push((language, start..number)),
                None => open = Some((language.to_owned(), number + 1)),
            }
        }
    }
    found
}

/// What does not differ between runs and machines.
fn settled(text: &str) -> String {
    let line = |line: &str| if line.starts_with("  time ") { "  time     ..".to_owned() } else { line.to_owned() };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_walk_through_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = root.join("docs/changes.md");
    let text = std::fs::read_to_string(&document).expect("it is there");
    let place = place();
    for name in ["good.rs", "bad.rs", "history.sh"] {
        let bytes = std::fs::read(root.join("docs/changes").join(name)).expect("it is there");
        place.write(format!("docs/changes/{name}"), bytes);
    }
    let input = "corpus/ice-mir-statement/input.rs";
    place.write(input, std::fs::read(root.join(input)).expect("it is there"));
    let binary = Path::new(env!("CARGO_BIN_EXE_mcve")).parent().expect("it is in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = [binary.to_owned()].into_iter().chain(std::env::split_paths(&others));
    let path = std::env::join_paths(path).expect("there is no colon in it");

    let lines: Vec<&str> = text.lines().collect();
    let mut renewed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let all = blocks(&lines);
    let mut shown = 0;
    // From the first to the last, as each may need what those before it did; lines are put in their place from the back.
    let mut outputs = Vec::new();
    for (at, (language, range)) in all.iter().enumerate().filter(|(_, (language, _))| language == "sh") {
        let script = lines[range.clone()].join("\n");
        let mut shell = place.command("sh");
        shell.args(["-c", &format!("exec 2>&1\n{script}")]).env("PATH", &path);
        let said = Said::by(settle(&place, &mut shell, ""));
        let printed = said.stdout;
        assert!(said.status.success(), "{language}: {script}\n{printed}");
        match all.get(at + 1) {
            Some((language, expected)) if language == "text" || language == "diff" => {
                let expected_text = lines[expected.clone()].join("\n");
                if std::env::var_os("MCVE_BLESS").is_none() {
                    let hint = "renew it by MCVE_BLESS=1 cargo test --test it changes";
                    assert_eq!(settled(&printed), settled(&expected_text), "{hint}\n{script}");
                }
                outputs.push((expected.clone(), printed));
                shown += 1;
            }
            _ => assert_eq!(printed, "", "{script}"),
        }
    }
    assert!(shown >= 4, "the document shows what the commands print");
    if std::env::var_os("MCVE_BLESS").is_some() {
        for (range, printed) in outputs.into_iter().rev() {
            renewed.splice(range, printed.trim_end().lines().map(str::to_owned));
        }
        std::fs::write(&document, renewed.join("\n") + "\n").expect("it can be written");
    }
}
