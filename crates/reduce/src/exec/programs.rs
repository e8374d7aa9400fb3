//! Finding the programs that checks run.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::{Access, access};

use super::rustup::{self, is_proxy};
use super::shim::{Changes, TOOLCHAIN};

/// The folders to search for programs if `PATH` is not set.
const USUAL: &str = "/usr/local/bin:/bin:/usr/bin";

/// Finds rustc: the one given, the one that the variable `RUSTC` names, or the one that stands in `PATH`.
///
/// A proxy of rustup is resolved to the compiler that it would run, of the given toolchain if there is one.
///
/// # Errors
/// When there is none, or none of that toolchain.
pub fn rustc(given: Option<&Path>, toolchain: Option<&str>) -> anyhow::Result<PathBuf> {
    let program = named(given)?;
    if !is_proxy(&program) {
        if let Some(toolchain) = toolchain {
            bail!("`{}` is not rustup's: it cannot run the toolchain `{toolchain}`", program.display());
        }
        rustup::sysroot_of(&program, &[])?;
        return Ok(program);
    }
    let sysroot = rustup::sysroot(&program, toolchain, &Changes::new())?;
    // A proxy has the name of the program that it runs: `rustc`, `clippy-driver`.
    let resolved = sysroot.join("bin").join(program.file_name().unwrap_or(OsStr::new("rustc")));
    Ok(if resolved.is_file() { resolved } else { program })
}

/// How a person in this folder calls `compiler`, which [`rustc`] found by the same arguments: by its name, with a toolchain if
/// the name alone stands for another compiler, or by its path.
pub fn called(given: Option<&Path>, toolchain: Option<&str>, compiler: &Path) -> Vec<OsString> {
    let name = compiler.file_name().unwrap_or(OsStr::new("rustc"));
    let is_proxied = find(name).is_ok_and(|program| is_proxy(&program));
    if let Some(toolchain) = toolchain.filter(|_| is_proxied) {
        return vec![name.to_owned(), format!("+{toolchain}").into()];
    }
    let variable = std::env::var(TOOLCHAIN).ok().filter(|name| !name.is_empty());
    let is_plain =
        given.is_none_or(|given| given == Path::new(name)) && variable.is_none() && std::env::var_os("RUSTC").is_none();
    if is_plain || by_name(name, None).is_some_and(|found| found == compiler) {
        return vec![name.to_owned()];
    }
    if let Some(toolchain) = variable.filter(|_| is_proxied)
        && by_name(name, Some(&toolchain)).is_some_and(|found| found == compiler)
    {
        return vec![name.to_owned(), format!("+{toolchain}").into()];
    }
    vec![given.filter(|given| given.components().count() > 1).unwrap_or(compiler).into()]
}

/// The compiler that a shell finds by a name, of a toolchain if one is given, regardless of mcve's own toolchain.
fn by_name(name: &OsStr, toolchain: Option<&str>) -> Option<PathBuf> {
    let program = find(name).ok()?;
    if !is_proxy(&program) {
        return Some(program);
    }
    Some(rustup::sysroot(&program, toolchain, &vec![(TOOLCHAIN.into(), None)]).ok()?.join("bin").join(name))
}

/// Like [`rustc`], without a check that the compiler runs if it is known already as the one behind the proxy.
pub(crate) fn likely_rustc(
    given: Option<&Path>,
    toolchain: Option<&str>,
    proxied: Option<&(PathBuf, PathBuf)>,
) -> anyhow::Result<PathBuf> {
    let program = named(given)?;
    match proxied.filter(|(proxy, _)| *proxy == program) {
        Some((_, compiler)) => Ok(compiler.clone()),
        None if toolchain.is_none() && !is_proxy(&program) => Ok(program),
        None => rustc(given, toolchain),
    }
}

/// The program given, or the one that the variable `RUSTC` names, or the one that stands in `PATH`.
fn named(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let variable = || std::env::var_os("RUSTC").filter(|name| !name.is_empty()).map(PathBuf::from);
    match given.map(Path::to_path_buf).or_else(variable) {
        Some(named) => find(named.as_os_str()).context("this rustc cannot be used"),
        None => find("rustc".as_ref()).context("there is no rustc: install Rust, or name one with `--rustc PATH`"),
    }
}

