//! rustc fails, or what it makes behaves differently, only after another version of the program was compiled into the same
//! incremental folder.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use crate::exec::job::{End, Job, JobResult, Word};
use crate::failure::error::FailureError;
use crate::oracle::crash::RustcOracle;
use crate::oracle::failure::Failure;
use crate::oracle::fingerprint::OtherFailure;
use crate::oracle::run::{STDIN_FILE, Stdin, Target};
use crate::oracle::rustc::Rustc;
use crate::oracle::strictness::Strictness;
use crate::oracle::ui_test::Form;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict, shell};
use crate::program::{File, Program};

/// Versions of the program are compiled into one incremental folder.
#[derive(Clone, Debug)]
struct Incremental {
    versions: Vec<String>,
    run: Option<Run>,
    strictness: Strictness,
    allow_errors: bool,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if !ask.spec.incremental {
        return Ok(());
    }
    let run = match ask.run().map(|run| run.target) {
        Some(Target::Main(args)) => Some(Run { args, stdin: ask.stdin.clone() }),
        Some(_) => {
            return Err(FailureError::conflict(
                "a failure after earlier versions is one of `main`, and not of a test",
                "--incremental takes --run, and no --test-name",
            ));
        }
        None => None,
    };
    let strictness = ask.spec.crash_parts()?;
    let versions = ask.versions.clone();
    kinds.push(Arc::new(Incremental { versions, run, strictness, allow_errors: ask.spec.allow_errors }));
    Ok(())
}

impl FailureKind for Incremental {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let held = seen.map(|seen| Held { codes: codes(seen), compiler: self.compiler(rustc, seen) });
        let (rustc, versions, run) = (rustc.clone(), self.versions.clone(), self.run.clone());
        Arc::new(IncrementalOracle { rustc, versions, run, held })
    }

    fn is_of_run(&self) -> bool {
        self.run.is_some()
    }

    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        match self.run {
            Some(_) => vec![rustc.clone()],
            None => vec![rustc.with_emit("metadata"), rustc.with_emit("obj"), rustc.clone()],
        }
    }
}

/// The exit code of the job where the two programs behave differently.
const DIFFERENT: i32 = 65;

/// How the names of versions begin in rustc's suite, which says what is done with them: they compile, or run as well.
const SUITE: [&str; 4] = ["cpass", "bpass", "rpass", "cfail"];

/// How many seconds of a processor each program may take.
const SECONDS: u64 = 20;

/// Compiles the versions of a program one after the other into one folder, and the last one once more into an empty folder.
#[derive(Clone, Debug)]
struct IncrementalOracle {
    /// How rustc is run, but for the version.
    rustc: Rustc,
    /// The `--cfg` of each version, in the order in which they are compiled.
    versions: Vec<String>,
    /// How the program is run, if it is the program that fails.
    run: Option<Run>,
    /// What a candidate must show; none before the failure of the unreduced program is known.
    held: Option<Held>,
}

/// The names of two unnamed versions, as rustc's suite calls them: of programs that are run, or only compiled.
pub fn default_versions(are_run: bool) -> [&'static str; 2] {
    if are_run { ["rpass1", "rpass2"] } else { ["cpass1", "cpass2"] }
}

/// How the program is run.
#[derive(Clone, Debug)]
struct Run {
    args: Vec<OsString>,
    stdin: Option<Stdin>,
}

/// What a candidate must show.
#[derive(Clone, Debug)]
struct Held {
    /// The exit codes of the compilations that do not fail: of the earlier versions, and of the last one in an empty folder.
    codes: String,
    /// The failure of the last compilation; none if only the programs behave differently.
    compiler: Option<RustcOracle>,
}

impl Incremental {
    /// The oracle of the failure of the last compilation in `result`, that of the unreduced program.
    fn compiler(&self, rustc: &Rustc, result: &JobResult) -> Option<RustcOracle> {
        let failure = Failure::recognise(result).filter(|_| result.end != End::Exited(DIFFERENT))?;
        let oracle = RustcOracle::new(rustc.clone(), failure, Failure::list(result));
        Some(RustcOracle { allow_errors: self.allow_errors, strictness: self.strictness, ..oracle })
    }
}

impl IncrementalOracle {
    /// The lines of the shell that compile all versions, where the words behind them are the command.
    fn script(&self) -> String {
        let (last, earlier) = self.versions.split_last().expect("there is a version");
        let compile = |version: &str, folder: &str, output: &str| {
            format!("\"$@\" --cfg {} -Cincremental={folder} -o {output}", shell::quote(OsStr::new(version)))
        };
        let mut script = "ulimit -c 0\n".to_owned();
        for version in earlier {
            script += &format!("{} > log 2>&1; codes=\"$codes$? \"\n", compile(version, "kept", "./second"));
        }
        script += &format!("{} > log; second=$?\n", compile(last, "kept", "./second"));
        if self.run.is_none() {
            script += "[ $second -ne 0 ] || exit 0\n";
        }
        script += &format!("{} > log 2>&1; fresh=$?; echo \"$codes$fresh\"\n", compile(last, "fresh", "./fresh-one"));
        if let Some(run) = &self.run {
            let args: String = run.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
            let input = if run.stdin.is_some() { STDIN_FILE } else { "/dev/null" };
            script += &format!("if [ $second -eq 0 ] && [ $fresh -eq 0 ]; then\nulimit -S -t {SECONDS}\n");
            for (program, out) in [("./second", "1.out"), ("./fresh-one", "2.out"), ("./fresh-one", "3.out")] {
                script += &format!("{program}{args} > {out} 2> log < {input}; echo $? >> {out}\n");
            }
            script += &format!("cmp -s 2.out 3.out && ! cmp -s 1.out 2.out && exit {DIFFERENT}\nfi\n");
        }
        // The end by a signal is one of the job.
        script + "[ $second -le 128 ] || kill -$((second - 128)) $$\nexit $second"
    }
}

