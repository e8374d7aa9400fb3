//! Real crates, which cargo downloads, as files that compile alone.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use regex::Regex;

/// The crates, none of which any transform was written for.
const CRATES: &[(&str, &str)] = &[
    ("adler", "1.0.2"),
    ("arrayvec", "0.7.6"),
    ("ascii", "1.1.0"),
    ("base64", "0.13.1"),
    ("bit-vec", "0.6.3"),
    ("bumpalo", "3.16.0"),
    ("byteorder", "1.5.0"),
    ("bytes", "1.7.1"),
    ("either", "1.13.0"),
    ("fixedbitset", "0.5.7"),
    ("fnv", "1.0.7"),
    ("glob", "0.3.1"),
    ("hex", "0.4.3"),
    ("httparse", "1.9.4"),
    ("id-arena", "2.2.1"),
    ("json", "0.12.4"),
    ("lexopt", "0.3.0"),
    ("linked-hash-map", "0.5.6"),
    ("minimal-lexical", "0.2.1"),
    ("percent-encoding", "2.3.1"),
    ("pico-args", "0.5.0"),
    ("ryu", "1.0.18"),
    ("scopeguard", "1.2.0"),
    ("semver", "1.0.23"),
    ("shlex", "1.3.0"),
    ("siphasher", "1.0.1"),
    ("slab", "0.4.9"),
    ("smallvec", "1.13.2"),
    ("tinyvec", "1.8.0"),
    ("typed-arena", "2.0.2"),
    ("vec_map", "0.8.2"),
];

/// How many lines a program has.
const LINES: std::ops::RangeInclusive<usize> = 300..=5000;

/// How many files of a crate are tried, the largest first.
const FILES: usize = 4;

/// The editions of crates of which the manifest is not read, in this order.
const EDITIONS: [&str; 2] = ["2021", "2018"];

/// A program that compiles alone: a crate in one file, or a file of one.
pub(super) struct Code {
    /// The crate, and the file if it is not all of it.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) edition: &'static str,
}

/// What cargo downloads, as far as it compiles alone: one program of each crate.
pub(super) fn all(rustc: &Path) -> anyhow::Result<Vec<Code>> {
    let folder = tempfile::tempdir()?;
    let mut manifest =
        "[workspace]\n[package]\nname = \"fetched\"\nversion = \"0.0.0\"\n[lib]\npath = \"lib.rs\"\n[dependencies]\n"
            .to_owned();
    for (name, version) in CRATES {
        manifest.push_str(&format!("{name} = \"={version}\"\n"));
    }
    std::fs::write(folder.path().join("Cargo.toml"), manifest)?;
    std::fs::write(folder.path().join("lib.rs"), "")?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let vendor = Command::new(cargo).args(["vendor", "--quiet", "--versioned-dirs"]).current_dir(&folder).output()?;
    ensure!(vendor.status.success(), "cargo vendor: {}", String::from_utf8_lossy(&vendor.stderr));
    let mut found = Vec::new();
    for (name, version) in CRATES {
        let package = folder.path().join(format!("vendor/{name}-{version}"));
        let source = if package.join("src").exists() { package.join("src") } else { package };
        found.extend(program(&format!("{name} {version}"), &source, rustc)?);
    }
    Ok(found)
}

/// A crate in one file, or the largest of its files that is a crate by itself.
fn program(name: &str, source: &Path, rustc: &Path) -> anyhow::Result<Option<Code>> {
    let root = source.join("lib.rs");
    if let Some(code) = alone(name, flattened(&root, source)?, rustc)? {
        return Ok(Some(code));
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(source)? {
        let path = entry?.path();
        if path != root && path.extension().is_some_and(|extension| extension == "rs") {
            files.push((plain(&std::fs::read_to_string(&path)?), path));
        }
    }
    files.sort_by_key(|(text, path)| (std::cmp::Reverse(text.lines().count()), path.clone()));
    for (text, path) in files.into_iter().take(FILES) {
        let file = path.file_name().context("it has a name")?.to_string_lossy();
        if let Some(code) = alone(&format!("{name} {file}"), text, rustc)? {
            return Ok(Some(code));
        }
    }
    Ok(None)
}

/// A text without what asks for other files, and without what makes warnings errors.
fn plain(text: &str) -> String {
    let attributes = Regex::new(r"(?m)^#!\[(deny|forbid|warn|cfg_attr|doc)\b[^\]]*\]").expect("it is a pattern");
    attributes.replace_all(text, "").into_owned()
}

/// A file with its modules in it. A module whose file is not there stays as it is.
fn flattened(file: &Path, folder: &Path) -> anyhow::Result<String> {
    let text = plain(&std::fs::read_to_string(file)?);
    let module = Regex::new(r"(?m)^([ \t]*(?:pub(?:\([a-z: ]+\))?\s+)?mod\s+(\w+))\s*;").expect("it is a pattern");
    let (mut flat, mut end) = (String::new(), 0);
    for found in module.captures_iter(&text) {
        let (whole, name) = (found.get(0).context("it matches")?, &found[2]);
        let inside = folder.join(name);
        let file = [inside.with_extension("rs"), inside.join("mod.rs")].into_iter().find(|path| path.exists());
        let Some(file) = file else { continue };
        flat.push_str(&text[end..whole.start()]);
        flat.push_str(&format!("{} {{\n{}\n}}\n", &found[1], flattened(&file, &inside)?));
        end = whole.end();
    }
    flat.push_str(&text[end..]);
    Ok(flat)
}

/// A text with the headers that say how it is compiled, if it has the right size and compiles.
fn alone(name: &str, text: String, rustc: &Path) -> anyhow::Result<Option<Code>> {
    if !LINES.contains(&text.lines().count()) || syn::parse_file(&text).is_err() {
        return Ok(None);
    }
    for edition in EDITIONS {
        if errors(rustc, &text, edition)?.is_some_and(|codes| codes.is_empty()) {
            return Ok(Some(Code { name: name.to_owned(), text, edition }));
        }
    }
    Ok(None)
}

/// The codes of the errors in a library: none at all if it has errors without a code.
pub(super) fn errors(rustc: &Path, text: &str, edition: &str) -> anyhow::Result<Option<Vec<String>>> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("a.rs"), text)?;
    let output = Command::new(rustc)
        .args([&format!("--edition={edition}"), "--crate-type=lib", "--emit=metadata", "--cap-lints=allow", "a.rs"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let error = Regex::new(r"(?m)^error(?:\[(E\d+)\])?: (.*)").expect("it is a pattern");
    let mut codes = Vec::new();
    for found in error.captures_iter(&said) {
        match found.get(1) {
            Some(code) => codes.push(code.as_str().to_owned()),
            None if found[2].starts_with("aborting due to") => {}
            None => return Ok(None),
        }
    }
    codes.sort();
    codes.dedup();
    Ok(Some(codes))
}
