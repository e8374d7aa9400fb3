//! A tool that reads Rust without compiling it: rustfmt crashes or spoils a program, rust-analyzer crashes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::{End, Job, JobResult, Word};
use crate::exec::programs;
use crate::failure::error::FailureError;
use crate::failure::tool::Tool;
use crate::oracle::normalise;
use crate::oracle::panics::Panic;
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Verdict, shell};
use crate::program::Program;

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if let Some(tool) = ask.spec.tool.filter(|tool| !tool.is_compiler()) {
        let program = tool.find(ask.toolchain)?;
        // As the compiler of its toolchain is called.
        let mut called = programs::called(None, ask.toolchain, &program.with_file_name("rustc"));
        called[0] = if called[0] == "rustc" { tool.program().into() } else { program.clone().into() };
        kinds.push(Arc::new(Formatter { program, called, writes: tool == Tool::Rustfmt }));
    }
    Ok(())
}

impl FailureKind for Formatter {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        Arc::new(FormatterOracle { tool: self.clone(), rustc: rustc.clone(), expected: seen.and_then(Wrong::read) })
    }
}

/// The exit codes for what a formatter does wrong without a crash.
const WRONGS: [(i32, &str); 4] = [
    (71, "does not accept what it wrote"),
    (72, "writes something else when it formats what it wrote"),
    (73, "makes a program that does not compile of one that does"),
    (74, "makes a program that does something else when it is run"),
];

/// The commands of rust-analyzer on a file.
const READINGS: [&str; 3] = ["parse", "symbols", "highlight"];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Formatter {
    /// Its absolute path.
    program: PathBuf,
    /// How a person calls it.
    called: Vec<OsString>,
    /// Whether it writes programs, and not only reads them.
    writes: bool,
}

/// Does the tool still fail in the same way?
#[derive(Clone, Debug)]
struct FormatterOracle {
    tool: Formatter,
    rustc: Rustc,
    /// The failure of the unreduced program, once it is known.
    expected: Option<Wrong>,
}

#[derive(Clone, Debug)]
struct Wrong {
    end: End,
    /// The place and the normalised message of its panic; empty if it did not panic.
    panic: String,
    /// The same with the message as it was written.
    said: String,
}

impl FormatterOracle {
    /// The lines of the shell, with the program as `$1`.
    fn script(&self, program: &Program) -> String {
        let tool = self.tool.program.clone().into_os_string();
        if !self.tool.writes {
            return format!("ulimit -c 0; {}", self.reading(std::slice::from_ref(&tool), "\"$1\"", "out"));
        }
        let tool = shell::quote(&tool);
        let rustc = self.rustc.of(program);
        let edition = rustc.edition().unwrap_or("2015");
        let words = [rustc.program.as_os_str()].into_iter().chain(rustc.args.iter().map(OsString::as_os_str));
        let compile = |file: &str, out: &str| {
            format!("{} -o {out} --crate-name=formatted {file} 2> log", shell::line(words.clone()))
        };
        let format =
            |file: &str, number: u8| format!("{tool} --edition {edition} --emit stdout < {file} > {number}.rs 2> err");
        [
            "ulimit -c 0; ulimit -S -t 20".to_owned(),
            format!("{} || {{ code=$?; cat err >&2; exit $code; }}", format("\"$1\"", 1)),
            format!("{} || {{ cat err >&2; exit 71; }}", format("1.rs", 2)),
            "cmp -s 1.rs 2.rs || exit 72".to_owned(),
            format!("{} || exit 0", compile("\"$1\"", "before")),
            format!("{} || {{ cat log >&2; exit 73; }}", compile("1.rs", "after")),
            "[ -x before ] && [ -x after ] || exit 0".to_owned(),
            "./before < /dev/null > before.out 2>&1; echo $? >> before.out".to_owned(),
            "./before < /dev/null > again.out 2>&1; echo $? >> again.out".to_owned(),
            // Of a program that prints something else each time nothing can be said.
            "cmp -s before.out again.out || exit 0".to_owned(),
            "./after < /dev/null > after.out 2>&1; echo $? >> after.out".to_owned(),
            // Lines and names of files move.
            "sed 's/[^ ]*\\.rs:[0-9:]*//' before.out > a; sed 's/[^ ]*\\.rs:[0-9:]*//' after.out > b".to_owned(),
            "cmp -s a b || exit 74; exit 0".to_owned(),
        ]
        .join("\n")
    }

    /// A line of the shell that has a tool read `file` in each of its ways, up to the first that fails.
    fn reading(&self, tool: &[OsString], file: &str, out: &str) -> String {
        let tool = shell::line(tool);
        READINGS.map(|part| format!("{tool} {part} < {file} > {out}")).join(" && ")
    }
}