/// The `rustc` that stands in `PATH` if that is a proxy of rustup, and the compiler that it would run here; none if it is a
/// compiler itself, or there is none that runs.
pub(crate) fn proxied(toolchain: Option<&str>) -> anyhow::Result<Option<(PathBuf, PathBuf)>> {
    let name = Path::new("rustc");
    let compiler = match rustc(Some(name), toolchain) {
        Err(error) if toolchain.is_some() => return Err(error),
        // The code that needs one reports what is wrong with it.
        found => found.ok(),
    };
    let proxy = find(name.as_os_str()).ok().filter(|program| is_proxy(program));
    Ok(proxy.zip(compiler).filter(|(proxy, compiler)| proxy != compiler))
}

/// At most `most` compilers of rustup toolchains beside that of `compiler`: `stable`, `nightly`, then versions, new ones first.
pub fn beside(compiler: &Path, most: usize) -> Vec<PathBuf> {
    let Some(toolchain) = compiler.ancestors().nth(2) else { return Vec::new() };
    let folder = toolchain.parent().filter(|folder| folder.ends_with("toolchains"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    // A toolchain may be a link to another one.
    let found = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()) && entry.path() != toolchain);
    let compilers = found.map(|entry| entry.path().join("bin").join("rustc"));
    let mut compilers: Vec<PathBuf> = compilers.filter(|path| path.is_file()).collect();
    compilers.sort_by(|a, b| b.cmp(a));
    compilers.truncate(most);
    compilers
}

/// Finds a program as a shell does: a name in `PATH`, a path from the current folder. The answer is absolute.
///
/// # Errors
/// When there is no such program, or it is a folder, or it lacks the permission to be run.
pub fn find(name: &OsStr) -> anyhow::Result<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        let path = std::path::absolute(name).with_context(|| format!("`{}` is no path", name.display()))?;
        runnable(&path)?;
        return Ok(path);
    }
    let found = in_path(name).find(|path| runnable(path).is_ok());
    found.with_context(|| format!("there is no program `{}` in `PATH`", name.display()))
}

/// The first program of this name in `PATH` that is not a rustup proxy, since a proxy may have nothing behind it.
pub fn installed(name: &OsStr) -> Option<PathBuf> {
    in_path(name).find(|path| runnable(path).is_ok() && !is_proxy(path))
}

/// The paths of a program of this name in the folders of `PATH`.
fn in_path(name: &OsStr) -> impl Iterator<Item = PathBuf> {
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    folders.into_iter().filter_map(move |folder| std::path::absolute(folder.join(name)).ok())
}

/// The file that starts when a process with `folders` as its `PATH` is run by `name`. A `name` that is a path is not checked.
pub(super) fn find_in(name: &OsStr, folders: Option<&OsStr>) -> io::Result<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        return Ok(name.into());
    }
    let folders = folders.unwrap_or(OsStr::new(USUAL));
    let mut error = io::Error::from_raw_os_error(rustix::io::Errno::NOENT.raw_os_error());
    for path in std::env::split_paths(folders).map(|folder| folder.join(name)) {
        match access(&path, Access::EXEC_OK) {
            Ok(()) if path.is_file() => return Ok(path),
            Err(rustix::io::Errno::ACCESS) => error = rustix::io::Errno::ACCESS.into(),
            _ => {}
        }
    }
    Err(error)
}

/// Finds the file of a test script, if the value names one; otherwise the value is a command line for the shell.
///
/// # Errors
/// When it is a folder, is not executable, or is a path where nothing is.
pub fn script(value: &OsStr) -> anyhow::Result<Option<PathBuf>> {
    if value.as_encoded_bytes().trim_ascii().is_empty() {
        bail!("the test is empty");
    }
    let Ok(path) = std::path::absolute(value) else { return Ok(None) };
    // A value that cannot be looked up, such as a name that is too long, is a command line.
    if fs::metadata(&path).is_err() && !is_path(value) {
        return Ok(None);
    }
    runnable(&path)?;
    Ok(Some(path))
}

