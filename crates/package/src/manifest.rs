//! Makes a package of a program that needs its dependencies to show its failure, with a minimal manifest.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::call::{Call, Extern};
use super::lock_changes::{packages, text as text_of};
use mcve_reduce::program::{Crate, File, Files, Program};

const MANIFEST: &str = "Cargo.toml";

/// The prefix of an argument that sets a feature.
const FEATURE: &str = "--cfg=feature=";

/// The prefixes of arguments that cargo derives from the manifest, or adds by itself. As flags for all crates they would have the
/// dependencies built anew.
const OF_MANIFEST: &str = "\
    --cap-lints= --cfg=feature= --check-cfg= --crate-type= --emit= --extern= -Cdebuginfo= -Cembed-bitcode= -L";

/// The feature that is on by itself.
const DEFAULT: &str = "default";

/// The prefix of the variables that cargo makes of `[package]`.
const OF_PACKAGE: &str = "CARGO_PKG_";

const PROC_MACRO: &str = "--crate-type=proc-macro";

/// The keys of `[package]` whose values cargo hands on.
const HANDED_ON: [&str; 7] = ["name", "version", "description", "homepage", "repository", "license", "readme"];

/// The known sources of dependencies.
#[derive(Debug)]
pub struct Origins<'a> {
    /// The compiler calls that built them.
    pub calls: &'a [Call],
    /// The content of the workspace's lock file.
    pub lock: &'a str,
    /// The profiles that the package sets.
    pub profiles: Option<Value>,
}

/// The prebuilt crates that a program still needs.
pub fn needed(program: &Program) -> Vec<Extern> {
    let crates = program.crates().into_iter().flat_map(|krate| krate.arguments);
    let mut needed: Vec<Extern> = Vec::new();
    for used in program.arguments().into_iter().chain(crates).filter_map(|argument| Extern::of_argument(&argument)) {
        if !needed.contains(&used) {
            needed.push(used);
        }
    }
    needed
}

/// The prebuilt crates that only procedural macros in the program need.
pub fn needed_by_macros(program: &Program) -> Vec<Extern> {
    let (macros, others): (Vec<Crate>, Vec<Crate>) =
        program.crates().into_iter().partition(|krate| krate.arguments.iter().any(|argument| argument == PROC_MACRO));
    let of = |crates: Vec<Crate>| crates.into_iter().flat_map(|krate| krate.arguments).collect::<Vec<_>>();
    let others: Vec<String> = of(others).into_iter().chain(program.arguments()).collect();
    let only = of(macros).into_iter().filter(|argument| !others.contains(argument));
    only.filter_map(|argument| Extern::of_argument(&argument)).collect()
}

