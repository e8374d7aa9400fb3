//! Fingerprints that show whether a compiler, or a script, has changed.

use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::shim::Changes;
use super::tool;

/// A file of at most this many bytes is identified by its content, a larger one by its size and time.
const READ: u64 = 1 << 20;

/// The name prefixes of the libraries that contain most of a compiler.
const COMPILER: [&str; 2] = ["librustc_driver", "libLLVM"];

/// A program by its path and content.
pub fn program(path: &Path) -> String {
    let mut about = String::new();
    file(path, &mut about);
    format!("{} ({:016x})", path.display(), xxh3_64(about.as_bytes()))
}

/// A compiler by its path, its version output, and its libraries, which change when the compiler is rebuilt.
pub fn rustc(path: &Path) -> String {
    built(path, &version(path))
}

/// A compiler as it is on any machine: a release by its version output, and one that somebody built as [`rustc`] says.
pub(crate) fn released(path: &Path) -> String {
    let version = version(path);
    if version.contains("commit-date: 2") && !version.contains("-dev") { version } else { built(path, &version) }
}

/// The version output of a compiler, or the error.
fn version(path: &Path) -> String {
    let output = tool::output(tool::Setup::default(), path, &["-vV".into()], &Changes::new());
    output.map_or_else(|error| error.to_string(), |output| String::from_utf8_lossy(&output.stdout).into())
}

fn built(path: &Path, version: &str) -> String {
    let mut about = version.to_owned();
    file(path, &mut about);
    for part in libraries(path).unwrap_or_default() {
        file(&part, &mut about);
    }
    let name = version.lines().next().unwrap_or_default();
    format!("{name} at {} ({:016x})", path.display(), xxh3_64(about.as_bytes()))
}

/// The libraries of the compiler `program` and those that it links, in order.
fn libraries(program: &Path) -> io::Result<Vec<PathBuf>> {
    let program = fs::canonicalize(program)?;
    let lib = program.ancestors().nth(2).unwrap_or(Path::new("/")).join("lib");
    let mut found = files(&lib)?;
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        COMPILER.iter().any(|start| name.starts_with(start))
    });
    for target in files(&lib.join("rustlib")).unwrap_or_default() {
        found.extend(files(&target.join("lib")).unwrap_or_default());
    }
    Ok(found)
}

/// The entries of a folder, in order.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

fn file(path: &Path, about: &mut String) {
    // A missing file has a fingerprint of its own.
    let told = fs::metadata(path).and_then(|metadata| {
        if metadata.is_file() && metadata.len() <= READ {
            return Ok(format!("{:016x}", xxh3_64(&fs::read(path)?)));
        }
        Ok(format!("{} {}.{}", metadata.len(), metadata.mtime(), metadata.mtime_nsec()))
    });
    let _ = writeln!(about, "{}: {}", path.display(), told.unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::programs;

    #[test]
    fn a_program_is_told_by_its_content() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("test.sh");
        fs::write(&path, "true").expect("it can be written");
        let before = program(&path);
        fs::write(&path, "true").expect("it can be written");
        assert_eq!(program(&path), before);
        fs::write(&path, "fals").expect("it can be written");
        assert_ne!(program(&path), before);
        fs::remove_file(&path).expect("it is there");
        assert_ne!(program(&path), before);
    }

    #[test]
    fn a_compiler_is_told_by_its_libraries() {
        let real = programs::rustc(None, None).expect("the tests are compiled by one");
        assert_eq!(rustc(&real), rustc(&real));
        assert!(rustc(&real).starts_with("rustc 1."), "{}", rustc(&real));

        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("bin")).expect("it can be made");
        fs::create_dir_all(path("lib/rustlib/x86_64/lib")).expect("it can be made");
        fs::write(path("bin/rustc"), "#!/bin/sh\necho rustc 1.0").expect("it can be written");
        let mut seen = vec![rustc(&path("bin/rustc"))];
        for name in ["lib/librustc_driver-1.so", "lib/rustlib/x86_64/lib/libcore.rlib", "bin/rustc", "lib/other.so"] {
            fs::write(path(name), "#!/bin/sh\necho rustc 1.1").expect("it can be written");
            seen.push(rustc(&path("bin/rustc")));
        }
        assert_eq!(seen.pop().as_ref(), seen.last(), "what is not the compiler's does not tell it");
        seen.dedup();
        assert_eq!(seen.len(), 4, "{seen:?}");
    }
}