/// Whether a shell would read the value as nothing but the path of a program.
fn is_path(value: &OsStr) -> bool {
    let bytes = value.as_encoded_bytes();
    let is_special = |byte: &u8| byte.is_ascii_whitespace() || b"|&;<>()$`\\\"'*?[]{}#~=%!".contains(byte);
    bytes.contains(&b'/') && !bytes.iter().any(is_special)
}

/// Returns an error that explains why a file cannot be run, if it cannot.
fn runnable(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    let metadata = fs::metadata(path).with_context(|| format!("there is no `{name}`"))?;
    if metadata.is_dir() {
        bail!("`{name}` is a folder, not a program");
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        bail!("`{name}` may not be run: allow it with `chmod +x {name}`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the whole chain of reasons, with the folder of the test as `DIR`.
    #[track_caller]
    fn check<T: std::fmt::Debug>(found: anyhow::Result<T>, folder: &Path, expected: &str) {
        let error = format!("{:#}", found.expect_err("it is no program"));
        assert_eq!(error.replace(&folder.display().to_string(), "DIR"), expected);
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        for (name, mode) in [("run", 0o755), ("read", 0o644)] {
            let path = folder.path().join(name);
            fs::write(&path, "#!/bin/sh\n").expect("it is ours");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it is ours");
        }
        folder
    }

    #[test]
    fn rustc_is_the_compiler_itself() {
        let rustc = rustc(None, None).expect("the tests are compiled by one");
        assert!(rustc.is_absolute() && rustc.is_file() && !is_proxy(&rustc), "{}", rustc.display());
        assert_eq!(super::rustc(Some(&rustc), None).expect("it is there"), rustc);
        let why = format!("`{}` is not rustup's: it cannot run the toolchain `nightly`", rustc.display());
        check(super::rustc(Some(&rustc), Some("nightly")), Path::new("/nowhere"), &why);
    }

    #[test]
    fn what_is_no_rustc_is_told() {
        let folder = folder();
        let none = folder.path().join("none");
        let why = "this rustc cannot be used: there is no `DIR/none`: No such file or directory (os error 2)";
        check(rustc(Some(&none), None), folder.path(), why);
        let no = find(OsStr::new("false")).expect("every system has one");
        check(rustc(Some(&no), None), folder.path(), &format!("`{}` does not run: exit status: 1", no.display()));
    }

    #[test]
    fn a_program_is_found_as_a_shell_does() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        assert!(find(OsStr::new("sh")).expect("there is a shell").is_absolute());
        assert_eq!(find(path("run").as_os_str()).expect("it is there"), path("run"));
        check(find(OsStr::new("no-such-program")), folder.path(), "there is no program `no-such-program` in `PATH`");
        check(
            find(path("none").as_os_str()),
            folder.path(),
            "there is no `DIR/none`: No such file or directory (os error 2)",
        );
        check(
            find(path("read").as_os_str()),
            folder.path(),
            "`DIR/read` may not be run: allow it with `chmod +x DIR/read`",
        );
        check(find(folder.path().as_os_str()), folder.path(), "`DIR` is a folder, not a program");
    }

    #[test]
    fn a_test_is_a_script_or_a_command_line() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        assert_eq!(script(path("run").as_os_str()).expect("it is fine"), Some(path("run")));
        for line in [
            "rustc $1 2>&1 | grep -q E0391",
            "true",
            "./none.sh x",
            "./none.sh|cat",
            "$HOME/none.sh",
            &"x".repeat(5000),
        ] {
            assert_eq!(script(OsStr::new(line)).expect("it is fine"), None);
        }
        check(
            script(path("read").as_os_str()),
            folder.path(),
            "`DIR/read` may not be run: allow it with `chmod +x DIR/read`",
        );
        check(script(folder.path().as_os_str()), folder.path(), "`DIR` is a folder, not a program");
        let none = path("none.sh");
        check(
            script(none.as_os_str()),
            folder.path(),
            "there is no `DIR/none.sh`: No such file or directory (os error 2)",
        );
        check(script(OsStr::new(" ")), folder.path(), "the test is empty");
    }
}