/// The program as a package named `name` whose crate is compiled like `call`; none if the source of a dependency is unknown.
pub fn package(program: &Program, name: &str, call: &Call, origins: &Origins<'_>) -> Option<Files> {
    let (arguments, crates) = (program.arguments(), program.crates());
    let folders: Vec<(&str, &str)> = crates.iter().filter_map(named_folder).collect();
    let (of_package, variables): (Vec<_>, Vec<_>) =
        program.environment().into_iter().partition(|(name, _)| name.starts_with(OF_PACKAGE));
    let edition = program.edition().map(str::to_owned).or_else(|| call.edition.clone());
    let described = of_package.iter().filter_map(|(name, value)| described(name, value));
    let mut root = manifest(name, edition, described);
    let mut place = table([("path", program.name.to_str()?.into())]);
    if call.form == "bin" && !call.is_test {
        put(&mut place, "name", name);
        put(&mut root, "bin", vec![place]);
    } else {
        if !call.is_test && call.form != "lib" {
            put(&mut place, "crate-type", vec![call.form.clone()]);
        }
        put(&mut root, "lib", place);
    }
    put(&mut root, "workspace", Table::new());
    root.extend(origins.profiles.clone().map(|profiles| ("profile".to_owned(), profiles)));
    put(&mut root, "dependencies", origins.dependencies(&arguments, &folders, "")?);
    let on: Vec<&str> = features(&arguments).filter(|feature| *feature != DEFAULT).collect();
    if !on.is_empty() {
        let mut features = of_features(on.iter().copied());
        put(&mut features, DEFAULT, on);
        put(&mut root, "features", features);
    }
    let mut files = Files { files: program.files().into_iter().collect() };
    files.files.insert(MANIFEST.into(), text(&root));
    for krate in &crates {
        let (name, folder) = named_folder(krate)?;
        let path = krate.files.first()?;
        let edition = value(&krate.arguments, "--edition=").map(str::to_owned);
        let mut manifest = manifest(name, edition, []);
        let mut library = table([("path", path.strip_prefix(folder).ok()?.to_str()?.into())]);
        if krate.arguments.iter().any(|argument| argument == PROC_MACRO) {
            put(&mut library, "proc-macro", true);
        }
        put(&mut manifest, "lib", library);
        put(&mut manifest, "features", of_features(features(&krate.arguments)));
        put(&mut manifest, "dependencies", origins.dependencies(&krate.arguments, &folders, "../")?);
        files.files.insert(Path::new(folder).join(MANIFEST), text(&manifest));
    }
    // All other compiler arguments.
    let is_of_manifest = |argument: &String| {
        OF_MANIFEST.split(' ').any(|beginning| argument.starts_with(beginning)) || argument == "--test"
    };
    let flags: Vec<String> = arguments.into_iter().filter(|argument| !is_of_manifest(argument)).collect();
    let mut config = Table::new();
    if !flags.is_empty() {
        put(&mut config, "build", table([("rustflags", flags.into())]));
    }
    if !variables.is_empty() {
        put(&mut config, "env", variables.into_iter().collect::<BTreeMap<_, _>>());
    }
    if !config.is_empty() {
        files.files.insert(".cargo/config.toml".into(), text(&config));
    }
    Some(files)
}

/// The name of a crate of the program, and the folder of its files.
fn named_folder(krate: &Crate) -> Option<(&str, &str)> {
    let folder = krate.files.first()?.components().next()?;
    Some((value(&krate.arguments, "--crate-name=")?, folder.as_os_str().to_str()?))
}

/// A package of one source file as a cargo script: that file with the manifest as its frontmatter (Rust RFC 3502). None
/// if it has more files, or needs flags.
pub fn script(package: &Files) -> Option<String> {
    let mut sources = package.files.iter().filter(|(path, _)| *path != Path::new(MANIFEST));
    let (Some((_, source)), None) = (sources.next(), sources.next()) else { return None };
    let source = std::str::from_utf8(&source.bytes).ok()?;
    let mut manifest: Table = std::str::from_utf8(&package.files.get(Path::new(MANIFEST))?.bytes).ok()?.parse().ok()?;
    // A script needs no name or target.
    ["bin", "lib", "workspace"].iter().for_each(|key| drop(manifest.remove(*key)));
    manifest.get_mut("package")?.as_table_mut()?.remove("name");
    let main = if source.contains("fn main(") { "" } else { "\nfn main() {}\n" };
    Some(format!("---\n{manifest}---\n\n{source}{main}"))
}

/// The package without one feature of a dependency: number `removed`, from 0, of all features in all manifests; none if
/// there are fewer.
pub fn without_feature(package: &Files, removed: usize) -> Option<Files> {
    let mut index = removed;
    for (path, file) in package.files.iter().filter(|(path, _)| path.ends_with(MANIFEST)) {
        let mut manifest: Table = std::str::from_utf8(&file.bytes).ok()?.parse().ok()?;
        let Some(Value::Table(dependencies)) = manifest.get_mut("dependencies") else { continue };
        for (_, dependency) in dependencies.iter_mut() {
            let Some(features) = dependency.get_mut("features").and_then(Value::as_array_mut) else { continue };
            if index < features.len() {
                features.remove(index);
                let mut files = package.clone();
                files.files.insert(path.clone(), text(&manifest));
                return Some(files);
            }
            index -= features.len();
        }
    }
    None
}

