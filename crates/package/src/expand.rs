//! Replaces procedural macros by their expansions.

use std::ffi::OsString;
use std::time::Duration;

use super::call::{Call, Extern};
use super::error::PackageError;
use super::expansion;
use super::failing::Failing;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::{End, Job, Word};
use mcve_reduce::exec::programs;
use mcve_reduce::program::Program;
use mcve_reduce::session::Session;

/// The time limit for the expansion.
const LONGEST: Duration = Duration::from_secs(120);

/// The program with the procedural macros on its items expanded; none if it uses none, or the compiler does not show the
/// expansion.
pub(super) fn expand(program: &Program, failing: &Failing, session: &Session) -> Result<Option<Program>, PackageError> {
    let used = program.arguments().into_iter().filter_map(|argument| Extern::of_argument(&argument));
    let may_be_macro = |used: &Extern| used.is_proc_macro() || uses_macros(used, &failing.calls);
    if !program.is_lone() || !used.into_iter().any(|used| may_be_macro(&used)) {
        return Ok(None);
    }
    let compiler = programs::rustc(None, session.toolchain.as_deref()).map_err(PackageError::Unavailable)?;
    let mut argv: Vec<OsString> = vec![compiler.into(), "-Zunpretty=expanded".into()];
    argv.extend(program.edition().map(|edition| format!("--edition={edition}").into()));
    let line = failing.call.line_of_caller(program.edition().is_none());
    let line = line.into_iter().chain(program.arguments());
    argv.extend(line.filter(|argument| !argument.starts_with("--emit")).map(OsString::from));
    let harness = OsString::from("--test");
    if failing.call.is_test && !argv.contains(&harness) {
        argv.push(harness);
    }
    let mut argv: Vec<Word> = argv.into_iter().map(Word::Text).collect();
    argv.push(Word::path(&*program.name));
    // `-Zunpretty` is an option of the nightly compiler.
    let variables = program.environment().into_iter().chain([("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned())]);
    let env = variables.map(|(name, value)| (name.into(), Some(value.into()))).collect();
    let job = Job { files: program.files(), argv, env, ..Job::default() };
    let result = session
        .executor()
        .run(&job, session.limits.left(LONGEST), &Cancel::default())
        .map_err(|error| PackageError::Unavailable(error.into()))?;
    let (lists, shown) = (program.lists(), String::from_utf8_lossy(&result.stdout));
    if !matches!(result.end, End::Exited(_)) {
        return Ok(None);
    }
    let text = expansion::without_macros(&program.text[..lists], &shown);
    Ok(text.map(|text| program.with_text(text + &program.text[lists..])).filter(Program::is_whole))
}

/// Whether a library is known to depend on a crate of procedural macros.
fn uses_macros(used: &Extern, calls: &[Call]) -> bool {
    let made = |call: &&Call| used.path.as_ref().is_some_and(|path| call.has_made(path));
    calls.iter().rev().find(made).is_some_and(|call| call.externs.iter().any(Extern::is_proc_macro))
}
