//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! `stoker`: the core of a small incremental build system.
//!
//! A *target* is a named step with inputs, outputs and a command line. The
//! targets form a graph; the planner walks it under a *profile* (debug,
//! release, ...) and decides which steps have to run again because the
//! fingerprint of something below them has moved.

use std::fmt;

/// Small things that everybody needs.
#[macro_use]
pub mod util {
    use std::borrow::Cow;
    use std::collections::HashMap;

    /// An interned string: cheap to copy, compare and hash.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Name(u32);

    impl Name {
        /// The number behind the name, for use as an index.
        pub fn index(self) -> usize {
            self.0 as usize
        }
    }

    /// Owner of all interned strings.
    #[derive(Debug, Default)]
    pub struct Interner {
        map: HashMap<String, Name>,
        strings: Vec<String>,
    }

    impl Interner {
        pub fn new() -> Self {
            Self::default()
        }

        pub fn intern(&mut self, text: &str) -> Name {
            if let Some(&name) = self.map.get(text) {
                return name;
            }
            let name = Name(self.strings.len() as u32);
            self.strings.push(text.to_owned());
            self.map.insert(text.to_owned(), name);
            name
        }

        pub fn get(&self, text: &str) -> Option<Name> {
            self.map.get(text).copied()
        }

        pub fn resolve(&self, name: Name) -> &str {
            self.strings
                .get(name.index())
                .map(String::as_str)
                .unwrap_or("<unknown>")
        }

        pub fn len(&self) -> usize {
            self.strings.len()
        }

        pub fn is_empty(&self) -> bool {
            self.strings.is_empty()
        }
    }

    /// Collapses `.` and `..` and repeated slashes.
    ///
    /// Leaves the text alone (and borrows it) when there is nothing to do.
    pub fn clean_path(path: &str) -> Cow<'_, str> {
        let dirty = path.contains("//") || path.split('/').any(|part| part == "." || part == "..");
        if !dirty {
            return Cow::Borrowed(path);
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => match parts.last() {
                    Some(&last) if last != ".." => {
                        parts.pop();
                    }
                    _ => parts.push(".."),
                },
                other => parts.push(other),
            }
        }
        let joined = parts.join("/");
        if path.starts_with('/') {
            Cow::Owned(format!("/{joined}"))
        } else {
            Cow::Owned(joined)
        }
    }

    /// Something that can be switched on by its name on the command line.
    macro_rules! switches {
        ($(#[$meta:meta])* $vis:vis enum $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            $vis enum $name {
                $($variant),+
            }

            impl $name {
                /// All values, in the order of their declaration.
                pub const ALL: &'static [$name] = &[$($name::$variant),+];

                pub fn as_str(self) -> &'static str {
                    match self {
                        $($name::$variant => $text),+
                    }
                }
            }

            impl std::str::FromStr for $name {
                type Err = String;

                fn from_str(text: &str) -> Result<Self, String> {
                    match text {
                        $($text => Ok($name::$variant),)+
                        other => Err(format!("unknown value `{other}`")),
                    }
                }
            }
        };
    }
}

