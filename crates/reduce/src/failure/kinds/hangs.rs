//! The program does not end when it is run.
//!
//! Any loop without its step hangs. So a candidate must hang in the same loop, known by the name of its function, its condition
//! and the functions that it calls. The copy that a check compiles has one more module, which prints a backtrace when the system
//! signals the end of the processor time (`SIGXCPU`, or `SIGPROF` where a likely answer is enough). A deadlock uses no
//! processor: there the same signal tells that all processes of a check have waited for that time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::{Analysis, FailingSite, Source, Tree};
use rustix::process::Signal;

use super::kind::{Ask, FailureKind};
use super::run_with::RunWith;
use crate::exec::job::{End, Job, JobResult, Likely};
use crate::failure::error::FailureError;
use crate::failure::spec::Bound;
use crate::oracle::places::byte;
use crate::oracle::run::{Runner, Target};
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict, entry};
use crate::program::{File, FileKind, Program};

/// The program does not end within a processor time.
#[derive(Clone, Debug)]
struct Hangs {
    bound: Duration,
    run: RunWith,
    /// Whether the failure also requires the place where the program hangs.
    is_located: bool,
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    let Some(run) = ask.run() else { return Ok(()) };
    for bound in &ask.spec.bounds {
        if let Bound::Hangs(bound) = *bound {
            kinds.push(Arc::new(Hangs { bound, run: run.clone(), is_located: true }));
        }
    }
    Ok(())
}

impl FailureKind for Hangs {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let (bound, site, waits) = (self.bound, seen.and_then(common_loop), seen.map(has_waited));
        let is_located = self.is_located && (seen.is_none() || site.is_some());
        let runner = self.run.runner(rustc);
        let runner = Runner { is_traced: is_located, seconds: bound.as_secs(), processor: None, ..runner };
        Arc::new(HangOracle { runner, bound, is_located, site, waits })
    }

    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        Some(self.run.runner(rustc))
    }

    fn is_of_run(&self) -> bool {
        true
    }

    fn simpler(&self) -> Option<Arc<dyn FailureKind>> {
        self.is_located.then(|| Arc::new(Self { is_located: false, ..self.clone() }) as Arc<dyn FailureKind>)
    }
}

/// The line before each backtrace.
const MARK: &str = "mcve: out of processor time";

/// The module that is added to a program, on one line. At the end of the processor time it prints a few backtraces, some
/// milliseconds apart, as the first may begin where the frame of a function is not complete. After 20 s `SIGALRM` ends
/// a deadlock in the handler: on a busy machine a backtrace takes seconds.
const HANDLER: &str = r#"#[allow(warnings, unsafe_code, clippy::all)] mod mcve_hang { use std::sync::atomic::{AtomicI32, Ordering::Relaxed}; static LEFT: AtomicI32 = AtomicI32::new(6); UNSAFE extern "C" { fn signal(number: i32, handler: usize) -> usize; fn raise(number: i32) -> i32; fn alarm(seconds: u32) -> u32; fn setitimer(which: i32, new: *const [i64; 4], old: usize) -> i32; } extern "C" fn tell(_: i32) { unsafe { alarm(20); signal(27, tell as *const () as usize); } std::eprintln!("MARK"); for line in std::string::ToString::to_string(&std::backtrace::Backtrace::force_capture()).lines() { if line.trim().starts_with("at ") && !line.contains("/rustc/") { std::eprintln!("{line}"); } } if LEFT.fetch_sub(1, Relaxed) <= 1 { unsafe { signal(24, 0); raise(24); } } unsafe { alarm(0); setitimer(2, &[0, 0, 0, 7000], 0); } } extern "C" fn begin() { unsafe { signal(24, tell as *const () as usize); signal(27, tell as *const () as usize); } } #[used] #[SECTION] static BEGIN: extern "C" fn() = begin; }"#;

/// A program that is in the loop after the processor time divided by this most likely stays in it.
const LIKELY_PART: u32 = 10;

/// Does the program still hang in the same loop?
#[derive(Clone, Debug)]
struct HangOracle {
    runner: Runner,
    bound: Duration,
    /// Whether the program prints where it hangs. That needs the standard library, and a loop.
    is_located: bool,
    /// The loop in which the unreduced program hangs, if known.
    site: Option<FailingSite>,
    /// Whether the unreduced program waits, if known. Otherwise it runs.
    waits: Option<bool>,
}

impl HangOracle {
    /// Adds the handler to the program among `files`.
    fn add_handler(&self, program: &Program, files: &mut [(PathBuf, File)]) {
        if let Some((_, file)) = files.iter_mut().find(|(path, _)| *path == program.name)
            && file.kind == FileKind::Plain
            && let Ok(text) = std::str::from_utf8(&file.bytes)
        {
            let handler = Self::handler(self.runner.rustc.of(program).edition());
            file.bytes = format!("{}\n{handler}", entry::without_forbid(text)).into_bytes().into();
        }
    }

