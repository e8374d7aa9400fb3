//! A call of the compiler, without the options that cargo adds for itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::record::{CLIPPY, RUSTDOC, Record};
use mcve_reduce::failure::tool::Tool;
use mcve_reduce::oracle::headers;

/// Options with a value that only cargo needs: output paths, error format, and whatever makes names unique.
const OF_CARGO: &str = "\
    --crate-name --crate-version --diagnostic-width --emit --error-format --json --out-dir --resource-suffix -o";

/// Such options of `-C`.
const CODEGEN_OF_CARGO: [&str; 2] = ["extra-filename", "metadata"];

/// A crate that another one uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// Its name in the crate that uses it.
    pub name: String,
    /// The built artifact; none for a crate that the compiler finds itself.
    pub path: Option<PathBuf>,
}

/// A call of the compiler for a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// The suffix in file names that distinguishes it from other builds of the crate.
    pub suffix: String,
    /// The root file.
    pub root: PathBuf,
    /// The folder that paths in diagnostics are relative to.
    pub folder: PathBuf,
    /// `lib`, `bin`, `proc-macro` or another type.
    pub form: String,
    /// The edition, if the call names one.
    pub edition: Option<String>,
    /// Whether its tests are compiled with a harness.
    pub is_test: bool,
    /// Whether it is only checked, without code generation.
    pub is_checked: bool,
    /// The tool that was called, if it is not rustc.
    pub tool: Option<Tool>,
    /// The output folder.
    pub made_in: PathBuf,
    /// The crates that it uses.
    pub externs: Vec<Extern>,
    /// All other arguments, each as one word with absolute paths.
    pub arguments: Vec<String>,
    /// The variables that cargo sets.
    pub environment: BTreeMap<String, String>,
    /// Its exit code; none if a signal ended it.
    pub status: Option<i32>,
    /// Its standard error: diagnostics as JSON, and plain lines.
    pub said: String,
    /// The run of cargo that it belongs to.
    pub run: String,
}