/// What can go wrong between reading a plan and carrying it out.
#[derive(Debug)]
pub enum Error {
    UnknownTarget(String),
    DuplicateOutput {
        output: String,
        first: String,
        second: String,
    },
    Cycle(Vec<String>),
    Parse {
        line: usize,
        message: String,
    },
    Io(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownTarget(name) => write!(f, "no such target: {name}"),
            Error::DuplicateOutput {
                output,
                first,
                second,
            } => {
                write!(f, "`{output}` is made by both {first} and {second}")
            }
            Error::Cycle(path) => write!(f, "cycle: {}", path.join(" -> ")),
            Error::Parse { line, message } => write!(f, "line {line}: {message}"),
            Error::Io(inner) => write!(f, "{inner}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(inner: std::io::Error) -> Self {
        Error::Io(inner)
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Stable fingerprints (FNV-1a, 64 bits).
pub mod fingerprint {
    use std::fmt;

    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Fingerprint(pub u64);

    impl fmt::Debug for Fingerprint {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:016x}", self.0)
        }
    }

    pub struct Hasher {
        state: u64,
        bytes: usize,
    }

    impl Hasher {
        const SEED: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;

        pub fn new() -> Self {
            Hasher {
                state: Self::SEED,
                bytes: 0,
            }
        }

        pub fn write(&mut self, data: &[u8]) -> &mut Self {
            for &byte in data {
                self.state = (self.state ^ u64::from(byte)).wrapping_mul(Self::PRIME);
            }
            self.bytes += data.len();
            self
        }

        pub fn finish(&self) -> Fingerprint {
            Fingerprint(self.state ^ self.bytes as u64)
        }
    }

    impl Default for Hasher {
        fn default() -> Self {
            Self::new()
        }
    }

    /// Everything that takes part in the decision to run a step again.
    pub trait Digest {
        fn digest(&self, hasher: &mut Hasher);

        fn fingerprint(&self) -> Fingerprint {
            let mut hasher = Hasher::new();
            self.digest(&mut hasher);
            hasher.finish()
        }
    }

    impl Digest for str {
        fn digest(&self, hasher: &mut Hasher) {
            hasher.write(self.as_bytes()).write(&[0xff]);
        }
    }

    impl Digest for String {
        fn digest(&self, hasher: &mut Hasher) {
            self.as_str().digest(hasher);
        }
    }

    impl<T: Digest> Digest for [T] {
        fn digest(&self, hasher: &mut Hasher) {
            hasher.write(&(self.len() as u64).to_le_bytes());
            self.iter().for_each(|item| item.digest(hasher));
        }
    }

    impl<T: Digest> Digest for Option<T> {
        fn digest(&self, hasher: &mut Hasher) {
            match self {
                Some(inner) => {
                    hasher.write(&[1]);
                    inner.digest(hasher);
                }
                None => {
                    hasher.write(&[0]);
                }
            }
        }
    }
}

/// The description of a build: targets, profiles, options.
pub mod model {
    use crate::fingerprint::{Digest, Hasher};
    use crate::util::Name;

    /// The first file format (version 1), kept so that old files still load.
    mod v1 {
        use crate::{Error, Result};

        /// A profile as version 1 wrote it: one line of text.
        pub struct Profile {
            pub line: String,
            pub number: usize,
        }

        impl Profile {
            pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> + '_ {
                self.line
                    .split_whitespace()
                    .filter_map(|field| field.split_once('='))
            }
        }

        /// Version 1 knew only these two levels.
        pub enum Level {
            Fast,
            Small,
        }

        pub fn parse_level(text: &str, number: usize) -> Result<Level> {
            match text {
                "fast" => Ok(Level::Fast),
                "small" => Ok(Level::Small),
                other => Err(Error::Parse {
                    line: number,
                    message: format!("`{other}` is not a level"),
                }),
            }
        }

        /// Picks the profile lines out of a version 1 file.
        pub fn profile_lines(text: &str) -> Vec<Profile> {
            text.lines()
                .enumerate()
                .filter(|(_, line)| line.starts_with("profile "))
                .map(|(index, line)| Profile {
                    line: line["profile ".len()..].trim().to_owned(),
                    number: index + 1,
                })
                .collect()
        }
    }

    pub use self::v1::*;

    switches! {
        /// How hard the tools below us should try.
        pub enum Effort {
            None = "none",
            Some = "some",
            Full = "full",
        }
    }

    /// A set of options under which the same targets can be built.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Profile {
        pub title: String,
        pub effort: Effort,
        pub jobs: Option<usize>,
        pub defines: Vec<(String, String)>,
    }

    impl Profile {
        pub fn new(title: impl Into<String>, effort: Effort) -> Self {
            Profile {
                title: title.into(),
                effort,
                jobs: None,
                defines: Vec::new(),
            }
        }

        pub fn define(mut self, key: &str, value: &str) -> Self {
            self.defines.push((key.to_owned(), value.to_owned()));
            self
        }

        pub fn jobs(&self) -> usize {
            self.jobs.unwrap_or(1).max(1)
        }
    }

    impl Digest for Profile {
        fn digest(&self, hasher: &mut Hasher) {
            self.effort.as_str().digest(hasher);
            for (key, value) in &self.defines {
                key.digest(hasher);
                value.digest(hasher);
            }
        }
    }

    /// One step of the build.
    #[derive(Clone, Debug)]
    pub struct Target {
        pub name: Name,
        pub inputs: Vec<String>,
        pub outputs: Vec<String>,
        pub command: Vec<String>,
        pub needs: Vec<Name>,
        pub always: bool,
    }

    impl Target {
        pub fn new(name: Name) -> Self {
            Target {
                name,
                inputs: Vec::new(),
                outputs: Vec::new(),
                command: Vec::new(),
                needs: Vec::new(),
                always: false,
            }
        }
    }

    impl Digest for Target {
        fn digest(&self, hasher: &mut Hasher) {
            self.inputs.digest(hasher);
            self.outputs.digest(hasher);
            self.command.digest(hasher);
        }
    }

    /// Turns old levels into efforts.
    pub fn effort_of(level: Level) -> Effort {
        match level {
            Level::Fast => Effort::Full,
            Level::Small => Effort::Some,
        }
    }
}

