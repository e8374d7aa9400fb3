//! Records how cargo calls the compiler: mcve runs between the two as `RUSTC_WRAPPER` and `RUSTDOC`, by a link. What it needs to
//! know stands beside the link, as a package may set any variable.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::variables;
use mcve_reduce::program::read_regular;

/// The name of the link. A process that is called so is a wrapper.
const NAME: &str = "mcve-compiler";

/// The link beside it to the folder of the records.
const RECORDS: &str = "records";

/// The file beside it with the variables that cargo was started with.
const KNOWN: &str = "known";

/// The tool that cargo calls for documentation.
pub const RUSTDOC: &str = "rustdoc";

/// The variable with the arguments of `cargo clippy`.
pub(super) const CLIPPY: &str = "CLIPPY_ARGS";

/// The prefix of a line in which the compiler reports an artifact to cargo.
const ARTIFACT: &str = r#"{"$message_type":"artifact""#;

/// The wrapper's exit code if a signal ended the compiler.
const SIGNALLED: u8 = 101;

/// A call of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The command line, compiler first; `cargo clippy` wraps the compiler in a program of its own.
    pub argv: Vec<String>,
    /// The folder in which it was called.
    pub folder: PathBuf,
    /// The variables that cargo sets for the crate.
    pub environment: BTreeMap<String, String>,
    /// The exit code; none if a signal ended it.
    pub status: Option<i32>,
    /// Its standard error: diagnostics as JSON, and plain lines.
    #[serde(default)]
    pub said: String,
    /// The identifier of the run of cargo.
    pub run: String,
    /// When it ended, in nanoseconds since 1970.
    pub ended: u128,
}

/// Makes the link, in a new folder whose name identifies the run of cargo among others. `wrapper` is this program. Returns the
/// path of the link.
pub(super) fn make_link(folder: &Path, wrapper: &Path, records: &Path) -> std::io::Result<PathBuf> {
    std::fs::create_dir(folder)?;
    symlink(records, folder.join(RECORDS))?;
    std::fs::write(folder.join(KNOWN), variables::known())?;
    symlink(wrapper, folder.join(NAME)).map(|()| folder.join(NAME))
}

/// Whether this program was called by that link.
pub fn is_wrapper(words: &[OsString]) -> bool {
    words.first().is_some_and(|program| Path::new(program).file_name() == Some(NAME.as_ref()))
}

/// Runs the compiler call in `words`, which begins with the name of this program, and records it. Returns the exit
/// code.
///
/// # Errors
/// When the compiler cannot be started, or the record cannot be written.
pub fn wrap(words: &[OsString]) -> std::io::Result<u8> {
    let called = || std::io::Error::other("a wrapper is called with the compiler and its arguments");
    let [link, words @ ..] = words else { return Err(called()) };
    // As `RUSTDOC`, it is called with the arguments only.
    let is_rustdoc = words.first().is_some_and(|word| word.as_encoded_bytes().starts_with(b"-"));
    let words: Vec<OsString> = is_rustdoc.then(|| RUSTDOC.into()).into_iter().chain(words.iter().cloned()).collect();
    let [compiler, arguments @ ..] = &words[..] else { return Err(called()) };
    let mut child = Command::new(compiler).args(arguments).stderr(Stdio::piped()).spawn()?;
    let said = child.stderr.take().map_or(Ok(String::new()), hand_on)?;
    let status = child.wait()?;
    if let (Some(folder), Some(argv)) = (Path::new(link).parent(), texts(&words))
        && let Some(name) = name(&argv)
    {
        let known = std::fs::read_to_string(folder.join(KNOWN))?;
        // The arguments that `cargo clippy` passes to its compiler.
        let lints = std::env::var(CLIPPY).ok().map(|lints| (CLIPPY.to_owned(), lints));
        let environment = variables::of_crate(known).chain(lints).collect();
        let ended = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let run = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder_of_call = std::env::current_dir()?;
        let record = Record { argv, folder: folder_of_call, environment, status: status.code(), said, run, ended };
        let text = serde_json::to_string(&record).map_err(std::io::Error::other)?;
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(folder.join(RECORDS).join(name));
        file?.write_all(text.as_bytes())?;
    }
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(SIGNALLED))
}

/// Forwards the compiler's standard error to cargo line by line, and returns it without the artifact lines that only
/// cargo reads.
fn hand_on(stderr: ChildStderr) -> std::io::Result<String> {
    let (mut stderr, mut line, mut said) = (BufReader::new(stderr), Vec::new(), String::new());
    while stderr.read_until(b'\n', &mut line)? > 0 {
        std::io::stderr().write_all(&line)?;
        if !line.starts_with(ARTIFACT.as_bytes()) {
            said += &String::from_utf8_lossy(&line);
        }
        line.clear();
    }
    Ok(said)
}

/// The words as strings; none if one is not UTF-8.
fn texts(words: &[OsString]) -> Option<Vec<String>> {
    words.iter().map(|word| word.to_str().map(str::to_owned)).collect()
}

/// The file name of a record; none for a call that compiles no crate of the package: cargo queries the compiler, and
/// build scripts probe its features.
fn name(argv: &[String]) -> Option<String> {
    let is_of_cargo = argv.iter().any(|word| word.starts_with("--error-format=json") || word.starts_with("--json"));
    let krate = argv.iter().position(|word| word == "--crate-name").and_then(|at| argv.get(at + 1))?;
    let extra = argv.iter().find_map(|word| word.strip_prefix("extra-filename=")).unwrap_or_default();
    (is_of_cargo && krate != "___").then(|| format!("{krate}{extra}.json"))
}

impl Record {
    /// All records in a folder, in the order in which the calls ended. Other files are ignored.
    pub fn all(folder: &Path) -> std::io::Result<Vec<Self>> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            // Code of the package can put a link there, or a pipe without an end.
            let Ok(bytes) = read_regular(&entry?.path()) else { continue };
            all.extend(serde_json::from_slice::<Self>(&bytes).ok());
        }
        all.sort_by_key(|record| record.ended);
        Ok(all)
    }
}