impl Call {
    /// Reads the call from a record; none if it names no root file.
    pub fn of(record: &Record) -> Option<Self> {
        // `clippy-driver` has the path of rustc for its first argument.
        let (tool, words_before) = match record.argv.first()? {
            program if program.ends_with("clippy-driver") => (Some(Tool::Clippy), 2),
            program if program == RUSTDOC => (Some(Tool::Rustdoc), 1),
            _ => (None, 1),
        };
        let mut call = Self {
            folder: record.folder.clone(),
            form: "bin".to_owned(),
            is_checked: true,
            tool,
            environment: record.environment.clone(),
            status: record.status,
            said: record.said.clone(),
            run: record.run.clone(),
            ..Self::default()
        };
        let mut words = record.argv.iter().skip(words_before);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                call.root = record.folder.join(word);
                continue;
            }
            let (option, value) = match word.split_once('=') {
                Some((option, value)) if word.starts_with("--") => (option, Some(value.to_owned())),
                _ if takes_value(word) => (word.as_str(), words.next().cloned()),
                _ => (word.as_str(), None),
            };
            call.take(option, value.as_deref(), &record.folder);
        }
        if let Some(lints) = call.environment.remove(CLIPPY) {
            let lints = lints.split("__CLIPPY_HACKERY__").filter(|word| !word.is_empty());
            call.arguments.extend(lints.map(str::to_owned));
        }
        // It takes time, and decides only where the compiler crashes.
        if matches!(call.status, Some(0 | 1)) {
            call.arguments.retain(|argument| !argument.starts_with("-Cincremental="));
        }
        call.root.is_file().then_some(call)
    }

    /// Whether the compiler exited successfully.
    pub fn is_success(&self) -> bool {
        self.status == Some(0)
    }

    /// Whether the crate is of the user: cargo caps the lints of all others.
    pub fn is_own(&self) -> bool {
        !self.arguments.iter().any(|argument| argument.starts_with("--cap-lints"))
    }

    /// Whether it compiles a build script.
    pub fn is_build_script(&self) -> bool {
        self.form == "bin" && self.name.starts_with("build_script_")
    }

    fn take(&mut self, option: &str, value: Option<&str>, folder: &Path) {
        match (option, value) {
            ("--crate-name", Some(name)) => self.name = name.to_owned(),
            ("--crate-type", Some(form)) => self.form = form.to_owned(),
            ("--edition", Some(edition)) => self.edition = Some(edition.to_owned()),
            ("--emit", Some(kinds)) => self.is_checked = !kinds.split(',').any(|kind| kind == "link"),
            ("--out-dir", Some(path)) => self.made_in = folder.join(path),
            ("--test", None) => self.is_test = true,
            ("--extern", Some(value)) => {
                // Options stand before the name: `priv:`, `noprelude:`.
                let (name, path) = value.split_once('=').map_or((value, None), |(name, path)| (name, Some(path)));
                let name = name.rsplit(':').next().unwrap_or(name).to_owned();
                self.externs.push(Extern { name, path: path.map(|path| folder.join(path)) });
            }
            ("-C", Some(value)) => {
                let name = value.split('=').next().unwrap_or(value);
                if let Some(suffix) = value.strip_prefix("extra-filename=") {
                    self.suffix = suffix.to_owned();
                }
                if !CODEGEN_OF_CARGO.contains(&name) {
                    self.arguments.push(format!("-C{value}"));
                }
            }
            ("-L", Some(value)) => {
                let (kind, path) = value.split_once('=').map_or((None, value), |(kind, path)| (Some(kind), path));
                let kind = kind.map_or_else(String::new, |kind| format!("{kind}="));
                self.arguments.push(format!("-L{kind}{}", folder.join(path).display()));
            }
            (option, _) if is_of_cargo(option) => {}
            (option, Some(value)) if option.starts_with("--") => self.arguments.push(format!("{option}={value}")),
            (option, Some(value)) => self.arguments.push(format!("{option}{value}")),
            (option, None) => self.arguments.push(option.to_owned()),
        }
    }

    /// Whether this call built the artifact at `path`.
    pub fn has_made(&self, path: &Path) -> bool {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        stem.strip_prefix("lib").unwrap_or(stem) == format!("{}{}", self.name, self.suffix)
            // An executable also exists under its name without the suffix.
            || self.form == "bin" && stem.replace('-', "_") == self.name && !self.is_test
    }

    /// The arguments that repeat this call, without the root file.
    pub fn line(&self) -> Vec<String> {
        let mut line: Vec<String> = self.edition.iter().map(|edition| format!("--edition={edition}")).collect();
        if self.form != "bin" && !self.is_test {
            line.push(format!("--crate-type={}", self.form));
        }
        line.extend(self.is_test.then(|| "--test".to_owned()));
        let is_checked = self.is_checked && !self.is_test && self.tool != Some(Tool::Rustdoc);
        line.extend(is_checked.then(|| "--emit=metadata".to_owned()));
        line.extend(self.arguments.iter().cloned());
        line.extend(self.externs.iter().map(Extern::argument));
        line
    }

    /// The arguments that set how the compiler is called, independent of the program; with the edition if `has_edition`.
    pub fn line_of_caller(&self, has_edition: bool) -> Vec<String> {
        let is_of_caller = |argument: &String| {
            argument.starts_with("--emit=")
                || argument.starts_with("--crate-type=")
                || has_edition && argument.starts_with("--edition=")
        };
        self.line().into_iter().filter(is_of_caller).collect()
    }

    /// The arguments that compile it as a library, or as procedural macros, that the crates of a program use under this name.
    pub fn as_dependency(&self, name: &str) -> Vec<String> {
        let form = if self.form == "proc-macro" { "proc-macro" } else { "lib" };
        let mut line =
            vec![format!("--crate-name={name}"), format!("--crate-type={form}"), "--cap-lints=allow".to_owned()];
        line.extend(self.edition.iter().map(|edition| format!("--edition={edition}")));
        let is_needed = |argument: &&String| argument.starts_with("--cfg=") || argument.starts_with("-L");
        line.extend(self.arguments.iter().filter(is_needed).cloned());
        line.extend(self.externs.iter().map(Extern::argument));
        line
    }
}

fn is_of_cargo(option: &str) -> bool {
    OF_CARGO.split(' ').any(|known| known == option)
}

/// Whether the value of an option may be the next word.
fn takes_value(option: &str) -> bool {
    is_of_cargo(option) || headers::takes_value(option)
}

impl Extern {
    /// The `--extern` argument for it.
    pub fn argument(&self) -> String {
        let Self { name, path } = self;
        path.as_ref().map_or_else(|| format!("--extern={name}"), |path| format!("--extern={name}={}", path.display()))
    }

