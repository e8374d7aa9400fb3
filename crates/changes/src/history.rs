//! A git history between a good and a bad commit, and the search for the first bad one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use mcve_dd::outcome::Outcome;
use mcve_reduce::exec::git::{Git, GitError};
use mcve_reduce::program::{File, FileKind};
use mcve_reduce::program::{Files, path_of};

/// An error in a history; [`Display`](std::fmt::Display) describes it.
#[derive(Debug)]
pub enum HistoryError {
    /// Git failed.
    Git(GitError),
    /// The range cannot be searched, with the reason.
    Range(String),
}

impl std::fmt::Display for HistoryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Git(error) => error.fmt(f),
            Self::Range(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for HistoryError {}

impl From<GitError> for HistoryError {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

/// The name of a commit: its hash.
pub type Commit = String;

/// The history between two commits. It is never changed.
#[derive(Debug)]
pub struct History {
    git: Git,
    first_parent: bool,
    /// The good end.
    pub good: Commit,
    /// The bad end.
    pub bad: Commit,
    /// The cache of blob contents.
    blobs: HashMap<String, Arc<[u8]>>,
}

impl History {
    /// The history of `range` in the repository of `git`: `GOOD..BAD`, where a missing end stands for `HEAD`.
    /// With `first_parent`, a merge counts as one change.
    ///
    /// # Errors
    /// When there is no repository, a commit does not exist, or the first one is not an ancestor of the second.
    pub fn new(git: Git, range: &str, first_parent: bool) -> Result<Self, HistoryError> {
        let is_shallow = git.lines(["rev-parse", "--is-shallow-repository"])?.concat() == "true";
        let hint = if is_shallow { "; this is a shallow clone, see `git fetch --unshallow`" } else { "" };
        let refused = |why: String| HistoryError::Range(format!("{why}{hint}"));
        let ends = range.split_once("..").filter(|(_, bad)| !bad.starts_with('.'));
        let (good, bad) = ends.ok_or_else(|| HistoryError::Range(format!("`{range}` is no range GOOD..BAD")))?;
        let commit = |name: &str| {
            let name = if name.is_empty() { "HEAD" } else { name };
            let asked =
                git.lines(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")]);
            asked.map(|lines| lines.concat()).map_err(|_| refused(format!("there is no commit `{name}`")))
        };
        let history = Self { first_parent, good: commit(good)?, bad: commit(bad)?, git, blobs: HashMap::new() };
        if history.good == history.bad {
            return Err(HistoryError::Range(format!("there is no commit in {range}: both ends are the same")));
        }
        if history.is_ancestor(&history.bad, &history.good) {
            let why = format!("there is no commit in {range}: the bad end comes before the good one");
            return Err(HistoryError::Range(why));
        }
        if !history.is_ancestor(&history.good, &history.bad) {
            let base = history.git.lines(["merge-base", &history.good, &history.bad]).unwrap_or_default();
            let other =
                base.first().map_or(String::new(), |base| format!("; both come from {}", &base[..12.min(base.len())]));
            return Err(refused(format!("`{good}` is no ancestor of `{bad}`{other}")));
        }
        Ok(history)
    }

    /// The number of commits that may be the first bad one.
    pub fn commits(&self) -> Result<usize, GitError> {
        Ok(self.git.lines(self.list("--topo-order", &self.bad, [&self.good]))?.len())
    }

    /// Whether the worktree has uncommitted changes. They are ignored.
    pub fn is_dirty(&self) -> bool {
        self.git.is_dirty()
    }

    /// Whether `one` is `other` or an ancestor of it.
    pub fn is_ancestor(&self, one: &str, other: &str) -> bool {
        self.git.ask(["merge-base", "--is-ancestor", one, other]).is_ok()
    }

    /// A short description of a commit: its abbreviated hash and its subject.
    pub fn describe(&self, commit: &str) -> Result<String, GitError> {
        Ok(self.git.lines(["log", "-1", "--no-show-signature", "--no-color", "--format=%h %s", commit])?.concat())
    }

    /// The parents of a commit, in order.
    pub fn parents(&self, commit: &str) -> Result<Vec<Commit>, GitError> {
        let told = self.git.lines(["rev-list", "--parents", "-n1", commit])?.concat();
        let parents = told.split(' ').skip(1).map(str::to_owned);
        Ok(if self.first_parent { parents.take(1).collect() } else { parents.collect() })
    }

    /// The files of a commit as git stores them, without filters. Submodules are omitted.
    pub fn files(&mut self, commit: &str) -> Result<Files, GitError> {
        let told = self.git.ask(["ls-tree", "-r", "-z", "--full-tree", commit])?;
        let mut entries: Vec<(FileKind, String, PathBuf)> = Vec::new();
        for entry in told.split(|&byte| byte == 0) {
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else { continue };
            let about = String::from_utf8_lossy(&entry[..tab]);
            let mut words = about.split(' ');
            let kind = match words.next() {
                Some("120000") => FileKind::Link,
                Some("100755") => FileKind::Executable,
                Some("160000") => continue,
                _ => FileKind::Plain,
            };
            let blob = words.nth(1).ok_or_else(|| GitError::Said(format!("an unknown entry of a tree: {about}")))?;
            entries.push((kind, blob.to_owned(), path_of(&entry[tab + 1..])));
        }
        self.fetch(entries.iter().map(|(_, blob, _)| blob.as_str()))?;
        let file = |(kind, blob, path): (FileKind, String, PathBuf)| {
            let bytes = self.blobs.get(&blob).map(Arc::clone);
            bytes
                .map(|bytes| (path, File { kind, bytes }))
                .ok_or_else(|| GitError::Said(format!("there is no blob {blob}")))
        };
        let files: Result<BTreeMap<_, _>, _> = entries.into_iter().map(file).collect();
        Ok(Files { files: files? })
    }

    /// Reads blobs that are not cached yet.
    fn fetch<'a>(&mut self, blobs: impl Iterator<Item = &'a str>) -> Result<(), GitError> {
        let wanted: BTreeSet<&str> = blobs.filter(|blob| !self.blobs.contains_key(*blob)).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let names: String = wanted.iter().map(|name| format!("{name}\n")).collect();
        let told = self.git.ask_about(["cat-file", "--batch"], names.as_bytes())?;
        let mut rest = &told[..];
        for name in wanted {
            let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let head = String::from_utf8_lossy(&rest[..line]);
            let size = head.strip_prefix(name).and_then(|about| about.strip_prefix(" blob ")?.parse::<usize>().ok());
            let bytes = size.and_then(|size| rest.get(line + 1..line + 1 + size));
            let bytes = bytes.ok_or_else(|| GitError::Said(format!("{head}")))?;
            self.blobs.insert(name.to_owned(), Arc::from(bytes));
            rest = rest.get(line + 2 + bytes.len()..).unwrap_or_default();
        }
        Ok(())
    }

    /// The arguments of `git rev-list` for the commits that the bad commit contains and none of the good ones does.
    fn list<'a>(&self, order: &str, bad: &str, goods: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        let mut words = vec!["rev-list".to_owned(), order.to_owned(), bad.to_owned()];
        words.extend(goods.into_iter().map(|good| format!("^{good}")));
        if self.first_parent {
            words.insert(1, "--first-parent".to_owned());
        }
        words
    }
}

/// The search for the first bad commit by bisection, like `git bisect`: the next commit to test is the one
/// with the most information for both outcomes.
#[derive(Debug)]
pub struct Bisection {
    goods: Vec<Commit>,
    bad: Commit,
    skipped: BTreeSet<Commit>,
    /// The number of commits skipped in a row.
    in_a_row: u32,
}

/// The result of a bisection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstBad {
    /// The first commit that is known to be bad.
    pub bad: Commit,
    /// The untestable commits before it, any of which may be the first bad one.
    pub untestable: Vec<Commit>,
    /// The good commits, in the order in which they were found.
    pub goods: Vec<Commit>,
}