impl Origins<'_> {
    /// The dependencies that compiler arguments name; `folders` are the crates of the program with their folders, which are at
    /// `above`.
    fn dependencies(&self, arguments: &[String], folders: &[(&str, &str)], above: &str) -> Option<Table> {
        let mut dependencies = Table::new();
        for argument in arguments.iter().filter_map(|argument| argument.strip_prefix("--extern=")) {
            let (name, path) = argument.split_once('=').map_or((argument, None), |(name, path)| (name, Some(path)));
            let (package, dependency) = match path {
                // A crate of the program keeps all its features.
                None => match folders.iter().find(|(own, _)| *own == name) {
                    Some((_, folder)) => (name.to_owned(), table([("path", format!("{above}{folder}").into())])),
                    // The compiler provides it.
                    None => continue,
                },
                Some(path) => self.origin(name, Path::new(path))?,
            };
            dependencies.insert(package, dependency.into());
        }
        Some(dependencies)
    }

    /// The names of the crates that a program needs and whose source is not known.
    pub fn unknown(&self, program: &Program) -> impl Iterator<Item = String> {
        let is_unknown = |used: &Extern| used.path.as_ref().is_some_and(|path| self.origin(&used.name, path).is_none());
        needed(program).into_iter().filter(is_unknown).map(|used| used.name)
    }

    /// The name of the dependency on the crate named `name` that was built at `path`, and its source, with its features.
    fn origin(&self, name: &str, path: &Path) -> Option<(String, Table)> {
        let call = self.calls.iter().rev().find(|call| call.has_made(path))?;
        let variable = |name: &str| call.environment.get(name).cloned();
        let (package, version) = (variable("CARGO_PKG_NAME")?, variable("CARGO_PKG_VERSION")?);
        let mut origin = match self.source(&package, &version) {
            Some(source) if source.starts_with("registry+") => table([("version", format!("={version}").into())]),
            Some(source) => {
                let (url, revision) = source.strip_prefix("git+")?.split_once('#')?;
                let url = url.split('?').next().unwrap_or(url);
                table([("git", url.into()), ("rev", revision.into())])
            }
            None => table([("path", variable("CARGO_MANIFEST_DIR")?.into())]),
        };
        let is_renamed = package.replace('-', "_") != name;
        if is_renamed {
            put(&mut origin, "package", package.clone());
        }
        put(&mut origin, "default-features", false);
        let features: Vec<&str> = features(&call.arguments).collect();
        if !features.is_empty() {
            put(&mut origin, "features", features);
        }
        // cargo looks for a package by its exact name.
        Some((if is_renamed { name.to_owned() } else { package }, origin))
    }

    /// The source of a package in the lock file; none for a path dependency.
    fn source(&self, name: &str, version: &str) -> Option<String> {
        let lock: Table = self.lock.parse().ok()?;
        let is_it = |package: &Table| (text_of(package, "name"), text_of(package, "version")) == (name, version);
        let package = packages(&lock).into_iter().find(is_it)?;
        package.get("source").and_then(Value::as_str).map(str::to_owned)
    }
}

/// The key and the value of `[package]` from which cargo makes a variable; none if it makes it of another one, as the parts of the
/// version, or it is empty.
fn described(variable: &str, value: &str) -> Option<(String, Value)> {
    let key = variable.strip_prefix(OF_PACKAGE)?.to_lowercase();
    match &*key {
        _ if value.is_empty() => None,
        "authors" => Some((key, Value::Array(value.split(':').map(Value::from).collect()))),
        key if HANDED_ON.contains(&key) => Some((key.to_owned(), value.into())),
        _ => None,
    }
}

/// A manifest with only a name, an edition and what else is `described` of the package.
fn manifest(name: &str, edition: Option<String>, described: impl IntoIterator<Item = (String, Value)>) -> Table {
    let mut package = table([("name", name.into())]);
    package.extend(edition.map(|edition| ("edition".to_owned(), edition.into())));
    package.extend(described);
    table([("package", package.into())])
}

/// Features that need nothing.
fn of_features<'a>(names: impl Iterator<Item = &'a str>) -> Table {
    table(names.map(|name| (name, Vec::<Value>::new().into())))
}

fn features(arguments: &[String]) -> impl Iterator<Item = &str> {
    let quoted = arguments.iter().filter_map(|argument| argument.strip_prefix(FEATURE));
    quoted.map(|feature| feature.trim_matches('"'))
}

