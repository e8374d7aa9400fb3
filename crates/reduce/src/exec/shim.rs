//! A `rustc` for scripts that runs the compiler itself and not rustup's proxy, which takes longer to start than a small
//! program takes to compile.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The variable that selects the toolchain of rustup's proxies.
pub const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// Changes to the environment: a value to set, or `None` to unset.
pub type Changes = Vec<(OsString, Option<OsString>)>;

/// The change that makes scripts, and the proxies that they call, use the toolchain that the user named, if any.
pub fn toolchain(name: Option<&str>) -> Changes {
    name.map(|name| (TOOLCHAIN.into(), Some(name.into()))).into_iter().collect()
}

/// Writes a `rustc` into the new folder `folder` that runs `compiler`, or `proxy` if a script requests, by `+name` or by the
/// variable of rustup, another toolchain than `toolchain`, by which `compiler` was found. The changes put it first in
/// `PATH`.
///
/// # Errors
/// When it cannot be written, or a path is not text or cannot stand in `PATH`.
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
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_path_buf()].into_iter().chain(std::env::split_paths(&others));
    Ok(vec![("PATH".into(), Some(std::env::join_paths(folders).map_err(io::Error::other)?))])
}

/// Quotes `text` as one word for a shell.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
