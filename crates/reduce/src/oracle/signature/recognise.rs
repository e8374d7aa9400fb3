//! Recognises failures in what rustc wrote and how it ended.

use std::collections::BTreeSet;

use super::failure::{Failure, Kind};
use super::identity::name;
use crate::exec::job::{End, JobResult};
use crate::oracle::output::diagnostics::{Diagnostic, Stderr};
use crate::oracle::output::llvm;
use crate::oracle::output::normalise;
use crate::oracle::output::panics::{Panic, is_place};

/// How panics begin that only follow a diagnostic: those of `bug!`, and of an error under `-Ztreat-err-as-bug`.
const NO_MESSAGE: [&str; 2] = ["Box<dyn Any>", "aborting due to `-Z treat-err-as-bug"];

/// How the panic begins by which old compilers end that were delayed bugs: which ones, the diagnostics tell.
const DELAYED: &str = "no errors encountered even though";

/// Threads of a program that Miri interprets, unless it names them. A compiler works in threads with other names.
const THREADS_OF_PROGRAM: [&str; 2] = ["main'", "<unnamed>'"];

const COMPILERS: [&str; 3] = ["compiler/", "src/tools/", "src/librustdoc/"];

/// The end of a compiler that found errors. It prints the panic of a procedural macro too, and reports it as an error.
const CAUGHT: End = End::Exited(1);

impl Failure {
    /// The failure that a run of rustc with `--error-format=json` shows, if it shows one.
    pub fn recognise(result: &JobResult) -> Option<Self> {
        Self::all(result).into_iter().next()
    }

    /// All failures that a run shows, the most telling first. A program can have several errors, or cause several delayed
    /// bugs, of which another one may come first when the program shrinks.
    pub fn all(result: &JobResult) -> Vec<Self> {
        if matches!(result.end, End::Exited(0) | End::TimedOut | End::Cancelled) {
            return Vec::new();
        }
        let run = Run::new(result);
        let mut failures: Vec<Failure> = run.panic().filter(|_| result.end != CAUGHT).into_iter().collect();
        failures.extend(run.bugs(failures.is_empty()));
        if failures.is_empty() {
            failures.extend(run.llvm_error());
        }
        if failures.is_empty()
            && let End::Signalled(signal) = result.end
        {
            failures.push(run.crash(signal));
        }
        if failures.is_empty() {
            failures = run.errors();
        }
        failures
    }

    /// All failures of a run, a line each: crashes first, then errors with their lines.
    pub fn list(result: &JobResult) -> Vec<String> {
        let crashes = Self::all(result).into_iter().filter(|failure| !failure.is_in_program());
        let mut lines: Vec<String> = crashes.map(|failure| failure.to_string()).collect();
        let stderr = Stderr::read(&result.stderr);
        for error in stderr.errors() {
            let code = error.code_or_lint().map_or_else(String::new, |code| format!(" {code}"));
            let place = error.line().map_or_else(String::new, |(_, line)| format!(" (line {line})"));
            let message = error.message.lines().next().unwrap_or_default();
            lines.push(format!("error{code}: {message}{place}"));
        }
        let mut seen = BTreeSet::new();
        lines.retain(|line| seen.insert(line.clone()));
        lines
    }
}

struct Run {
    stderr: Stderr,
    codes: BTreeSet<String>,
    query: Option<String>,
}

impl Run {
    fn new(result: &JobResult) -> Self {
        let stderr = Stderr::read(&result.stderr);
        let codes = stderr.errors().map(name).collect();
        let query = top_query(&stderr.plain);
        Self { stderr, codes, query }
    }

    /// A failure with this message, normalised and as it was written.
    fn failure(&self, kind: Kind, [message, said]: [String; 2]) -> Failure {
        let (place, query, recursion) = Default::default();
        Failure { kind, message, said, place, query, recursion, codes: self.codes.clone() }
    }

    /// The first panic of the compiler. The message of a `bug!` is in a diagnostic.
    fn panic(&self) -> Option<Failure> {
        let plain = &self.stderr.plain;
        let panic = Panic::all(plain).find(|panic| !is_of_program(panic))?;
        let said = panic.message.trim();
        if said.starts_with(DELAYED) && self.stderr.diagnostics.iter().any(|bug| bug.delayed_at().is_some()) {
            return None;
        }
        let mut message = both(said);
        if said.is_empty() || NO_MESSAGE.iter().any(|none| said.starts_with(none)) {
            let mut bugs = self.stderr.diagnostics.iter().filter(|diagnostic| diagnostic.is_ice());
            let is_there = |bug: &&Diagnostic| split_place(&bug.message).0.is_some_and(|at| at.ends_with(panic.place));
            message = bugs.clone().find(is_there).or_else(|| bugs.next()).map_or_else(Default::default, words);
        }
        let place = Some(normalise::place(panic.place).to_owned());
        Some(Failure { place, query: self.query.clone(), ..self.failure(Kind::Ice, message) })
    }