/// The rest of the first argument with this prefix.
fn value<'a>(arguments: &'a [String], beginning: &str) -> Option<&'a str> {
    arguments.iter().find_map(|argument| argument.strip_prefix(beginning))
}

fn table<'a>(pairs: impl IntoIterator<Item = (&'a str, Value)>) -> Table {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn put(table: &mut Table, key: &str, value: impl Into<Value>) {
    table.insert(key.to_owned(), value.into());
}

fn text(table: &Table) -> File {
    File::from(&*table.to_string())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A call that made `lib{name}-1.rmeta`.
    fn call(name: &str, features: &str) -> Call {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("lib.rs"), "").expect("it can be written");
        let line =
            format!("rustc --crate-name {name} --edition=2021 lib.rs --crate-type lib -C extra-filename=-1 {features}");
        let environment = [("CARGO_PKG_NAME", name.replace('_', "-")), ("CARGO_PKG_VERSION", "1.0.2".to_owned())];
        let record = super::super::record::Record {
            argv: line.split_whitespace().map(str::to_owned).collect(),
            folder: folder.path().to_owned(),
            environment: environment.map(|(name, value)| (name.to_owned(), value)).into(),
            status: Some(0),
            said: String::new(),
            run: String::new(),
            ended: 0,
        };
        Call::of(&record).expect("it names a file")
    }

    #[test]
    fn a_manifest_has_what_is_needed_and_its_features_can_go() {
        let lock = "[[package]]\nname = \"a-b\"\nversion = \"1.0.2\"\nsource = \"registry+index\"\n";
        let calls = [call("a_b", "--cfg feature=\"x\" --cfg feature=\"y\"")];
        let origins = Origins { calls: &calls, lock, profiles: None };
        let own = ["--cfg=feature=\"std\"", "--cfg=feature=\"default\"", "--check-cfg=cfg(x)", "-Cdebuginfo=2"];
        let others = ["--extern=a_b=/d/liba_b-1.rmeta", "-Copt-level=3"];
        let arguments: Vec<String> = own.into_iter().chain(others).map(str::to_owned).collect();
        let program = Program::new("lib.rs", "use a_b as _;").with_arguments(&arguments, &[]).expect("it has a place");
        assert_eq!(needed(&program).len(), 1);
        let package = package(&program, "p", &calls[0], &origins).expect("all is known");
        let shown =
            |package: &Files, path: &str| String::from_utf8_lossy(&package.files[Path::new(path)].bytes).into_owned();
        let manifest = shown(&package, MANIFEST);
        assert!(manifest.contains("[dependencies.a-b]"), "{manifest}");
        assert!(
            manifest.contains("version = \"=1.0.2\"") && manifest.contains("features = [\"x\", \"y\"]"),
            "{manifest}"
        );
        assert!(manifest.contains("[features]\ndefault = [\"std\"]\nstd = []"), "{manifest}");
        assert!(shown(&package, ".cargo/config.toml").contains("rustflags = [\"-Copt-level=3\"]"));
        let fewer = without_feature(&package, 1).expect("there are two");
        assert!(shown(&fewer, MANIFEST).contains("features = [\"x\"]"));
        assert_eq!(without_feature(&package, 2), None);
        // It has flags, which scripts do not support.
        assert_eq!(script(&package), None);
    }

    #[test]
    fn a_package_of_one_file_is_a_script() {
        let manifest = "[package]\nname = \"p\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n[dependencies]\na = \"=1.0.2\"\n";
        let file = |path: &str, text: &str| (PathBuf::from(path), File::from(text));
        let mut package = Files { files: [file(MANIFEST, manifest), file("lib.rs", "use a as _;\n")].into() };
        let script = |package: &Files| script(package).expect("it has one file");
        let front = "---\n[dependencies]\na = \"=1.0.2\"\n\n[package]\nedition = \"2024\"\n---\n\n";
        assert_eq!(script(&package), format!("{front}use a as _;\n\nfn main() {{}}\n"));
        package.files.extend([file("lib.rs", "fn main() {}\n")]);
        assert_eq!(script(&package), format!("{front}fn main() {{}}\n"));
    }
}