/// The dependency graph.
pub mod graph {
    use crate::model::Target;
    use crate::util::{Interner, Name};
    use crate::{Error, Result};
    use std::collections::{BTreeMap, HashMap};

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        Open,
        Done,
    }

    #[derive(Debug, Default)]
    pub struct Graph {
        targets: BTreeMap<Name, Target>,
        makers: HashMap<String, Name>,
    }

    impl Graph {
        pub fn add(&mut self, target: Target, names: &Interner) -> Result<()> {
            for output in &target.outputs {
                if let Some(&first) = self.makers.get(output) {
                    return Err(Error::DuplicateOutput {
                        output: output.clone(),
                        first: names.resolve(first).to_owned(),
                        second: names.resolve(target.name).to_owned(),
                    });
                }
                self.makers.insert(output.clone(), target.name);
            }
            self.targets.insert(target.name, target);
            Ok(())
        }

        pub fn get(&self, name: Name) -> Option<&Target> {
            self.targets.get(&name)
        }

        pub fn len(&self) -> usize {
            self.targets.len()
        }

        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }

        /// The targets right below `target`: the named ones, and the makers
        /// of its input files.
        pub fn below<'g>(&'g self, target: &'g Target) -> impl Iterator<Item = Name> + 'g {
            let files = target
                .inputs
                .iter()
                .filter_map(move |input| self.makers.get(input).copied());
            target.needs.iter().copied().chain(files)
        }

        /// Everything that `root` needs, itself last.
        pub fn order(&self, root: Name, names: &Interner) -> Result<Vec<Name>> {
            let mut marks = HashMap::new();
            let mut path = Vec::new();
            let mut order = Vec::new();
            self.visit(root, names, &mut marks, &mut path, &mut order)?;
            Ok(order)
        }

        fn visit(
            &self,
            name: Name,
            names: &Interner,
            marks: &mut HashMap<Name, Mark>,
            path: &mut Vec<Name>,
            order: &mut Vec<Name>,
        ) -> Result<()> {
            match marks.get(&name) {
                Some(Mark::Done) => return Ok(()),
                Some(Mark::Open) => {
                    let start = path.iter().position(|&step| step == name).unwrap_or(0);
                    let cycle = path[start..]
                        .iter()
                        .chain(std::iter::once(&name))
                        .map(|&step| names.resolve(step).to_owned())
                        .collect();
                    return Err(Error::Cycle(cycle));
                }
                None => {}
            }
            let target = self
                .get(name)
                .ok_or_else(|| Error::UnknownTarget(names.resolve(name).to_owned()))?;
            marks.insert(name, Mark::Open);
            path.push(name);
            for next in self.below(target) {
                self.visit(next, names, marks, path, order)?;
            }
            path.pop();
            marks.insert(name, Mark::Done);
            order.push(name);
            Ok(())
        }
    }
}

/// Decides what has to be run.
pub mod planner {
    use crate::fingerprint::{Digest, Fingerprint, Hasher};
    use crate::graph::Graph;
    pub use crate::model::*;
    use crate::util::{Interner, Name};
    use crate::Result;
    use std::collections::HashMap;

    // The names that callers know from before the model had its own module.
    pub use {Effort as BuildEffort, Profile as BuildProfile};

