//! A folder with a program of several files.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

/// The files of a program that lacks an impl, which takes pieces of three modules to see. The data has nothing to do with it.
pub(crate) const FILES: [(&str, &str); 9] = [
    (
        "src/lib.rs",
        "//! A crate.\nmod walk;\npub mod tools;\n#[path = \"odd/place.rs\"]\nmod place;\nmod shape {\n    pub mod inner;\n    pub fn outer() -> u8 { 3 }\n}\npub static TABLE: &str = include_str!(\"../data/table.txt\");\npub fn run() -> usize { walk::go(3) + tools::measure(TABLE) + place::here() + shape::outer() as usize }\n",
    ),
    (
        "src/walk.rs",
        "//! Walking.\nmod step;\nuse crate::tools::measure;\npub fn go(n: usize) -> usize { let mut k = 0; for i in 0..n { k += step::step(i) + measure(\"x\"); } k }\n",
    ),
    (
        "src/walk/step.rs",
        "use crate::shape::inner::{Marker, Shape};\npub fn step(i: usize) -> usize { let s = Shape { a: 1, b: 2 }; needs(&s); if i % 2 == 0 { i } else { s.area() as usize } }\nfn needs<T: Marker>(_: &T) {}\n",
    ),
    (
        "src/shape/inner.rs",
        "pub trait Marker { const NAME: &'static str = include_str!(\"../../data/name.txt\"); }\npub struct Shape { pub a: u8, pub b: u8 }\nimpl Shape { pub fn area(&self) -> u8 { self.a * self.b } }\nimpl Marker for u8 {}\n",
    ),
    (
        "src/tools.rs",
        "pub mod more;\npub fn measure(text: &str) -> usize { text.lines().filter(|line| !line.is_empty()).count() }\n",
    ),
    ("src/tools/more/mod.rs", "pub fn more() -> &'static [u8] { include_bytes!(\"../../../data/name.txt\") }\n"),
    ("src/odd/place.rs", "pub fn here() -> usize { line!() as usize }\n"),
    ("data/table.txt", "1 2\n3 4\n5 6\n"),
    ("data/name.txt", "name\n"),
];

/// A folder with these files.
pub(crate) fn place(files: &[(&str, &str)]) -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    // The files belong together.
    place.write(".git/HEAD", "");
    for (path, text) in files {
        place.write(path, text);
    }
    place
}

/// Reduces, tells events, and returns what was said. The command that is told at the end shows the failure `shows`.
#[track_caller]
pub(crate) fn reduce(place: &TestFolder, args: &[&str], shows: &str) -> Said {
    let said = place.run(args, Exit::Done);
    let line = said.see_it().unwrap_or_else(|| panic!("a command is told: {}", said.stderr));
    let by_hand = Said::by(place.command("sh").args(["-c", line]));
    assert!(by_hand.all().contains(shows), "{line}: {}", by_hand.all());
    said
}

/// How many checks were told at the end.
#[track_caller]
pub(crate) fn checks(said: &Said) -> usize {
    let summary = said.stderr.lines().find(|line| line.contains("1-minimal"));
    let checks =
        summary.and_then(|line| line.split(", ").find_map(|field| field.split(" checks").next()?.parse().ok()));
    checks.unwrap_or_else(|| panic!("checks are told: {}", said.stderr))
}
