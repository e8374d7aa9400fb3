//! All changes between two versions, as elements that can be applied independently.

use std::path::{Path, PathBuf};

use super::pair::{Grain, Pair};
use mcve_dd::keep_list::KeepList;
use mcve_reduce::program::{Files, collides};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The name of a pair.
    Name(usize),
    /// The executable bit of a pair.
    Mode(usize),
    /// A piece of a pair, both by index.
    Piece(usize, usize),
}

/// The changes from one version to another.
///
/// An element is usually one change. Changes that need each other form one element: the names of
/// files that take each other's place.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The unchanged files.
    base: Files,
    pairs: Vec<Pair>,
    elements: Vec<Vec<Change>>,
}

/// The changes cannot be applied together because two files would have the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

impl Changes {
    /// Compares two versions. `renames` has the old and new paths of renamed files.
    pub fn between(old: &Files, new: &Files, renames: &[(PathBuf, PathBuf)], grain: Grain) -> Self {
        let (mut base, mut pairs) = (Files::default(), Vec::new());
        let file = |version: &Files, path: &Path| Some((path.to_owned(), version.files.get(path)?.clone()));
        for (path, before) in &old.files {
            let renamed = renames.iter().find(|(from, _)| from == path).map(|(_, to)| to);
            // The new file at an old path may be another, renamed one.
            let taken = renames.iter().any(|(_, to)| to == path);
            let after = match renamed {
                Some(to) => file(new, to),
                None if taken => None,
                None => file(new, path),
            };
            if after.as_ref().is_some_and(|(to, after)| to == path && after == before) {
                base.files.insert(path.clone(), before.clone());
            } else {
                pairs.push(Pair::new(Some((path.clone(), before.clone())), after, grain));
            }
        }
        for path in new.files.keys() {
            let is_paired = renames.iter().any(|(_, to)| to == path)
                || old.files.contains_key(path) && !renames.iter().any(|(from, _)| from == path);
            if !is_paired {
                pairs.push(Pair::new(None, file(new, path), grain));
            }
        }
        pairs.sort_by(|one, other| place(one).cmp(&place(other)));
        let elements = elements(&pairs);
        Self { base, pairs, elements }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements of each file, in order. An element of several files belongs to the first.
    pub fn by_file(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        for (index, element) in self.elements.iter().enumerate() {
            let (Change::Name(pair) | Change::Mode(pair) | Change::Piece(pair, _)) = element[0];
            groups[pair].push(index);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// The elements, each with those inside it.
    pub fn by_piece(&self) -> Vec<Vec<usize>> {
        let (mut groups, mut last): (Vec<Vec<usize>>, _) = (Vec::new(), None);
        for (index, element) in self.elements.iter().enumerate() {
            let outermost = match element[0] {
                Change::Piece(pair, piece) => {
                    let inside = |&piece: &usize| self.pairs[pair].pieces[piece].inside;
                    std::iter::successors(Some(piece), inside).last().map(|piece| (pair, piece))
                }
                Change::Name(_) | Change::Mode(_) => None,
            };
            match groups.last_mut() {
                Some(group) if outermost.is_some() && outermost == last => group.push(index),
                _ => groups.push(vec![index]),
            }
            last = outermost;
        }
        groups
    }

    /// The old version with the kept elements applied.
    ///
    /// # Errors
    /// When they cannot be applied together.
    pub fn apply(&self, keep: &KeepList) -> Result<Files, Conflict> {
        let mut pieces: Vec<Vec<bool>> = self.pairs.iter().map(|pair| vec![false; pair.pieces.len()]).collect();
        let (mut named, mut moded) = (vec![false; self.pairs.len()], vec![false; self.pairs.len()]);
        for change in keep.kept().iter().flat_map(|&element| &self.elements[element]) {
            match *change {
                Change::Name(pair) => named[pair] = true,
                Change::Mode(pair) => moded[pair] = true,
                Change::Piece(pair, piece) => pieces[pair][piece] = true,
            }
        }
        let mixed: Vec<_> = (0..self.pairs.len())
            .filter_map(|pair| self.pairs[pair].mixed(named[pair], moded[pair], &pieces[pair]))
            .collect();
        if collides(self.base.files.keys().map(PathBuf::as_path).chain(mixed.iter().map(|(path, _)| *path))) {
            return Err(Conflict);
        }
        let mut files = self.base.clone();
        files.files.extend(mixed.into_iter().map(|(path, file)| (path.to_owned(), file)));
        Ok(files)
    }
}

/// The path that pairs are sorted by.
fn place(pair: &Pair) -> Option<&Path> {
    pair.new.as_ref().or(pair.old.as_ref()).map(|(path, _)| path.as_path())
}

/// One element for each change, but one for changes that need each other's place.
fn elements(pairs: &[Pair]) -> Vec<Vec<Change>> {
    let mut elements: Vec<Vec<Change>> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let name = pair.is_renamed().then_some(Change::Name(index));
        let mode = pair.changes_mode().then_some(Change::Mode(index));
        let pieces = (0..pair.pieces.len()).map(|piece| Change::Piece(index, piece));
        elements.extend(name.into_iter().chain(mode).chain(pieces).map(|change| vec![change]));
    }
    for (comer, goer) in needs(pairs) {
        let of = |pair: usize| {
            move |element: &Vec<Change>| {
                element.iter().any(|change| match *change {
                    Change::Name(other) => other == pair,
                    // A file that is added or removed as a whole has a single piece.
                    Change::Piece(other, _) => {
                        other == pair && !pairs[pair].is_renamed() && pairs[pair].pieces.len() == 1
                    }
                    Change::Mode(_) => false,
                })
            }
        };
        let (Some(one), Some(other)) = (elements.iter().position(of(comer)), elements.iter().position(of(goer))) else {
            continue;
        };
        if one != other {
            let moved = elements.remove(one.max(other));
            elements[one.min(other)].extend(moved);
        }
    }
    elements
}

/// Two file pairs each, where the first takes a path that the second has to leave.
fn needs(pairs: &[Pair]) -> Vec<(usize, usize)> {
    let left = |pair: &Pair| {
        pair.old.as_ref().filter(|_| pair.new.is_none() || pair.is_renamed()).map(|(path, _)| path.clone())
    };
    let taken = |pair: &Pair| {
        pair.new.as_ref().filter(|_| pair.old.is_none() || pair.is_renamed()).map(|(path, _)| path.clone())
    };
    let goers: Vec<(usize, PathBuf)> =
        pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, left(pair)?))).collect();
    let comers = pairs.iter().enumerate().filter_map(|(at, pair)| Some((at, taken(pair)?)));
    let collide = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
    comers
        .flat_map(|(comer, path)| {
            goers
                .iter()
                .filter(move |(goer, gone)| *goer != comer && collide(gone, &path))
                .map(move |(goer, _)| (comer, *goer))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(old: &[(&str, &str)], new: &[(&str, &str)], renames: &[(&str, &str)]) -> Changes {
        let renames: Vec<_> = renames.iter().map(|&(from, to)| (from.into(), to.into())).collect();
        let (old, new) = (Files::of_texts(old), Files::of_texts(new));
        let changes = Changes::between(&old, &new, &renames, Grain::Hunks);
        assert_eq!(changes.apply(&KeepList::empty(changes.len())), Ok(old), "nothing applied is the old version");
        assert_eq!(changes.apply(&KeepList::full(changes.len())), Ok(new), "all applied is the new version");
        changes
    }

    #[track_caller]
    fn check(changes: &Changes, kept: &[usize], expected: &[(&str, &str)]) {
        let applied = changes.apply(&KeepList::of(changes.len(), kept.to_vec()));
        assert_eq!(applied, Ok(Files::of_texts(expected)));
    }

    #[test]
    fn files_are_added_removed_and_changed_each_by_itself() {
        let changes = between(
            &[("a", "1\n2\n3\n"), ("b", "b\n"), ("same", "s\n")],
            &[("a", "x\n2\ny\n"), ("c/d", "c\n"), ("same", "s\n")],
            &[],
        );
        assert_eq!((changes.len(), changes.by_file()), (4, vec![vec![0, 1], vec![2], vec![3]]));
        check(&changes, &[1], &[("a", "1\n2\ny\n"), ("b", "b\n"), ("same", "s\n")]);
        check(&changes, &[0, 2], &[("a", "x\n2\n3\n"), ("same", "s\n")]);
        check(&changes, &[3], &[("a", "1\n2\n3\n"), ("b", "b\n"), ("c/d", "c\n"), ("same", "s\n")]);
    }

    #[test]
    fn the_hunks_of_a_renamed_file_follow_it() {
        let changes = between(&[("a", "1\n2\n")], &[("b", "1\nx\n")], &[("a", "b")]);
        assert_eq!(changes.len(), 2);
        check(&changes, &[0], &[("b", "1\n2\n")]);
        check(&changes, &[1], &[("a", "1\nx\n")]);
    }

    #[test]
    fn files_that_take_each_others_place_do_so_at_once() {
        let swap = between(&[("a", "1\n"), ("b", "2\n")], &[("a", "2\n"), ("b", "1\n")], &[("a", "b"), ("b", "a")]);
        assert_eq!(swap.len(), 1);
        let again = between(&[("a", "1\n")], &[("a", "new\n"), ("b", "1\n")], &[("a", "b")]);
        assert_eq!(again.len(), 1);
        let folder = between(&[("a", "1\n"), ("z", "1\n")], &[("a/b", "2\n"), ("z", "2\n")], &[]);
        assert_eq!(folder.len(), 2);
        check(&folder, &[1], &[("a", "1\n"), ("z", "2\n")]);
    }

    #[test]
    fn what_is_left_of_a_file_keeps_its_place() {
        let old = Files::of_texts(&[("a", "1\n2\n")]);
        let new = Files::of_texts(&[("a/b", "3\n4\n")]);
        let changes = Changes::between(&old, &new, &[], Grain::Fine);
        assert_eq!(changes.len(), 4);
        assert_eq!(changes.apply(&KeepList::of(4, vec![0, 2])), Err(Conflict));
        assert_eq!(changes.apply(&KeepList::full(4)), Ok(new));
    }
}
