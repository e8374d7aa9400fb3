//! The programs that stages begin with: the crate with the sources of others.

use std::path::PathBuf;

use mcve_transforms::{Analysis, Source, Tree, apply, enumerate, enumerate_trials, named};

use super::call::{Call, Extern};
use super::error::PackageError;
use super::expand::expand;
use super::failing::{Failing, What};
use super::spec::PackageSpec;
use super::{manifest, source};
use mcve_reduce::event;
use mcve_reduce::modes::task::kept;
use mcve_reduce::program::Program;
use mcve_reduce::search::filters::Kept;
use mcve_reduce::session::Session;

/// Proposes a program from the best one so far; the dependencies were tried before.
pub(super) type Propose = fn(&Sources<'_>, &Program, &mut Vec<PathBuf>) -> Result<Option<Proposal>, PackageError>;

/// A stage: it proposes a larger program in place of the best one so far.
pub(super) struct Stage {
    pub(super) name: event::Stage,
    /// Proposes the next program; none if the stage does not apply.
    pub(super) program: Propose,
    /// Whether it is repeated until it proposes nothing. Other stages end the reduction if their program is accepted.
    pub(super) is_repeated: bool,
}

/// The stages after the first one, which reduces the crate: add the sources of all dependencies with procedural macros
/// expanded; add them without expansion, those of the user's own macros too; if neither shows the failure, add them one by one.
pub(super) const STAGES: [Stage; 3] = [
    Stage { name: event::Stage::Expansion, program: expanded, is_repeated: false },
    Stage { name: event::Stage::Dependencies, program: with_all_dependencies, is_repeated: false },
    Stage { name: event::Stage::Dependencies, program: with_next_dependency, is_repeated: true },
];

/// A program that a stage proposes.
#[derive(Clone)]
pub(super) struct Proposal {
    pub(super) program: Program,
    /// The same of a version that passes, if one is known.
    pub(super) fixed: Option<Program>,
    /// The dependencies whose sources are added to the best program.
    pub(super) dependencies: Vec<String>,
    /// A description of the addition.
    pub(super) what: String,
    /// Whether macros were expanded for it.
    pub(super) expands: bool,
}

/// The program without search paths if it needs nothing that was built.
fn without_search_paths(program: Program) -> Program {
    if manifest::needed(&program).is_empty() { source::without_search_paths(&program) } else { program }
}

const CRATE_TO_MODULE: &str = "crate-to-module";

/// The program as one crate; none if it is one.
pub(super) fn as_one_crate(program: &Program) -> Option<Program> {
    let mut whole = program.clone();
    let next = |program: &Program| {
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let all = named(CRATE_TO_MODULE).into_iter();
        let first = all.flat_map(|one| [enumerate_trials(&names, one), enumerate(&names, one)].concat()).next()?;
        Some(program.with_text(apply(&program.text, [&first])))
    };
    while let Some(less) = next(&whole) {
        whole = less;
    }
    (whole.text != program.text && whole.is_whole()).then_some(whole)
}

/// The part of a call's program that a name refers to.
pub(super) fn kept_of(program: &Program, call: &Call, name: &str) -> Result<Kept, String> {
    kept(program, &call.root, &[name.to_owned()])
}

/// Whether the program of a call has something of this name.
pub(super) fn has(call: &Call, name: &str) -> bool {
    source::program(call).is_some_and(|program| kept_of(&program, call, name).is_ok())
}

/// The program with procedural macros expanded and the sources of its dependencies.
fn expanded(sources: &Sources<'_>, best: &Program, _: &mut Vec<PathBuf>) -> Result<Option<Proposal>, PackageError> {
    let Some(expanded) = expand(best, sources.failing, sources.session)? else { return Ok(None) };
    let (program, dependencies) = sources.with_dependencies(&expanded, false);
    let of_names =
        if dependencies.is_empty() { String::new() } else { format!(", the source of {}", dependencies.join(", ")) };
    Ok(Some(Proposal {
        program,
        fixed: None,
        dependencies,
        what: format!("what procedural macros make{of_names}"),
        expands: true,
    }))
}

/// The program with the sources of all dependencies, if there are several.
fn with_all_dependencies(
    sources: &Sources<'_>,
    best: &Program,
    _: &mut Vec<PathBuf>,
) -> Result<Option<Proposal>, PackageError> {
    let (program, dependencies) = sources.with_dependencies(best, true);
    let what = format!("the source of {}", dependencies.join(", "));
    Ok((dependencies.len() > 1).then_some(Proposal { program, fixed: None, dependencies, what, expands: false }))
}

/// The program with the source of the next dependency. Users come before the crates that they use.
fn with_next_dependency(
    sources: &Sources<'_>,
    best: &Program,
    tried: &mut Vec<PathBuf>,
) -> Result<Option<Proposal>, PackageError> {
    while let Some((used, call)) = sources.next(best, tried) {
        tried.extend(used.built());
        if let Some(program) = source::with_dependency(best, &used, call).map(without_search_paths) {
            let what = format!("the source of {}", used.name);
            return Ok(Some(Proposal { program, fixed: None, dependencies: vec![used.name], what, expands: false }));
        }
    }
    Ok(None)
}

/// The sources that a program may be given.
pub(super) struct Sources<'a> {
    pub(super) spec: &'a PackageSpec,
    pub(super) failing: &'a Failing,
    pub(super) session: &'a Session,
}