impl Wrong {
    fn read(result: &JobResult) -> Option<Self> {
        let lines = result.error_lines();
        let panic = Panic::first(&lines);
        let is_known = |code: i32| WRONGS.iter().any(|(known, _)| *known == code) || code > 128 || panic.is_some();
        let end = match result.end {
            End::Exited(code) if is_known(code) => result.end,
            End::Signalled(_) => result.end,
            _ => return None,
        };
        let [panic, said] = [normalise::message, normalise::line].map(|words| {
            panic.as_ref().map(|panic| format!("panics at {}: {}", panic.place, words(panic.message.trim())))
        });
        Some(Self { end, panic: panic.unwrap_or_default(), said: said.unwrap_or_default() })
    }
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wrong = WRONGS.iter().find(|(code, _)| self.end == End::Exited(*code));
        match wrong {
            _ if !self.said.is_empty() => f.write_str(&self.said),
            Some((_, words)) => f.write_str(words),
            None => write!(f, "ends with {}", self.end),
        }
    }
}

impl Oracle for FormatterOracle {
    fn job(&self, program: &Program) -> Job {
        let words = ["sh", "-c", &self.script(program), "sh"].map(|word| Word::Text(word.into()));
        let argv = words.into_iter().chain([Word::path(&program.name)]).collect();
        Job { files: program.files(), argv, ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match (Wrong::read(result), &self.expected) {
            (Some(wrong), None) => Verdict::fail(wrong.to_string()),
            (Some(wrong), Some(expected)) if (wrong.end, &wrong.panic) == (expected.end, &expected.panic) => {
                Verdict::fail("the same failure")
            }
            (Some(wrong), Some(_)) => Verdict::unresolved(format!("another failure: it {wrong}")),
            (None, _) if result.end == End::Exited(0) => Verdict::pass("the tool does well"),
            (None, _) => Verdict::unresolved(format!("the tool refuses it: {}", result.end)),
        }
    }

    fn failure(&self) -> FailureId {
        let name = self.tool.program.file_name().unwrap_or_default();
        let wrong = self.expected.as_ref().map_or_else(|| "fails".to_owned(), ToString::to_string);
        format!("{} {wrong}", name.display()).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let file = if program.is_lone() { program.root_at(path) } else { program.name.clone() };
        let file = shell::quote(file);
        if !self.tool.writes {
            return self.reading(&self.tool.called, &shell::quote(program.root_at(path)), "/dev/null");
        }
        let rustc = self.rustc.of(program);
        let tool = shell::line(&self.tool.called);
        let format = format!("{tool} --edition {}", rustc.edition().unwrap_or("2015"));
        let compile = shell::line(rustc.called.iter().chain(&rustc.args));
        let line = match self.expected.as_ref().map(|wrong| wrong.end) {
            Some(End::Exited(71)) => format!("{format} < {file} | {format}"),
            None | Some(End::Exited(72)) => format!("{format} < {file} | {format} --check"),
            Some(End::Exited(73)) => format!("{format} < {file} | {compile} -"),
            Some(End::Exited(74)) => format!(
                "(d=$(mktemp -d); {compile} -o \"$d\"/1 {file}; {format} < {file} | {compile} -o \"$d\"/2 -; \"$d\"/1; \"$d\"/2)"
            ),
            Some(_) => format!("{format} {file}"),
        };
        if program.is_lone() { line } else { format!("(cd {} && {line})", shell::quote(program.folder_at(path))) }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        (which == CompilerJob::Hints).then(|| which.by(&self.rustc, program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::headers::Headers;

    #[test]
    fn the_command_is_what_a_person_would_type() {
        let rustc = Rustc::new("/bin/rustc".into(), &Headers::default(), &["--edition=2024".into()], Path::new("/"));
        let check = |code: i32, stderr: &str, expected: &str| {
            let tool = Formatter { program: "/bin/rustfmt".into(), called: vec!["rustfmt".into()], writes: true };
            let result = JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(code)) };
            let oracle = tool.oracle(&Rustc { called: vec!["rustc".into()], ..rustc.clone() }, Some(&result));
            assert_eq!(oracle.command(&Program::new("a.rs", "fn main() {}"), Path::new("a_mcve.rs")), expected);
        };
        let crash = "thread 'main' panicked at src/a.rs:1:2:\nbad width 17\n";
        check(101, crash, "rustfmt --edition 2024 a_mcve.rs");
        check(71, "", "rustfmt --edition 2024 < a_mcve.rs | rustfmt --edition 2024");
        check(72, "", "rustfmt --edition 2024 < a_mcve.rs | rustfmt --edition 2024 --check");
        check(73, "", "rustfmt --edition 2024 < a_mcve.rs | rustc --edition=2024 -");
    }
}
