//! Isolates the change between two texts with a closure as the test: the `ChangeDebugger` of *The Debugging Book* (chapter
//! *Isolating Failure-Inducing Changes*).

use std::fmt;
use std::path::PathBuf;

use similar::TextDiff;

use super::pair::{Grain, Pair};
use mcve_dd::general::{Mode, dd};
use mcve_dd::{Debugger, Isolated, Precondition, Report};
use mcve_reduce::program::File;

/// A version that passes, one that fails, and the changes between them.
///
/// ```
/// use mcve_changes::debugger::ChangeDebugger;
/// use mcve_changes::pair::Grain;
/// use mcve_dd::Outcome;
///
/// let passing = "width = 8\ndepth = 2\ncolour = red\n";
/// let failing = "width = 9\ndepth = 2\ncolour = blue\n";
/// let debugger = ChangeDebugger::new(passing, failing, Grain::Hunks);
/// assert_eq!(debugger.patches().len(), 2);
/// let found = debugger.min_patches(|text: &str| Outcome::fail_if(text.contains("blue")))?;
/// let [patch] = &found.difference[..] else { panic!("one change is to blame") };
/// assert!(patch.to_string().ends_with("@@ -1,3 +1,3 @@\n width = 8\n depth = 2\n-colour = red\n+colour = blue\n"));
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
pub struct ChangeDebugger {
    pair: Pair,
    patches: Vec<Patch>,
}

/// A change that can be applied alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Its place among the [patches](ChangeDebugger::patches).
    index: usize,
    /// What it changes in the passing version.
    diff: String,
    /// The removed text.
    pub removed: String,
    /// The text in its place.
    pub added: String,
}

/// Two sets of patches and their difference, of which none can be moved to either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinPatches {
    /// The passing version still passes with these.
    pub passing: Vec<Patch>,
    /// The passing version fails with these.
    pub failing: Vec<Patch>,
    /// The patches that only `failing` has.
    pub difference: Vec<Patch>,
}

impl ChangeDebugger {
    /// Compares two versions.
    pub fn new(passing: &str, failing: &str, grain: Grain) -> Self {
        // Syntax nodes are for Rust.
        let file = |text: &str| Some((PathBuf::from("version.rs"), File::plain(text.as_bytes())));
        let pair = Pair::new(file(passing), file(failing), grain);
        let patch = |(index, piece): (usize, &super::piece::Piece)| Patch {
            index,
            diff: TextDiff::from_lines(passing, applied(&pair, [index]))
                .unified_diff()
                .header("a/version.rs", "b/version.rs")
                .to_string(),
            removed: passing[piece.old.clone()].to_owned(),
            added: failing[piece.new.clone()].to_owned(),
        };
        let patches = pair.pieces.iter().enumerate().map(patch).collect();
        Self { pair, patches }
    }

    /// All patches, in the order of the text.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// The passing version with these patches.
    pub fn apply(&self, patches: &[Patch]) -> String {
        applied(&self.pair, patches.iter().map(|patch| patch.index))
    }

    /// The failure-inducing difference, by general delta debugging over the patches. Use [`mcve_dd::same_panic`] in `test` for a
    /// function that panics.
    ///
    /// # Errors
    /// [`NotPassing`](Precondition::NotPassing) when the passing version does not pass,
    /// [`NotFailing`](Precondition::NotFailing) or [`Unresolved`](Precondition::Unresolved) when the failing one does not fail.
    pub fn min_patches<R: Into<Report>>(&self, mut test: impl FnMut(&str) -> R) -> Result<MinPatches, Precondition> {
        let all: Vec<usize> = (0..self.patches.len()).collect();
        let mut debugger =
            Debugger::new(all, |patches: &Vec<usize>| test(&applied(&self.pair, patches.iter().copied())).into());
        let Isolated { passing, failing, difference } =
            debugger.isolate_with(|start, arrangement, tester| dd(start, Mode::Isolate, arrangement, tester))?;
        let [passing, failing, difference] = [passing, failing, difference]
            .map(|indices| indices.into_iter().map(|index| self.patches[index].clone()).collect());
        Ok(MinPatches { passing, failing, difference })
    }
}

/// The passing version with the pieces of these numbers.
fn applied(pair: &Pair, pieces: impl IntoIterator<Item = usize>) -> String {
    let mut on = vec![false; pair.pieces.len()];
    pieces.into_iter().for_each(|index| on[index] = true);
    let mixed = pair.mixed(false, false, &on);
    mixed.map_or_else(String::new, |(_, file)| String::from_utf8_lossy(&file.bytes).into_owned())
}

/// A unified diff for `git apply`, with the context that the passing version has.
impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_dd::Outcome;

    #[test]
    fn a_character_is_to_blame() {
        let debugger = ChangeDebugger::new("f(a, 1);\n", "g(a, 2);\n", Grain::Characters);
        let found = debugger.min_patches(|text: &str| Outcome::fail_if(text.contains('2'))).expect("it fails");
        assert_eq!(debugger.apply(&found.failing), "f(a, 2);\n");
        assert_eq!(found.difference.iter().map(|it| (&*it.removed, &*it.added)).collect::<Vec<_>>(), [("1", "2")]);
        assert_eq!(debugger.apply(&found.passing), "f(a, 1);\n");
    }

    #[test]
    fn both_versions_have_to_be_right() {
        let debugger = ChangeDebugger::new("a\n", "b\n", Grain::Lines);
        assert_eq!(debugger.min_patches(|_: &str| Outcome::Fail), Err(Precondition::NotPassing));
        assert_eq!(debugger.min_patches(|_: &str| Outcome::Pass), Err(Precondition::NotFailing));
    }
}