impl Sources<'_> {
    /// The program with the known sources of all direct and indirect dependencies, of procedural macros only where `has_macros`, and
    /// their names.
    fn with_dependencies(&self, program: &Program, has_macros: bool) -> (Program, Vec<String>) {
        self.with_sources(program.clone(), |used, _| has_macros || !used.is_proc_macro())
    }

    /// The program with its arguments and the sources of the crates of the user that it needs, and their names; none if it needs
    /// none, or the result keeps them as packages.
    pub(super) fn with_own_crates(&self, program: &Program) -> Option<(Program, Vec<String>)> {
        if self.spec.keep_package {
            return None;
        }
        let call = &self.failing.call;
        let of_caller = match self.failing.what {
            What::Program(_) => Vec::new(),
            _ => call.line_of_caller(false),
        };
        let line: Vec<String> = call.line().into_iter().filter(|argument| !of_caller.contains(argument)).collect();
        let whole = program.with_arguments(&line, &source::environment(call, program))?;
        // What macros make may be all that is needed.
        let (whole, names) = self.with_sources(whole, |used, call| call.is_own() && !used.is_proc_macro());
        (!names.is_empty()).then_some((whole, names))
    }

    /// The program with the known sources of those of its direct and indirect dependencies that `is_meant` accepts, and their names.
    fn with_sources(&self, mut whole: Program, is_meant: impl Fn(&Extern, &Call) -> bool) -> (Program, Vec<String>) {
        let (mut tried, mut names) = (Vec::new(), Vec::new());
        while let Some((used, call)) = self.next(&whole, &tried) {
            tried.extend(used.built());
            if is_meant(&used, call)
                && let Some(more) = source::with_dependency(&whole, &used, call)
            {
                whole = more;
                names.push(used.name);
            }
        }
        (without_search_paths(whole), names)
    }

    /// The first untried dependency of the program with known source that no other such dependency uses. Procedural macros, and what
    /// they need, only where they are the user's own.
    fn next(&self, program: &Program, tried: &[PathBuf]) -> Option<(Extern, &Call)> {
        let by_macros = manifest::needed_by_macros(program);
        let known: Vec<(Extern, &Call)> = manifest::needed(program)
            .into_iter()
            .filter_map(|used| {
                let path = used.path.clone().filter(|path| !tried.contains(path))?;
                let call = self.failing.calls.iter().rev().find(|call| call.form != "bin" && call.has_made(&path))?;
                let is_of_macro = used.is_proc_macro() || by_macros.contains(&used);
                (!self.is_kept(call) && (call.is_own() || !is_of_macro)).then_some((used, call))
            })
            .collect();
        let is_used =
            |one: &Extern| known.iter().any(|(_, call)| call.externs.iter().any(|other| other.built() == one.built()));
        known.iter().find(|(used, _)| !is_used(used)).cloned()
    }

    /// Whether something in the source of a dependency is to be kept: then the whole dependency is.
    fn is_kept(&self, call: &Call) -> bool {
        self.spec.keep.iter().any(|name| has(call, name) && !has(&self.failing.call, name))
    }
}
