//! What to say of a file whose failure is not found, or of how it was found.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::cli::exit::{Exit, Failed};
use crate::exec::job::{End, JobResult};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::headers::{Headers, Refused};
use crate::oracle::obstacles::Obstacle;
use crate::program::Program;

/// So many lines of what a check printed are shown.
const SHOWN: usize = 20;

/// What to say of an edition that mcve chose.
pub(super) fn note_edition(edition: &str, manifest: Option<&(String, PathBuf)>) -> String {
    let why = match manifest {
        Some((said, path)) if said == edition => format!("as {} says", path.display()),
        _ => "the newest one in which the file shows the fewest errors".to_owned(),
    };
    format!("edition: {edition}, {why}")
}

/// What to say where the program has several errors, a line each, of which the first is kept.
pub(super) fn several_errors(shown: &[String]) -> Option<String> {
    let [first, others @ ..] = shown else { return None };
    (!others.is_empty()).then(|| {
        let count = shown.len();
        format!(
            "{count} errors, of which the first is kept: {first}; choose another one by --at LINE, --code or --message"
        )
    })
}

/// What rustc wrote as a person sees it.
pub(super) fn rendered(result: &JobResult) -> JobResult {
    let stderr = Stderr::read(&result.stderr);
    let errors = stderr.diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error());
    let text: String = errors.filter_map(|error| error.rendered.clone()).collect();
    JobResult { stderr: text.into(), ..result.clone() }
}

/// Whether a program is likely Rust: by its name, or as all of it can be parsed.
pub(super) fn is_rust(program: &Program) -> bool {
    let is_named = program.name.extension().is_some_and(|extension| extension == "rs");
    is_named || mcve_transforms::Source::parse(&*program.text).understanding() == mcve_transforms::Understanding::Full
}

pub(super) fn not_rust(file: &Path) -> anyhow::Error {
    let name = file.display();
    anyhow!(
        "{name} is not Rust: to reduce it as text, say by --test SCRIPT or by a command when the failure is there; to compile it all the same: --force"
    )
}

pub(super) fn lacking(file: &Path, obstacles: &[Obstacle]) -> anyhow::Error {
    let name = file.display();
    let lines: String = obstacles.iter().map(|obstacle| format!("\n  {obstacle}")).collect();
    anyhow!("{name} is not all of its program:{lines}\nto reduce it with these errors: --force")
}

/// Why a file is refused whose headers ask for more than is allowed.
fn untrusted(refused: &BTreeSet<&Refused>, file: &Path) -> anyhow::Error {
    let name = file.display();
    let lines: String = refused.iter().map(|refused| format!("\n  {refused}")).collect();
    anyhow!(
        "{name} asks by its headers for what may run, load or write something:{lines}\nto follow them, if you trust the file: --trust-headers"
    )
}

/// What to say of headers that are not followed.
///
/// # Errors
/// When there are some without which another program is compiled.
pub(super) fn note_headers(
    headers: &[Headers],
    program: &Program,
    file: &Path,
    force: bool,
) -> Result<Option<String>, Failed> {
    let names = |of: fn(&Headers) -> &BTreeSet<String>| {
        let names: BTreeSet<&String> = headers.iter().flat_map(of).collect();
        names.into_iter().map(|name| format!("`//@ {name}`")).collect::<Vec<_>>().join(", ")
    };
    let (unsupported, unknown) = (names(|headers| &headers.unsupported), names(|headers| &headers.unknown));
    let crates = || headers.iter().flat_map(|headers| &headers.crates);
    if crates().next().is_some() && program.crates().is_empty() && !force {
        let names: BTreeSet<&str> = crates().map(|needed| &*needed.file).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        let name = file.display();
        let error = anyhow!(
            "{name} needs other crates, and their files are not all there: {names}, in the folder auxiliary beside it; to reduce it without them: --force"
        );
        return Err(Failed::new(Exit::Input, error));
    }
    let refused: BTreeSet<&Refused> = headers.iter().flat_map(|headers| &headers.refused).collect();
    if !refused.is_empty() {
        return Err(Failed::new(Exit::Input, untrusted(&refused, file)));
    }
    if !unsupported.is_empty() && !force {
        let name = file.display();
        let error = anyhow!(
            "{name} needs other crates by {unsupported}, which mcve does not follow: compile them and name them by `-- --extern NAME=PATH`; to reduce it without them: --force"
        );
        return Err(Failed::new(Exit::Input, error));
    }
    let all = [unsupported, unknown].into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ");
    Ok((!all.is_empty()).then(|| format!("headers that mcve does not follow: {all}")))
}

/// The first lines of what a check printed.
pub(in crate::cli) fn excerpt(result: &JobResult) -> String {
    let text = [&result.stdout[..], &result.stderr[..]].map(String::from_utf8_lossy).concat();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut shown: Vec<String> = lines.by_ref().take(SHOWN).map(|line| format!("  {}", shorten(line))).collect();
    match lines.count() {
        0 if shown.is_empty() => shown.push("  (it printed nothing)".to_owned()),
        0 => {}
        more => shown.push(format!("  .. and {more} more lines")),
    }
    if result.end == End::TimedOut {
        shown.push("  (it did not end in time)".to_owned());
    }
    shown.join("\n")
}

fn shorten(line: &str) -> String {
    const LONGEST: usize = 200;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_owned(),
    }
}

/// Arguments that are a command and not rustc's.
pub(in crate::cli) fn is_command(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg.to_string_lossy().contains("{}"))
}