    /// Why a step is part of the plan.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reason {
        NeverBuilt,
        Changed { old: Fingerprint, new: Fingerprint },
        Below(Name),
        Always,
    }

    #[derive(Debug)]
    pub struct Step {
        pub name: Name,
        pub reason: Reason,
        pub command: String,
    }

    /// What is known from the build before.
    pub trait Memory {
        fn recall(&self, name: Name) -> Option<Fingerprint>;
        fn remember(&mut self, name: Name, fingerprint: Fingerprint);
    }

    impl Memory for HashMap<Name, Fingerprint> {
        fn recall(&self, name: Name) -> Option<Fingerprint> {
            self.get(&name).copied()
        }

        fn remember(&mut self, name: Name, fingerprint: Fingerprint) {
            self.insert(name, fingerprint);
        }
    }

    pub struct Planner<'p, M: Memory> {
        graph: &'p Graph,
        names: &'p Interner,
        profile: &'p BuildProfile,
        memory: M,
    }

    impl<'p, M: Memory> Planner<'p, M> {
        pub fn new(
            graph: &'p Graph,
            names: &'p Interner,
            profile: &'p BuildProfile,
            memory: M,
        ) -> Self {
            Planner {
                graph,
                names,
                profile,
                memory,
            }
        }

        fn current(&self, target: &Target) -> Fingerprint {
            let mut hasher = Hasher::new();
            target.digest(&mut hasher);
            self.profile.digest(&mut hasher);
            hasher.finish()
        }

        fn reason(&self, target: &Target, dirty: &[Name]) -> Option<Reason> {
            if target.always {
                return Some(Reason::Always);
            }
            let new = self.current(target);
            match self.memory.recall(target.name) {
                None => return Some(Reason::NeverBuilt),
                Some(old) if old != new => return Some(Reason::Changed { old, new }),
                Some(_) => {}
            }
            self.graph
                .below(target)
                .find(|name| dirty.contains(name))
                .map(Reason::Below)
        }

        /// The steps to run for `root`, in an order that works.
        pub fn plan(&mut self, root: Name) -> Result<Vec<Step>> {
            let mut dirty = Vec::new();
            let mut steps = Vec::new();
            for name in self.graph.order(root, self.names)? {
                let Some(target) = self.graph.get(name) else {
                    continue;
                };
                if let Some(reason) = self.reason(target, &dirty) {
                    dirty.push(name);
                    steps.push(Step {
                        name,
                        reason,
                        command: self.expand(&target.command),
                    });
                    let fingerprint = self.current(target);
                    self.memory.remember(name, fingerprint);
                }
            }
            Ok(steps)
        }

        /// Puts the profile's definitions into a command line.
        fn expand(&self, command: &[String]) -> String {
            let mut line = command.join(" ");
            for (key, value) in &self.profile.defines {
                line = line.replace(&format!("${{{key}}}"), value);
            }
            line.replace("${effort}", self.profile.effort.as_str())
        }
    }
}

/// Loads the old files.
pub mod import {
    use crate::model::{effort_of, parse_level, profile_lines};
    use crate::planner::{BuildEffort, BuildProfile};
    use crate::{Error, Result};

    pub fn load_profiles(text: &str) -> Result<Vec<BuildProfile>> {
        profile_lines(text)
            .iter()
            .map(|old| {
                let mut new = BuildProfile::new("unnamed", BuildEffort::None);
                for (key, value) in old.fields() {
                    match key {
                        "name" => new.title = value.to_owned(),
                        "level" => new.effort = effort_of(parse_level(value, old.number)?),
                        "jobs" => {
                            let jobs = value.parse().map_err(|_| Error::Parse {
                                line: old.number,
                                message: format!("`{value}` is not a number"),
                            })?;
                            new.jobs = Some(jobs);
                        }
                        _ => new = new.define(key, value),
                    }
                }
                Ok(new)
            })
            .collect()
    }
}

/// A plan in words.
pub fn describe(steps: &[planner::Step], names: &util::Interner) -> String {
    use planner::Reason;
    use std::fmt::Write;

    let mut out = String::new();
    for (index, step) in steps.iter().enumerate() {
        let name = names.resolve(step.name);
        let reason = match step.reason {
            Reason::NeverBuilt => "was never built".to_owned(),
            Reason::Changed { old, new } => format!("changed from {old:?} to {new:?}"),
            Reason::Below(other) => format!("needs {}", names.resolve(other)),
            Reason::Always => "always runs".to_owned(),
        };
        let _ = writeln!(out, "{:>3}. {name} ({reason}): {}", index + 1, step.command);
    }
    out
}