    /// The handler in the words of an edition.
    fn handler(edition: Option<&str>) -> String {
        let [unsafe_word, section] = match edition {
            Some("2024") => ["unsafe", "unsafe(link_section = \".init_array\")"],
            _ => ["", "link_section = \".init_array\""],
        };
        let handler = HANDLER.replace("UNSAFE", unsafe_word).replace("SECTION", section);
        handler.replace("MARK", MARK)
    }
}

/// Whether a program was ended because it waited.
fn has_waited(result: &JobResult) -> bool {
    result.usage.is_some_and(|usage| usage.has_waited)
}

/// The loops that a backtrace is in, innermost first.
fn loops<'t>(backtrace: &str, program: &Program, names: &'t Analysis<'t>) -> Vec<FailingSite> {
    let files = program.files();
    let places = backtrace.lines().filter_map(|line| line.trim().strip_prefix("at "));
    let bytes = places.filter_map(|place| byte(place, program, &files));
    bytes.filter_map(|byte| FailingSite::of_loop(names, byte)).collect()
}

/// The loops of each backtrace of a run.
fn samples(result: &JobResult) -> Vec<Vec<FailingSite>> {
    let Some(program) = &result.subject else { return Vec::new() };
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let stderr = String::from_utf8_lossy(&result.stderr);
    let samples = stderr.split(MARK).skip(1).map(|backtrace| loops(backtrace, program, &names));
    samples.filter(|loops| !loops.is_empty()).collect()
}

/// The innermost of the loops that most backtraces of a run are in.
fn common_loop(result: &JobResult) -> Option<FailingSite> {
    let samples = samples(result);
    let times = |site: &FailingSite| samples.iter().filter(|sample| sample.contains(site)).count();
    let all = || samples.iter().flatten();
    let most = all().map(times).max()?;
    all().find(|site| times(site) == most).cloned()
}

/// Whether another loop is the expected one, or what is left of it.
fn is_there(expected: &FailingSite, other: &FailingSite) -> bool {
    let is_same = (&other.function, &other.evidence) == (&expected.function, &expected.evidence);
    is_same && other.calls.is_superset(&expected.calls)
}

impl Oracle for HangOracle {
    fn job(&self, program: &Program) -> Job {
        let mut job = self.runner.job(program);
        job.waiting = Some(self.bound);
        let (files, steps) = match job.likely.take() {
            Some(likely) => (likely.files, likely.steps),
            None => (job.files.clone(), job.steps.clone()),
        };
        let part = Some(self.bound / LIKELY_PART);
        let mut likely = Likely { files, steps, processor: part, waiting: part };
        if self.is_located {
            // The handler says where it is. A panic need not, and that takes longer than most runs.
            job.env.retain(|(name, _)| name != "RUST_BACKTRACE");
            job.env.push(("RUST_BACKTRACE".into(), Some("0".into())));
            self.add_handler(program, &mut job.files);
            self.add_handler(program, &mut likely.files);
        }
        Job { likely: Some(Box::new(likely)), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::not_compiled(result);
        }
        match (result.end, &self.site) {
            (End::Signalled(_), _) if self.waits.is_some_and(|waits| waits != has_waited(result)) => {
                Verdict::unresolved(if has_waited(result) { "it waits" } else { "it runs" })
            }
            (End::Signalled(signal), site) if signal == Signal::XCPU.as_raw() => {
                let is_same =
                    |expected: &FailingSite| samples(result).iter().flatten().any(|other| is_there(expected, other));
                match site.as_ref().is_none_or(is_same) {
                    true => Verdict::fail("it hangs"),
                    false => Verdict::unresolved("it hangs elsewhere"),
                }
            }
            (End::Exited(0), _) if self.runner.passes(result) => Verdict::pass("it ends"),
            (end, _) => Verdict::unresolved(end.to_string()),
        }
    }

    fn failure(&self) -> FailureId {
        let who = match &self.runner.target {
            Target::Main(_) => "the program".to_owned(),
            Target::Test(name) => format!("the test `{name}`"),
        };
        let place = self.site.as_ref().and_then(|site| site.function.as_ref());
        let place = place.map_or_else(String::new, |function| format!(", it hangs in a loop of `{function}`"));
        let bound = humantime::format_duration(self.bound);
        if self.waits == Some(true) {
            return format!("{who} waits for something that does not come: nothing of it runs for {bound}{place}")
                .into();
        }
        format!("{who} does not end in {bound} of processor time{place}").into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }

    fn properties(&self) -> Properties {
        Properties { holds_values: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        self.runner.compiler_job(which, program)
    }
}
