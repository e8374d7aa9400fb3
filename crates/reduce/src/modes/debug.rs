//! `mcve debug`: a failing program in a debugger, stopped where it fails.

use std::io::{Error, Read, copy, pipe};
use std::path::Path;
use std::sync::Arc;
use std::thread::{Builder, scope};
use std::time::Duration;

use crate::check::limits::Stop;
use crate::check::refusal::Refusal;
use crate::event::{Event, Observer};
use crate::exec::job::{ExecError, Job, Word};
use crate::exec::programs;
use crate::failure::problem::Problem;
use crate::oracle::run::STDIN_FILE;
use crate::oracle::run_failure::panics_before;
use crate::program::File;
use crate::session::Session;

/// The debuggers: the name, the line of the shell that starts it, and its first commands, which that line reads from a file.
const DEBUGGERS: [(&str, &str, &str); 2] = [
    ("gdb", "exec \"$0\" -q -nx -x .mcve-debug --args \"$@\" 2>&1", include_str!("debug/gdb")),
    ("lldb", "exec \"$0\" -X -x -s .mcve-debug -- \"$@\" 2>&1", include_str!("debug/lldb")),
];

/// Runs the program in a debugger until it fails. The debugger then takes commands from `input`; `show` gets what it prints.
///
/// # Errors
/// When no run of the program fails, there is no debugger, or the user interrupts it.
pub fn debug(
    problem: &Problem,
    session: &Session,
    input: impl Read + Send + 'static,
    mut show: impl FnMut(&[u8]) + Send,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let Problem { program, oracle, .. } = problem;
    let (limits, executor) = (&session.limits, session.executor());
    let mut job = oracle.job(program);
    if !oracle.properties().is_of_run {
        return Err(Refusal::NotFailing("it does not fail when it is run".to_owned(), None));
    }
    let cannot = |source: Error| Stop::Exec(ExecError { doing: "cannot start a debugger".to_owned(), source });
    let cancel = limits.cancel();
    let earlier = panics_before(&executor.run(&job, Duration::MAX, &cancel).map_err(Stop::Exec)?);
    // The debugger finds the sources where they are compiled: in the folder of this job.
    let compile = &mut job.steps.last_mut().expect("it is compiled before it is run").argv;
    compile.push(Word::Text("-Cdebuginfo=2".into()));
    let compiler = compile[0].in_folder(Path::new(""));
    let found = DEBUGGERS.iter().find_map(|debugger| Some((debugger, programs::find(debugger.0.as_ref()).ok()?)));
    let Some(((name, line, commands), plain)) = found else {
        return Err(cannot(Error::other("gdb or lldb has to be installed")).into());
    };
    // rustc's own knows how to print the types of the standard library.
    let wrapper = Path::new(&compiler).with_file_name(format!("rust-{name}"));
    let wrapper = if wrapper.is_file() { wrapper } else { plain };
    observer.event(&Event::Note {
        message: format!("`quit` leaves {name}; it runs the program until {}", oracle.failure().words),
    });
    let has_stdin = job.files.iter().any(|(path, _)| path == Path::new(STDIN_FILE));
    let commands = commands.replace("STDIN", if has_stdin { STDIN_FILE } else { "/dev/null" });
    job.files.push((".mcve-debug".into(), File::plain(commands.replace("EARLIER", &earlier.to_string()).as_bytes())));
    // Before the program stands the line for a shell that limits its time.
    job.argv[2] = Word::Text((*line).into());
    job.argv.insert(3, Word::Text(wrapper.into()));
    let (stdin, feed) = pipe().map_err(cannot)?;
    let (mut said, stdout) = pipe().map_err(cannot)?;
    let job = Job { streams: Some(Arc::new([stdin.into(), stdout.into()])), processor: None, likely: None, ..job };
    // A debugger that ends leaves the rest of the input.
    let feeding = move || drop(copy(&mut { input }, &mut { feed }));
    Builder::new().spawn(feeding).map_err(cannot)?;
    scope(|scope| {
        let showing = move || {
            let mut buffer = [0; 1 << 12];
            while let Ok(read @ 1..) = said.read(&mut buffer) {
                show(&buffer[..read]);
            }
        };
        Builder::new().spawn_scoped(scope, showing).map_err(cannot)?;
        let ended = executor.run(&job, Duration::MAX, &cancel).map_err(Stop::Exec);
        drop(job);
        ended
    })?;
    Ok(limits.proceed()?)
}