    /// The diagnostics in which the compiler blames itself: the delayed ones only, where the others belong to a panic.
    fn bugs(&self, all: bool) -> Vec<Failure> {
        let mut failures = Vec::new();
        for bug in self.stderr.diagnostics.iter().filter(|diagnostic| diagnostic.is_ice()) {
            let (place, _) = split_place(&bug.message);
            let delayed = bug.delayed_at();
            if delayed.is_none() && !all {
                continue;
            }
            let kind = if delayed.is_some() { Kind::DelayedBug } else { Kind::Ice };
            let place = delayed.or(place).map(|place| normalise::place(place).to_owned());
            let failure = Failure { place, ..self.failure(kind, words(bug)) };
            // Delayed bugs are reported after all queries.
            let query = if delayed.is_some() { None } else { self.query.clone() };
            failures.push(Failure { query, ..failure });
        }
        failures
    }

    fn llvm_error(&self) -> Option<Failure> {
        let plain = &self.stderr.plain;
        Some(self.failure(Kind::Llvm, [llvm::error(plain, llvm::words)?, llvm::error(plain, str::to_owned)?]))
    }

    fn crash(&self, signal: i32) -> Failure {
        let plain = &self.stderr.plain;
        let overflow = plain.iter().any(|line| line.contains("overflowed its stack"));
        if overflow {
            let cycle = plain.iter().skip_while(|line| !line.starts_with("### cycle encountered"));
            let frames = cycle.skip(1).map_while(|line| frame(line)).collect();
            return Failure { recursion: frames, ..self.failure(Kind::StackOverflow, Default::default()) };
        }
        // The first frame is rustc's signal handler and the second the system's trampoline to it.
        let place = plain.iter().filter_map(|line| frame(line)).nth(2);
        // An abort has no frames, and says why before.
        if place.is_some() {
            return Failure { place, ..self.failure(Kind::Signal(signal), Default::default()) };
        }
        let [(place, message), (_, said)] = [llvm::words, str::to_owned].map(|words| llvm::abort(plain, words));
        Failure { place, ..self.failure(Kind::Signal(signal), [message, said]) }
    }

    /// A failure for each error, all with the codes of all.
    fn errors(&self) -> Vec<Failure> {
        self.stderr.errors().map(|error| self.failure(Kind::Errors, both(&error.said()))).collect()
    }
}

/// Whether a panic is one of a program that a compiler interprets, as Miri does: then it is no crash of the compiler.
fn is_of_program(panic: &Panic<'_>) -> bool {
    let is_its_thread = THREADS_OF_PROGRAM.iter().any(|name| panic.thread.starts_with(name));
    is_its_thread && !COMPILERS.iter().any(|folder| panic.place.contains(folder))
}

/// The words of a diagnostic in which the compiler blames itself. It has a code where an error in the program was made one, by
/// `-Ztreat-err-as-bug` or because it came too late: then the message may be the program's, as that of a bound.
fn words(bug: &Diagnostic) -> [String; 2] {
    let code = bug.code_or_lint().map_or_else(String::new, |code| format!("{code}: "));
    both(split_place(&bug.message).1).map(|message| code.clone() + &message)
}

/// A message, normalised and as it was written.
fn both(message: &str) -> [String; 2] {
    [normalise::message(message), normalise::line(message)]
}

/// A message of `bug!` begins with the place: `compiler/rustc_x/src/y.rs:1:2: message`.
fn split_place(message: &str) -> (Option<&str>, &str) {
    let Some((place, rest)) = message.split_once(": ") else { return (None, message) };
    if is_place(place) { (Some(place), rest) } else { (None, message) }
}

/// The kind of the query on top of the stack: what is in the brackets of `#0 [typeck] type-checking ..`. The queries below
/// depend on who asked, which changes when the program shrinks.
fn top_query(plain: &[String]) -> Option<String> {
    let mut stack = plain.iter().skip_while(|line| !line.starts_with("query stack during panic"));
    let (query, _) = stack.find_map(|line| line.strip_prefix("#0 ["))?.split_once(']')?;
    Some(query.to_owned())
}

/// A frame of rustc's signal handler, `/path/lib.so(+0x12)[0x7f12]`, without what differs between machines and runs.
fn frame(line: &str) -> Option<String> {
    let (frame, _) = line.strip_suffix(']')?.rsplit_once('[')?;
    let frame = frame.rsplit_once('/').map_or(frame, |(_, frame)| frame);
    frame.ends_with(')').then(|| frame.to_owned())
}

#[cfg(test)]
mod tests;
