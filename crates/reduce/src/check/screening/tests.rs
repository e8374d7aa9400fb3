//! Screening, with an executor that reads the texts in the place of rustc and of what it makes.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcve_transforms::{CHOICE, transforms};

use super::*;
use crate::check::layers::Layers;
use crate::check::limits::Limits;
use crate::check::testing::Events;
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor, Step, Word};
use crate::exec::shortcut::Shortcut;
use crate::oracle::{FailureId, Oracle};
use crate::search::engine::Search;
use crate::search::passes::minimality::prove;
use crate::search::passes::schedule::COARSE_TO_FINE;

const NAME: &str = "a.rs";

/// A program fails if it calls what is needed; it does not compile without what it calls.
struct Calls;

impl Oracle for Calls {
    fn job(&self, program: &Program) -> Job {
        let compile = Step { argv: words(&["compile"]), reads: vec![NAME.into()], output: "run".into() };
        Job { files: program.files(), argv: words(&["run"]), steps: vec![compile], ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match (result.failed_step, result.end) {
            (Some(_), _) => Verdict::unresolved("new error E0425"),
            (None, End::Exited(101)) => Verdict::fail("the same failure"),
            _ => Verdict::pass("nothing fails"),
        }
    }

    fn failure(&self) -> FailureId {
        "it calls what is needed".to_owned().into()
    }

    fn command(&self, _: &Program, path: &Path) -> String {
        path.display().to_string()
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let errors = || Job { files: program.files(), argv: words(&["errors"]), ..Job::default() };
        (which == CompilerJob::Errors).then(errors)
    }
}

fn words(words: &[&str]) -> Vec<Word> {
    words.iter().map(|word| Word::Text(word.into())).collect()
}

/// How many jobs there were of each kind.
#[derive(Default)]
struct Counts {
    errors: AtomicUsize,
    alone: AtomicUsize,
    together: AtomicUsize,
}

/// "Compiles" and "runs" programs.
#[derive(Default)]
struct Reader {
    counts: Arc<Counts>,
    shortcut: Shortcut,
    /// What a batch shows that is so of none of its variants alone.
    spoils: Option<&'static str>,
}

/// The places of calls of what is not there, in a module.
fn missed(module: &str) -> Vec<usize> {
    let calls = module.match_indices("();").map(|(end, _)| {
        let start = module[..end].rfind(|char: char| !char.is_alphanumeric()).map_or(0, |before| before + 1);
        (start, &module[start..end])
    });
    calls.filter(|(_, name)| !module.contains(&format!("fn {name}()"))).map(|(start, _)| start).collect()
}

impl Executor for Reader {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let file = |name: &str| job.files.iter().find(|(path, _)| path == Path::new(name));
        let text = file(NAME).map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned()).expect("it is there");
        let choice =
            file(CHOICE).map(|(_, file)| format!("mod mcve_variant_{} {{\n", String::from_utf8_lossy(&file.bytes)));
        if job.argv == words(&["errors"]) {
            self.counts.errors.fetch_add(1, Ordering::Relaxed);
            let mut stderr = String::new();
            let mut from = 0;
            for module in text.split_inclusive("\n}\n") {
                let missed = missed(module).into_iter().map(|at| (from + at, "E0425"));
                let spoiled = self
                    .spoils
                    .into_iter()
                    .filter(|_| module.contains("mcve_variant"))
                    .map(|code| (from + module.find("{\n").map_or(0, |at| at + 2), code));
                for (at, code) in missed.chain(spoiled) {
                    let span = format!(
                        r#"{{"file_name":"{NAME}","byte_start":{at},"byte_end":{at},"line_start":1,"column_start":1,"is_primary":true}}"#
                    );
                    stderr +=
                        &format!(r#"{{"message":"m","code":{{"code":"{code}"}},"level":"error","spans":[{span}]}}"#);
                    stderr.push('\n');
                }
                from += module.len();
            }
            let end = End::Exited(i32::from(!stderr.is_empty()));
            return Ok(JobResult { stderr: stderr.into(), ..JobResult::ended(end) });
        }
        let count = if choice.is_some() { &self.counts.together } else { &self.counts.alone };
        count.fetch_add(1, Ordering::Relaxed);
        if !missed(&text).is_empty() {
            return Ok(JobResult { failed_step: Some(0), ..JobResult::ended(End::Exited(1)) });
        }
        let own = match choice {
            Some(module) => {
                text.split_once(&*module).and_then(|(_, rest)| rest.split_once("\n}\n")).map_or("", |(own, _)| own)
            }
            None => &text,
        };
        Ok(JobResult::ended(End::Exited(if fails(own) { 101 } else { 0 })))
    }

    fn shortcut(&self) -> Option<&Shortcut> {
        Some(&self.shortcut)
    }
}

const NEEDED: usize = 30;

/// A program of functions of which each calls the next one, and of some that nobody needs.
fn input() -> String {
    let needed = |number| format!("fn k{number}() {{ k{}(); }}\n", number + 1);
    let needed: String = (0..NEEDED).map(needed).collect();
    format!("fn a() {{ b(); }}\nfn b() {{}}\n{needed}fn k{NEEDED}() {{}}\nfn main() {{ k0(); a(); b(); }}\n")
}

/// Whether a program calls all functions that are needed.
fn fails(text: &str) -> bool {
    (0..=NEEDED).all(|number| text.contains(&format!("k{number}();")))
}

/// What the proof makes of the input, after how many checks, and how many jobs there were: for errors, alone and together.
fn proved(screening: bool, jobs: usize, spoils: Option<&'static str>) -> ((String, usize), [usize; 3]) {
    let executor = Reader { spoils, ..Reader::default() };
    let counts = Arc::clone(&executor.counts);
    let checks = Checks::new(Arc::new(Calls), Arc::new(executor), jobs, Limits::default()).expect("threads can be had");
    let checks = checks.with_layers(Layers { screening, ..Layers::default() });
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let mut search = Search::new(Program::new(NAME, input()), transforms().collect(), checks, &mut events, &mut keep);
    prove(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    let found = (search.best().text.to_string(), search.checks.tally.checks);
    drop(search);
    (found, [&counts.errors, &counts.alone, &counts.together].map(|count| count.load(Ordering::Relaxed)))
}

#[test]
fn a_search_that_is_screened_is_the_same_with_fewer_jobs() {
    let (plain, [errors, all, together]) = proved(false, 1, None);
    assert_eq!((errors, together), (0, 0));
    for jobs in [1, 3] {
        let (found, [errors, alone, together]) = proved(true, jobs, None);
        assert_eq!(found, plain);
        assert!(errors > 0 && together > 0, "{errors} {together}");
        assert!(jobs > 1 || alone < all, "{alone} of {all}");
    }
}

#[test]
fn what_is_due_to_the_batch_rejects_nothing() {
    let plain = proved(false, 1, None).0;
    // Of two that implement the same for one type, and of any other error that the original has as well.
    for code in ["E0119", "E0425"] {
        let (found, [errors, _, together]) = proved(true, 1, Some(code));
        assert_eq!((found, together), (plain.clone(), 0));
        assert!((1..=TRIES).contains(&errors), "it is given up");
    }
}