    /// Parses an `--extern` argument with a path; none for other arguments.
    pub fn of_argument(argument: &str) -> Option<Self> {
        let (name, path) = argument.strip_prefix("--extern=")?.split_once('=')?;
        Some(Self { name: name.to_owned(), path: Some(path.into()) })
    }

    /// The possible artifacts of it: the one to link, and the one to check against; of procedural macros there is one.
    pub fn built(&self) -> Vec<PathBuf> {
        if self.is_proc_macro() {
            return self.path.iter().cloned().collect();
        }
        self.path.iter().flat_map(|path| ["rlib", "rmeta"].map(|end| path.with_extension(end))).collect()
    }

    /// Whether it is a procedural macro, which the compiler runs.
    pub fn is_proc_macro(&self) -> bool {
        let end = self.path.as_ref().and_then(|path| path.extension());
        end.is_some_and(|end| end == "so" || end == "dylib")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(line: &str) -> Call {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("a.rs"), "").expect("it can be written");
        let argv = line.split(' ').map(str::to_owned).collect();
        let (folder, environment) = (folder.path().to_owned(), BTreeMap::new());
        let record = Record {
            argv,
            folder: folder.clone(),
            environment,
            status: Some(1),
            said: String::new(),
            run: String::new(),
            ended: 0,
        };
        let mut call = Call::of(&record).expect("it names a file");
        call.root = call.root.strip_prefix(folder).expect("it is there").to_owned();
        call
    }

    #[test]
    fn flags_of_the_user_stay() {
        let call =
            call("rustc --crate-name a -A unused -Z crate-attr=feature(frontmatter) -Zthreads=2 --warn dead_code a.rs");
        let expected = ["-Aunused", "-Zcrate-attr=feature(frontmatter)", "-Zthreads=2", "--warn=dead_code"];
        assert_eq!((call.root.as_path(), &call.line()[1..]), (Path::new("a.rs"), &expected.map(str::to_owned)[..]));
    }

    #[test]
    fn what_is_cargos_goes() {
        let call = call(
            "rustc --crate-name a --edition=2021 a.rs --error-format=json --json=artifacts --crate-type lib --emit=dep-info,metadata,link -C embed-bitcode=no --cfg feature=\"x\" --check-cfg cfg(docsrs) -C metadata=1 -C extra-filename=-12 --out-dir /o -L dependency=/d --extern b=/d/libb-3.rlib --extern priv:c=/d/libc-4.so --extern proc_macro --cap-lints warn",
        );
        assert_eq!(
            call.line(),
            [
                "--edition=2021",
                "--crate-type=lib",
                "-Cembed-bitcode=no",
                "--cfg=feature=\"x\"",
                "--check-cfg=cfg(docsrs)",
                "-Ldependency=/d",
                "--cap-lints=warn",
                "--extern=b=/d/libb-3.rlib",
                "--extern=c=/d/libc-4.so",
                "--extern=proc_macro",
            ]
        );
        assert!(call.has_made(Path::new("/x/liba-12.rmeta")) && !call.has_made(Path::new("/x/liba-1.rmeta")));
        assert!(!call.externs[0].is_proc_macro() && call.externs[1].is_proc_macro());
        assert_eq!(Extern::of_argument(&call.externs[0].argument()).as_ref(), Some(&call.externs[0]));
        assert_eq!((call.name.as_str(), call.suffix.as_str(), call.is_success()), ("a", "-12", false));
    }

    #[test]
    fn a_crate_that_is_checked_or_tested_stays_so() {
        let checked = call("rustc --crate-name a a.rs --crate-type bin --emit=dep-info,metadata");
        assert_eq!(checked.line(), ["--emit=metadata"]);
        let tested = call("clippy-driver rustc --crate-name a a.rs --emit=dep-info,metadata,link --test");
        assert_eq!((tested.line(), tested.tool), (vec!["--test".to_owned()], Some(Tool::Clippy)));
        let documented =
            call("rustdoc --edition=2021 --crate-type lib --crate-name a a.rs -o /doc --error-format=json");
        assert_eq!(
            (documented.line(), documented.tool),
            (vec!["--edition=2021".to_owned(), "--crate-type=lib".to_owned()], Some(Tool::Rustdoc))
        );
    }
}
