//! The object that is preloaded: compiled by the user's own rustc, once, into a cache.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, bail};
use xxhash_rust::xxh3::xxh3_128;

/// Its source.
const SOURCE: &str = include_str!("preload.rs");

/// Its name while it is compiled.
const NAME: &str = "preload.rs";

/// The compilers that it is known to work with, by the system that they run on.
const HOSTS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// Where compiled objects are kept: `mcve` in the user's cache folder. None if it is not known where that is.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    Some(caches?.join("mcve"))
}

/// Finds the object for `compiler` in the folder `cache`, or makes it.
///
/// # Errors
/// When `compiler` is none that can be served, or cannot compile, or the cache cannot be written.
pub(super) fn find_or_build(compiler: &Path, cache: &Path) -> anyhow::Result<PathBuf> {
    if !is_binary(compiler) {
        bail!("`{}` is a script", compiler.display());
    }
    let version = output(Command::new(compiler).arg("-vV"))?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    if !HOSTS.contains(&host) {
        bail!("rustc for `{host}` is not served");
    }
    let file = cache.join(format!("fork-server-{:032x}.so", xxh3_128(format!("{SOURCE}{version}").as_bytes())));
    if !file.is_file() {
        fs::create_dir_all(cache).with_context(|| format!("cannot make `{}`", cache.display()))?;
        build(compiler, cache, &file)?;
    }
    Ok(file)
}

/// Compiles it in a folder beside its place, so that nobody finds half of it there.
fn build(compiler: &Path, cache: &Path, file: &Path) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("new-").tempdir_in(cache).context("cannot write the cache")?;
    fs::write(folder.path().join(NAME), SOURCE).context("cannot write the cache")?;
    let built = folder.path().join("preload.so");
    let mut command = Command::new(compiler);
    command.args(["--crate-type=cdylib", "--edition=2021", "--cap-lints=allow"]);
    command.args(["-Copt-level=3", "-Cpanic=abort", "-Cstrip=symbols", NAME, "-o"]).arg(&built);
    output(command.current_dir(folder.path()))?;
    fs::rename(&built, file).context("cannot write the cache")
}

/// Whether it is an ELF file. Preloaded into a script's shell, it would be the shell that serves.
fn is_binary(program: &Path) -> bool {
    let mut magic = [0; 4];
    fs::File::open(program).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

/// Runs the compiler, which must succeed.
fn output(command: &mut Command) -> anyhow::Result<Output> {
    let output = command.stdin(Stdio::null()).output().context("cannot run rustc")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("rustc fails ({}): {}", output.status, words.lines().next().unwrap_or_default());
    }
    Ok(output)
}