/// The exit codes of the compilations that must not fail.
fn codes(result: &JobResult) -> String {
    String::from_utf8_lossy(&result.stdout).lines().next().unwrap_or_default().to_owned()
}

impl Oracle for IncrementalOracle {
    fn job(&self, program: &Program) -> Job {
        let mut job = self.rustc.job(program);
        let words = ["sh", "-c", &self.script(), "sh"].map(|word| Word::Text(word.into()));
        job.argv.splice(0..0, words);
        let stdin = self.run.as_ref().and_then(|run| run.stdin.as_ref());
        job.files.extend(stdin.map(|stdin| (STDIN_FILE.into(), File::plain(Arc::clone(&stdin.bytes)))));
        job
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let unresolved = |why: &str| Verdict::unresolved(why);
        match result.end {
            End::TimedOut | End::Cancelled => return unresolved(&result.end.to_string()),
            End::Exited(0) => {
                return Verdict::pass("the last compilation is like one in an empty folder");
            }
            End::Exited(_) | End::Signalled(_) => {}
        }
        let codes = codes(result);
        let (earlier, fresh) = codes.rsplit_once(' ').unwrap_or(("", &codes));
        if result.failed_step.is_some() {
            return unresolved("another crate fails");
        }
        if earlier.split_whitespace().any(|code| !matches!(code, "0" | "1")) {
            return unresolved("an earlier compilation crashes");
        }
        if !matches!(fresh, "0" | "1") {
            return unresolved("rustc crashes in an empty folder as well, so this is a crash without --incremental");
        }
        let is_of_run = result.end == End::Exited(DIFFERENT);
        match &self.held {
            Some(held) if held.codes != codes => {
                unresolved(&format!("the other compilations exit with {codes} and not {}", held.codes))
            }
            Some(Held { compiler: Some(compiler), .. }) => compiler.verdict(result),
            Some(_) if !is_of_run => unresolved("the compiler fails"),
            None if result.end == End::Exited(1) && fresh == "1" => unresolved("the last version has errors"),
            _ => Verdict::fail("the same failure"),
        }
    }

    fn failure(&self) -> FailureId {
        let after = "after an earlier version in the same incremental folder";
        match self.held.as_ref().and_then(|held| held.compiler.as_ref()) {
            Some(compiler) => {
                let FailureId { words, fingerprint } = compiler.failure();
                FailureId { words: format!("{words}, {after}"), fingerprint }
            }
            None => format!("the program behaves differently {after}").into(),
        }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let compile = |version: &String| {
            let cfg = format!(" --cfg {}", shell::quote(version));
            let cfg = if program.text.contains(&**version) { &*cfg } else { "" };
            self.rustc.command_to(program, path, &format!("\"$d\"/second{cfg} -Cincremental=\"$d\"/kept"))
        };
        let compile: Vec<String> = self.versions.iter().map(compile).collect();
        let run = self.run.as_ref().map(|run| {
            let args: String = run.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
            format!("\"$d\"/second{args}")
        });
        format!("(d=$(mktemp -d); {})", compile.into_iter().chain(run).collect::<Vec<_>>().join("; "))
    }

    fn properties(&self) -> Properties {
        let is_run = self.run.is_some();
        let compiler = self.held.as_ref().and_then(|held| held.compiler.as_ref());
        let is_crash = compiler.is_some_and(|compiler| !compiler.failure.is_in_program());
        Properties { runs_candidates: is_run, holds_values: is_run, is_crash, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        (which == CompilerJob::Layout).then(|| which.by(&self.rustc, program))
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        let is_accepted = self.held.as_ref().is_some_and(|held| held.codes.split_whitespace().all(|code| code == "0"));
        let is_named = self.versions.iter().all(|version| SUITE.iter().any(|name| version.starts_with(name)));
        (is_accepted && is_named).then(|| (&self.rustc, Form::Incremental(self.versions.clone())))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { rustc, ..self.clone() }))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        self.held.as_ref()?.compiler.as_ref()?.other_failure(result)
    }

    fn failures(&self) -> Vec<String> {
        self.held.as_ref().and_then(|held| Some(held.compiler.as_ref()?.shown.clone())).unwrap_or_default()
    }
}