impl Bisection {
    /// Begins with the ends of the history, which count as tested.
    pub fn new(history: &History) -> Self {
        let (goods, bad) = (vec![history.good.clone()], history.bad.clone());
        Self { goods, bad, skipped: BTreeSet::new(), in_a_row: 0 }
    }

    /// The next commit to test and the number of candidates for the first bad commit, or the result.
    pub fn next(&self, history: &History) -> Result<Result<(Commit, usize), FirstBad>, GitError> {
        // Sorted by distance to the middle, the nearest first.
        let told = history.git.lines(history.list("--bisect-all", &self.bad, &self.goods))?;
        let left: Vec<Commit> = told.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
        let is_open = |commit: &&Commit| **commit != self.bad && !self.skipped.contains(*commit);
        let open: Vec<&Commit> = left.iter().filter(is_open).collect();
        if open.is_empty() {
            let untestable = left.iter().filter(|commit| **commit != self.bad).cloned().collect();
            return Ok(Err(FirstBad { bad: self.bad.clone(), untestable, goods: self.goods.clone() }));
        }
        // Several may be equally near; git's own choice among them is used.
        let best = history.git.lines(history.list("--bisect", &self.bad, &self.goods))?.concat();
        let next = match open.iter().find(|commit| ***commit == best).filter(|_| self.in_a_row == 0) {
            Some(best) => best,
            None => open[spread(self.in_a_row, open.len())],
        };
        Ok(Ok((next.clone(), left.len())))
    }

    /// Records the outcome of a test of a commit.
    pub fn learn(&mut self, commit: Commit, outcome: Outcome) {
        self.in_a_row = if outcome == Outcome::Unresolved { self.in_a_row + 1 } else { 0 };
        match outcome {
            Outcome::Pass => self.goods.push(commit),
            Outcome::Fail => self.bad = commit,
            Outcome::Unresolved => _ = self.skipped.insert(commit),
        }
    }
}

/// The index among `count` commits of the next one to test after several untestable ones in a row. The first is the
/// best, but if it does not build, its neighbours may not either, so the next one is further away, by varying
/// distances.
fn spread(in_a_row: u32, count: usize) -> usize {
    // The van der Corput sequence, 0, 1/2, 1/4, 3/4, ..: the bits after the point are the reversed bits of the number.
    let fraction = f64::from(in_a_row.reverse_bits()) / 2f64.powi(32);
    // Squared, so that better commits are chosen sooner.
    ((fraction * fraction * count as f64) as usize).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_commit_is_taken_unless_it_cannot_be_tested() {
        assert_eq!((0..6).map(|skips| spread(skips, 100)).collect::<Vec<_>>(), [0, 25, 6, 56, 1, 39]);
        assert_eq!((0..4).map(|skips| spread(skips, 1)).collect::<Vec<_>>(), [0; 4]);
    }
}
