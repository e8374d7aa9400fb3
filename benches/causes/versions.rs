// bug: versions are compared as texts, where `9` is above `10`, so a list in the right order is refused.
// run: main
// fails: exit status: 2
// fixed: pair[0] > pair[1] => (pair[0].len(), pair[0]) > (pair[1].len(), pair[1])
// keeps: "\d\d+"
// keeps: [\w\])]>[\w&*]|[\])]<[\w&*]|cmp\(
use std::collections::HashSet;
use std::process::exit;

struct Release {
    version: &'static str,
    notes: &'static str,
}

fn verify(releases: &[Release]) {
    let mut seen = HashSet::new();
    for release in releases {
        let is_number = release.version.chars().all(|c| c.is_ascii_digit());
        if !is_number || release.notes.is_empty() || !seen.insert(release.version) {
            eprintln!("the list of releases is broken");
            exit(2);
        }
    }
    let versions: Vec<&str> = releases.iter().map(|release| release.version).collect();
    for pair in versions.windows(2) {
        if pair[0] > pair[1] {
            eprintln!("the list of releases is broken");
            exit(2);
        }
    }
}

fn main() {
    let old = [Release { version: "7", notes: "first" }, Release { version: "8", notes: "faster" }];
    verify(&old);
    let new = [Release { version: "9", notes: "smaller" }, Release { version: "10", notes: "in colour" }];
    verify(&new);
    println!("{} releases", old.len() + new.len());
}
