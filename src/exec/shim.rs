//! A `rustc` for scripts that runs the compiler itself and not rustup's proxy, which takes longer to start than a small
//! program takes to compile.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::programs::{self, TOOLCHAIN};

/// The variable by which scripts are told which compiler to call.
pub(super) const VARIABLE: &str = "RUSTC";

/// Changes to the environment: a value to set, or `None` to unset.
pub type Changes = Vec<(OsString, Option<OsString>)>;

/// How scripts come to call a compiler.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The program that `rustc` is for them, if that leads to the compiler.
    pub by_name: Option<PathBuf>,
    /// Whether the variable `RUSTC` names it.
    pub by_variable: bool,
}

impl Calls {
    /// How scripts come to `compiler` where `proxied` are a proxy and the compiler that it runs, and `shim` was written by
    /// [`write()`].
    #[must_use]
    pub fn of(compiler: &Path, proxied: Option<&(PathBuf, PathBuf)>, shim: Option<&Path>) -> Self {
        let proxy = proxied.filter(|(_, behind)| behind == compiler).map(|(proxy, _)| &**proxy);
        let is_it = |program: &Path| Some(program) == proxy || is_same(program, compiler);
        let by_name = programs::find("rustc".as_ref()).ok().filter(|program| is_it(program));
        let named = std::env::var_os(VARIABLE).and_then(|name| programs::find(&name).ok());
        Self {
            by_name: by_name.map(|program| shim.map_or(program, Path::to_owned)),
            by_variable: named.is_some_and(|program| is_it(&program)),
        }
    }

    /// Whether they come to it at all.
    #[must_use]
    pub fn any(&self) -> bool {
        self.by_variable || self.by_name.is_some()
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// What has scripts and the proxies that they call use the toolchain that the user named, if one was.
#[must_use]
pub fn toolchain(name: Option<&str>) -> Changes {
    name.map(|name| (TOOLCHAIN.into(), Some(name.into()))).into_iter().collect()
}

/// Writes a `rustc` into the new folder `folder` that runs `compiler`, or `proxy` where a script asks for a toolchain, by
/// `+name` or by the variable of rustup, other than `toolchain`, which `compiler` was found by. The changes put it first.
///
/// # Errors
/// When it cannot be written, or a path is not text.
pub fn write(folder: &Path, proxy: &Path, compiler: &Path, toolchain: Option<&str>) -> io::Result<Changes> {
    let inherited = std::env::var(TOOLCHAIN).unwrap_or_default();
    let asked = quote(toolchain.unwrap_or(&inherited));
    let [proxy, compiler] =
        [proxy, compiler].map(|path| path.to_str().map(quote).ok_or(io::ErrorKind::InvalidFilename));
    let (proxy, compiler) = (proxy?, compiler?);
    let script = format!(
        "#!/bin/sh\n\
         case ${{1-}} in +*) exec {proxy} \"$@\" ;; esac\n\
         [ \"${{{TOOLCHAIN}-}}\" = {asked} ] || exec {proxy} \"$@\"\n\
         exec {compiler} \"$@\"\n"
    );
    fs::create_dir(folder)?;
    let file = folder.join("rustc");
    fs::write(&file, script)?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    Ok(vec![first_in_path(folder, &[])?])
}

/// What puts a folder before all others of `PATH`, as the changes `env` leave it.
///
/// # Errors
/// When its name cannot stand there.
pub(super) fn first_in_path(
    folder: &Path,
    env: &[(OsString, Option<OsString>)],
) -> io::Result<(OsString, Option<OsString>)> {
    let changed = env.iter().rev().find(|(name, _)| name == "PATH");
    let others = changed.map_or_else(|| std::env::var_os("PATH"), |(_, value)| value.clone()).unwrap_or_default();
    let folders = [folder.to_path_buf()].into_iter().chain(std::env::split_paths(&others));
    Ok(("PATH".into(), Some(std::env::join_paths(folders).map_err(io::Error::other)?)))
}

/// `text` as a shell's word.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
