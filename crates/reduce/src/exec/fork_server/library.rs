//! The library that is preloaded into a server: compiled by the user's own rustc, once, into a cache.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use mcve_preload::{OPTIONS, ROOT, SOURCES};
use xxhash_rust::xxh3::xxh3_128;

use super::cache::Cache;
use crate::exec::job::{Answer, End, Job, Word};
use crate::exec::process::Processes;
use crate::own_files::user_folder;
use crate::program::File;

/// The time limit of the compiler, which takes a fraction of a second.
const LONGEST: Duration = Duration::from_secs(600);

/// The hosts of the compilers that it is known to work with.
const HOSTS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The folder of compiled objects: `mcve` in the user's cache folder. None if that folder is unknown.
pub fn cache_folder() -> Option<PathBuf> {
    user_folder("XDG_CACHE_HOME", ".cache")
}

/// Finds the object for `compiler` in `cache`, or builds it and stores it there if possible. Returns a copy in `own`, a folder of the
/// run's own, which no other process can change between the check and the use.
pub(super) fn find_or_build(
    compiler: &Path,
    cache: Option<&Cache>,
    own: &Path,
    processes: &Processes,
) -> anyhow::Result<PathBuf> {
    let name = name(compiler)?;
    let file = own.join(&name);
    if file.is_file() {
        return Ok(file);
    }
    fs::create_dir_all(own).with_context(|| format!("cannot make `{}`", own.display()))?;
    let folder = tempfile::Builder::new().prefix("new-").tempdir_in(own).context("cannot write the cache")?;
    let found = folder.path().join("found");
    let bytes = match cache.and_then(|cache| cache.read(&name)) {
        Some(bytes) => bytes,
        None => {
            can_be_served(compiler, processes)?;
            let built = build(compiler, processes)?;
            // If it is not stored, the next run builds it again.
            let _ = cache.map(|cache| cache.write(&name, &built));
            built
        }
    };
    let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&found)?;
    copy.write_all(&bytes).context("cannot write the cache")?;
    drop(copy);
    fs::rename(found, &file).context("cannot write the cache")?;
    Ok(file)
}

/// The name of the object for `compiler` as it is now.
fn name(compiler: &Path) -> anyhow::Result<String> {
    let about = fs::metadata(compiler).with_context(|| format!("there is no `{}`", compiler.display()))?;
    let about = (SOURCES, OPTIONS, compiler, about.len(), about.mtime(), about.mtime_nsec());
    let hash = xxh3_128(format!("{about:?}").as_bytes());
    Ok(format!("fork-server-{hash:032x}.so"))
}

fn can_be_served(compiler: &Path, processes: &Processes) -> anyhow::Result<()> {
    if !is_binary(compiler) {
        bail!("`{}` is a script", compiler.display());
    }
    let version = output(Vec::new(), vec![compiler.into(), "-vV".into()], None, processes)?;
    let host = host(&version).unwrap_or_default();
    if !HOSTS.contains(&host) {
        bail!("rustc for `{host}` is not served");
    }
    Ok(())
}

/// The system that a compiler runs on, by what `rustc -vV` prints.
pub(super) fn host(version: &[u8]) -> Option<&str> {
    str::from_utf8(version).ok()?.lines().find_map(|line| line.strip_prefix("host: "))
}

fn build(compiler: &Path, processes: &Processes) -> anyhow::Result<Vec<u8>> {
    const BUILT: &str = "built";
    let files = SOURCES.iter().map(|&(name, text)| (name.into(), text.into())).collect();
    let mut words = vec![OsString::from(compiler)];
    words.extend(OPTIONS.iter().chain(&[ROOT, "-o", BUILT]).map(OsString::from));
    output(files, words, Some(Answer::At(BUILT.into())), processes)
}

/// Whether it is an ELF file. If it were a script, the library would be preloaded into its shell.
fn is_binary(program: &Path) -> bool {
    let mut magic = [0; 4];
    fs::File::open(program).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

/// The output of the compiler, which must succeed.
fn output(
    files: Vec<(PathBuf, File)>,
    words: Vec<OsString>,
    answer: Option<Answer>,
    processes: &Processes,
) -> anyhow::Result<Vec<u8>> {
    let job = Job { files, argv: words.into_iter().map(Word::Text).collect(), answer, ..Job::default() };
    let result = processes.run_without_limit(&job, LONGEST)?;
    if result.end != End::Exited(0) {
        let words = String::from_utf8_lossy(&result.stderr);
        bail!("rustc fails ({}): {}", result.end, words.lines().next().unwrap_or_default());
    }
    Ok(result.stdout)
}

/// Removes a damaged object, also from `cache`, so that the next run builds it again. Returns the error as text.
pub(super) fn discard(object: &Path, cache: &Path, error: &anyhow::Error) -> String {
    // A missing file need not be removed.
    let _ = fs::remove_file(object);
    if let Some(name) = object.file_name().and_then(OsStr::to_str) {
        let _ = fs::remove_file(cache.join(name));
    }
    format!("{error:#}")
}

#[cfg(test)]
mod tests;
