//! rustup's proxies: the toolchain that they run here. A folder that was cloned can name one, so nothing that it holds is run to
//! find out.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::{env, fs};

use anyhow::{Context, bail};

use super::shim::{Changes, TOOLCHAIN};
use super::tool::{self, Setup};

/// The name of the program that the proxies are links to.
const RUSTUP: &str = "rustup";

/// Entries of a folder that somebody may have cloned.
const MARKS: [&str; 4] = [".git", "Cargo.toml", "rust-toolchain", "rust-toolchain.toml"];

/// Whether a program is a proxy of rustup, which selects a compiler by its name: a link to rustup, or a copy next to it.
pub fn is_proxy(program: &Path) -> bool {
    let Ok(real) = fs::canonicalize(program) else { return false };
    let file = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
    real.file_name() == Some(OsStr::new(RUSTUP))
        || matches!((file(program), file(&program.with_file_name(RUSTUP))), (Ok(one), Ok(other)) if one == other)
}

/// The folder of the toolchain `name`, or of the one that `proxy` runs here in an environment with these changes.
/// Fails when it is not installed, or named by a path that came with the current folder or a folder around it.
pub(super) fn sysroot(proxy: &Path, name: Option<&str>, changes: &Changes) -> anyhow::Result<PathBuf> {
    let name = name.map_or_else(|| active(proxy, changes), |name| Ok(name.to_owned()))?;
    sysroot_of(proxy, &[format!("+{name}").into()])
}

/// The folder of the toolchain of a compiler that is called with these arguments. It runs in a folder without files of rustup.
pub(super) fn sysroot_of(compiler: &Path, words: &[OsString]) -> anyhow::Result<PathBuf> {
    let words = [words, &["--print".into(), "sysroot".into()]].concat();
    let mut path = answer(compiler, &words, Some(Path::new("/")), &Changes::new())?;
    path.truncate(path.trim_ascii_end().len());
    Ok(OsString::from_vec(path).into())
}

/// The toolchain that a proxy runs here: a name, or a path that the user has set.
fn active(proxy: &Path, changes: &Changes) -> anyhow::Result<String> {
    let real = fs::canonicalize(proxy).ok().filter(|real| real.file_name() == Some(OsStr::new(RUSTUP)));
    let rustup = real.unwrap_or_else(|| proxy.with_file_name(RUSTUP));
    let said = answer(&rustup, &["show".into(), "active-toolchain".into()], None, changes)?;
    let said = String::from_utf8_lossy(&said);
    let said = said.lines().next().unwrap_or_default().trim();
    let (name, why) = said.rsplit_once(" (").unwrap_or((said, ""));
    if name.contains('/') && (!why.contains(TOOLCHAIN) || is_of_project(Path::new(name))) {
        bail!(
            "the toolchain `{name}` is named by its path, which may be any program; if you trust it: \
             `rustup toolchain link NAME {name}` and `+NAME`"
        );
    }
    Ok(name.to_owned())
}

/// Whether what is at `path` came with the current folder or a folder around it, or cannot be found.
fn is_of_project(path: &Path) -> bool {
    let (Ok(folder), Ok(path)) = (env::current_dir().and_then(fs::canonicalize), fs::canonicalize(path)) else {
        return true;
    };
    let home = env::home_dir().and_then(|home| home.canonicalize().ok());
    let above = folder.ancestors().take_while(|above| above.parent().is_some() && Some(*above) != home.as_deref());
    let is_marked = |above: &Path| above == folder || MARKS.iter().any(|mark| above.join(mark).exists());
    above.filter(|above| path.starts_with(above)).any(is_marked)
}

/// What a program prints.
fn answer(program: &Path, words: &[OsString], folder: Option<&Path>, changes: &Changes) -> anyhow::Result<Vec<u8>> {
    let changes = [changes.as_slice(), &[("RUST_BACKTRACE".into(), None)]].concat();
    let Output { status, stdout, stderr } =
        tool::output(Setup { folder, ..Setup::default() }, program, words, &changes)
            .with_context(|| format!("cannot run `{}`", program.display()))?;
    if !status.success() {
        let stderr = String::from_utf8_lossy(&stderr);
        let why = if stderr.trim().is_empty() { status.to_string() } else { stderr.trim().to_owned() };
        bail!("`{}` does not run: {why}", program.display());
    }
    Ok(stdout)
}
