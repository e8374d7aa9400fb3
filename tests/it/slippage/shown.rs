//! Reads which failure rustc shows first, by rules of its own: not those of mcve, which these tests hold to account.
//!
//! The order of what rustc writes tells what comes first, and its JSON tells what the compiler says from what a program
//! makes it print.

use std::collections::BTreeSet;

use serde_json::Value;

/// A failure as rustc shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shown {
    /// Where in the compiler, from `compiler/` on; empty where it is not said.
    pub(crate) place: String,
    /// The words: code and message, or what LLVM says.
    pub(crate) words: String,
    /// The return addresses that recur where the stack overflows.
    pub(crate) frames: BTreeSet<String>,
}

/// The first crash in what rustc writes under `--error-format=json`; none if it only finds errors in the program.
pub(crate) fn first_crash(stderr: &str) -> Option<Shown> {
    let lines: Vec<&str> = stderr.lines().collect();
    let plain = |text: &str| lines.iter().position(|line| line.starts_with(text));
    let bugs = || lines.iter().filter_map(|line| bug(line));
    if let Some(at) = lines.iter().position(|line| line.starts_with("thread '") && line.contains(" panicked at ")) {
        let place = from_root(lines[at].rsplit(' ').next().expect("a line has a last word")).trim_end_matches(':');
        let words = match lines[at + 1] {
            said if said.starts_with("Box<dyn Any>") || said.starts_with("aborting due to `-Z") => {
                bugs().next().expect("a `bug!` has a diagnostic").words
            }
            said => said.to_owned(),
        };
        return Some(Shown { place: place.to_owned(), words, ..Shown::default() });
    }
    if plain("note: rustc unexpectedly overflowed its stack").is_some() {
        let cycle = lines.iter().skip_while(|line| !line.starts_with("### cycle encountered")).skip(1);
        let frames = cycle.take_while(|line| !line.starts_with('#')).filter_map(|line| line.split(['(', ')']).nth(1));
        let words = "rustc unexpectedly overflowed its stack".to_owned();
        return Some(Shown { words, frames: frames.map(str::to_owned).collect(), ..Shown::default() });
    }
    if let Some(at) = plain("rustc-LLVM ERROR: ") {
        // The verifier says what is broken before, the first fault first.
        let first = lines[..=at].iter().find(|line| !line.starts_with('{') && !line.is_empty());
        let words = format!("{} {}", first.expect("there is that line"), lines[at]);
        return Some(Shown { words, ..Shown::default() });
    }
    bugs().next()
}

/// The diagnostic in a line, if the compiler blames itself in it. A delayed bug says in its last note where it was noticed.
fn bug(line: &str) -> Option<Shown> {
    let diagnostic: Value = line.starts_with('{').then(|| serde_json::from_str(line).expect("it is JSON"))?;
    (diagnostic["level"] == "error: internal compiler error").then_some(())?;
    let code = diagnostic["code"]["code"].as_str().map_or_else(String::new, |code| format!("[{code}]: "));
    let words = code + diagnostic["message"].as_str().expect("a message is a text");
    let notes = diagnostic["children"].as_array().expect("there is a list").iter().rev();
    let mut notes = notes.filter_map(|note| note["message"].as_str()?.strip_prefix("delayed at "));
    let place = notes.next().and_then(|note| note.split(' ').next()).map_or("", from_root);
    Some(Shown { place: place.to_owned(), words, ..Shown::default() })
}

/// A place without the folder that the compiler was built in.
fn from_root(place: &str) -> &str {
    place.find("compiler/").map_or(place, |at| &place[at..])
}

#[test]
fn what_the_program_says_is_no_crash() {
    let error = r#"{"message":"thread 'rustc' panicked at compiler/a.rs:1:2:","level":"error","children":[]}"#;
    assert_eq!(first_crash(error), None);
    let bug = r#"{"message":"it broke","code":null,"level":"error: internal compiler error","children":[{"message":"delayed at /x/compiler/a.rs:1:2 - disabled"}]}"#;
    let place = |place: &str| Shown { place: place.into(), words: "it broke".into(), ..Shown::default() };
    assert_eq!(first_crash(bug), Some(place("compiler/a.rs:1:2")));
    let panic = "thread 'rustc' (12) panicked at /x/compiler/b.rs:1:2:\nit broke\n";
    assert_eq!(first_crash(&format!("{error}\n{bug}\n{panic}")), Some(place("compiler/b.rs:1:2")));
}
