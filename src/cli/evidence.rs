//! `mcve --issue TEXT` and `mcve rustc-ice-..txt`: from a text that shows a failure to the command line that it stands for.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use regex::{Regex, escape};

use super::args::{PairArgs, ReduceArgs};
use super::argv::{reduction, toolchain};
use super::channels::installed;
use super::exit::{Exit, Failed, OrExit, failed};
use super::input::is_stdin;
use super::messages::say;
use super::output::{output_at, warn_put_aside};
use super::run_args::{OutputArgs, RunArgs};
use super::{setup, toolchain::version};
use crate::evidence::{Evidence, Shown, Tool};
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::exec::stream;
use mcve_reduce::oracle::shell;
use mcve_reduce::output::{folder, program_name};

/// The option that names a text.
const OPTION: &str = "--issue";

/// So many bytes of a text are read.
const LONGEST: usize = 16 << 20;

/// At most so many programs, compilers and flags are tried together.
const MOST: usize = 24;

/// A text, and what the user says besides.
struct Text {
    /// Its path.
    path: PathBuf,
    says: Evidence,
    toolchain: Option<String>,
    /// The other words, without the name of the program.
    words: Vec<OsString>,
    /// Whether these words name a file.
    has_file: bool,
    /// Whether these words say what the failure is, or how it is compiled.
    has_question: bool,
}

/// A way to compile a program of a text.
struct Way<'a> {
    file: &'a Path,
    toolchain: Option<&'a str>,
    /// What the failure is, as options.
    question: &'a [String],
    /// The arguments of the compiler.
    args: &'a [String],
}

/// The command line, of `mcve` or of `cargo mcve`, that shows the failure of a text; none if these words name no text.
///
/// # Errors
/// When the text cannot be read, does not say what failed, or what it shows does not fail here.
pub(super) fn whole(words: &[OsString]) -> Result<Option<Vec<OsString>>, Failed> {
    let (toolchain, mut own) = toolchain(words.to_vec());
    let Some(path) = take(&mut own) else { return Ok(None) };
    let shown = path.display().to_string();
    let bytes = if is_stdin(&path) {
        std::io::read_to_string(std::io::stdin()).map(String::into_bytes)
    } else {
        stream::read(&path, LONGEST)
    };
    let bytes = bytes.with_context(|| format!("cannot read {shown}")).or_exit(Exit::Input)?;
    let says = Evidence::read(&String::from_utf8_lossy(&bytes));
    own.remove(0);
    let line =
        |words: &[OsString]| [OsString::from("mcve")].into_iter().chain(words.iter().cloned()).collect::<Vec<_>>();
    let plain = reduction(&line(&["x.rs".into()]));
    let mut filled = own.clone();
    filled.insert(end(&own), "x.rs".into());
    let asked = reduction(&line(&filled));
    let has_question = match (&plain, &asked) {
        (Some(plain), Some(asked)) => format!("{:?}", plain.oracle) != format!("{:?}", asked.oracle),
        _ => false,
    };
    let has_file = reduction(&line(&own)).is_some();
    let text = Text { path, says, toolchain, words: own, has_file, has_question };
    let whole = text.whole()?;
    say(format_args!("{shown} stands for: {}", shell::line(&whole)));
    Ok(Some(whole))
}

/// Takes the text out of the words, if they name one.
fn take(words: &mut Vec<OsString>) -> Option<PathBuf> {
    if words.get(1).is_some_and(|word| word == "test-file") {
        // Its option of this name is a number.
        return None;
    }
    let end = end(words);
    let is_crash = |word: &OsString| {
        let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("rustc-ice-") && name.ends_with(".txt")
    };
    for at in 1..end {
        if words[at] == OPTION && at + 1 < end {
            words.remove(at);
            return Some(words.remove(at).into());
        }
        if let Some(path) = words[at].to_str().and_then(|word| word.strip_prefix(OPTION)?.strip_prefix('=')) {
            let path = path.into();
            words.remove(at);
            return Some(path);
        }
        if is_crash(&words[at]) && !words[at - 1].to_string_lossy().starts_with('-') {
            return Some(words.remove(at).into());
        }
    }
    None
}

/// Where the words end that are of mcve.
fn end(words: &[OsString]) -> usize {
    words.iter().position(|word| word == "--").unwrap_or(words.len())
}

impl Text {
    fn whole(&self) -> Result<Vec<OsString>, Failed> {
        let toolchains = self.toolchains()?;
        let first = toolchains[0].as_deref();
        if self.has_file {
            let file = Path::new("");
            return Ok(self.line(&Way { file, toolchain: first, question: &self.question(), args: self.args()[0] }));
        }
        if !self.says.programs.is_empty() {
            return match &self.says.manifest {
                Some(manifest) => self.package_of(manifest, first),
                None => self.program(&toolchains),
            };
        }
        if let Some((file, args)) = self.file() {
            return Ok(self.line(&Way { file: &file, toolchain: first, question: &self.question(), args }));
        }
        if Path::new("Cargo.toml").is_file() {
            return Ok(self.package(None, first));
        }
        let shown = self.path.display();
        Err(failed!(Input, "{shown} does not say which file failed: name it: `mcve {OPTION} {shown} FILE.rs`"))
    }

    /// The toolchains that the text names, the likeliest first; none is the usual one.
    fn toolchains(&self) -> Result<Vec<Option<String>>, Failed> {
        if self.toolchain.is_some() {
            return Ok(vec![self.toolchain.clone()]);
        }
        let is_of = |name: Option<&str>, said: &String| version(name).starts_with(&format!("rustc {said}"));
        let (mut found, mut installed_names) = (Vec::new(), None);
        for said in &self.says.versions {
            if is_of(None, said) {
                found.push(None);
                continue;
            }
            let names = installed_names.get_or_insert_with(|| installed().unwrap_or_default());
            let own = names.iter().find(|name| is_of(Some(name), said));
            let channel = said.contains("nightly").then_some("nightly");
            let near = channel.and_then(|channel| names.iter().find(|name| name.starts_with(channel)));
            if own.is_none() {
                let used = near.map_or("the usual one", |name| name);
                say(format_args!("rustc {said} is not installed; mcve asks {used}"));
            }
            found.extend(own.or(near).cloned().map(Some));
        }
        found.extend(self.says.calls.iter().filter_map(|call| call.toolchain.clone()).map(Some));
        found.push(None);
        let uses_features = self.says.programs.iter().any(|program| program.contains("#![feature"));
        if uses_features || self.says.calls.iter().any(|call| call.args.iter().any(|arg| arg.starts_with("-Z"))) {
            found.push(Some("nightly".to_owned()));
        }
        let mut distinct = Vec::new();
        found.into_iter().for_each(|one| distinct.extend((!distinct.contains(&one)).then_some(one)));
        Ok(distinct)
    }

    /// What the failure is, as options.
    fn question(&self) -> Vec<String> {
        let tool = self.says.calls.iter().find_map(|call| match (call.tool, call.verb()) {
            (Tool::Clippy, _) | (_, Some("clippy")) => Some("clippy"),
            (Tool::Rustdoc, _) | (_, Some("doc")) => Some("rustdoc"),
            (Tool::Rustfmt, _) | (_, Some("fmt")) => Some("rustfmt"),
            (Tool::Miri, _) | (_, Some("miri")) => Some("miri"),
            _ => None,
        });
        let mut options = Vec::new();
        let mut add = |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
        match self.says.shows.first() {
            Some(Shown::Lint(name)) => {
                let tool = tool.or(name.starts_with("clippy::").then_some("clippy"));
                tool.into_iter().for_each(|tool| add("--tool", tool));
                add("--lint", name);
            }
            Some(Shown::Test(name)) => add("--test-name", name),
            Some(Shown::Panic) if tool.is_none() => options.push("--run".to_owned()),
            _ => tool.into_iter().for_each(|tool| add("--tool", tool)),
        }
        options
    }

    /// The arguments of compilers that the text names, each once, and none.
    fn args(&self) -> Vec<&[String]> {
        let mut found: Vec<&[String]> = Vec::new();
        for call in self.says.calls.iter().filter(|call| call.tool != Tool::Cargo) {
            found.extend((!found.contains(&call.args.as_slice())).then_some(call.args.as_slice()));
        }
        found.extend((!found.contains(&[].as_slice())).then_some([].as_slice()));
        found
    }

    /// The command line of a way, with the words of the user.
    fn line(&self, way: &Way<'_>) -> Vec<OsString> {
        let end = end(&self.words);
        let mut line: Vec<OsString> = vec!["mcve".into()];
        line.extend(way.toolchain.map(|name| format!("+{name}").into()));
        line.extend(self.words[..end].iter().cloned());
        line.extend((!way.file.as_os_str().is_empty()).then(|| way.file.into()));
        if !self.has_question {
            line.extend(way.question.iter().map(OsString::from));
            line.extend((!way.args.is_empty()).then(|| "--".into()));
            line.extend(way.args.iter().map(OsString::from));
        }
        line.extend(self.words[end..].iter().cloned());
        line
    }

    /// A program of the text that fails as the text says, or else one that fails, written to a file.
    fn program(&self, toolchains: &[Option<String>]) -> Result<Vec<OsString>, Failed> {
        let place = RunFolder::new().context("cannot make a temporary folder").or_exit(Exit::Output)?;
        let (name, question, limits) = (self.name(), self.question(), setup::limits(None, None)?);
        let mut files = Vec::new();
        for (at, text) in self.says.programs.iter().flat_map(|text| [text.clone(), in_main(text)]).enumerate() {
            let folder = place.path().join(at.to_string());
            let file = folder.join(&name);
            let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
            written.context("cannot write a temporary file").or_exit(Exit::Output)?;
            files.push(file);
        }
        // Programs first as they are.
        let files: Vec<&PathBuf> = files.iter().step_by(2).chain(files.iter().skip(1).step_by(2)).collect();
        let args = self.args();
        let ways = files.iter().flat_map(|file| {
            let (args, question) = (&args, &question);
            toolchains.iter().flat_map(move |toolchain| {
                args.iter().map(move |args| Way { file, toolchain: toolchain.as_deref(), question, args })
            })
        });
        let (mut fallback, mut why) = (None, None);
        for way in ways.take(MOST) {
            limits.proceed()?;
            let Some(args) = reduction(&self.line(&way)) else { continue };
            let ReduceArgs { oracle, run: RunArgs { search, .. }, .. } = *args;
            let output_args = OutputArgs { quiet: true, ..OutputArgs::default() };
            let asked = PairArgs { file: way.file.to_owned(), grammar: None, oracle, search, output_args };
            match asked.find(limits.clone(), way.toolchain.map(str::to_owned))? {
                Ok(start) => {
                    let oracle = &start.problem.oracle;
                    let (words, is_crash) = (oracle.failure().words, oracle.properties().is_crash);
                    if self.says.shows.is_empty() || self.says.shows.iter().any(|shown| shown.is_in(&words, is_crash)) {
                        return self.written(way);
                    }
                    fallback.get_or_insert((way, words));
                }
                Err(error) => why = why.or(Some(error)),
            }
        }
        match (fallback, why) {
            (Some((way, words)), _) => {
                say(format_args!("warning: this is another failure than {} shows: {words}", self.path.display()));
                self.written(way)
            }
            (None, Some(error)) => {
                let count = self.says.programs.len();
                let programs =
                    if count == 1 { "the program".to_owned() } else { format!("none of the {count} programs") };
                let fails = if count == 1 { "does not fail here" } else { "fails here" };
                let Failed { exit, error } = error.into();
                // The user has no file there.
                let place = Regex::new(&format!("{}/[0-9]+/", escape(&place.path().to_string_lossy())));
                let place = place.expect("it is well-formed");
                let why = place.replace_all(&format!("{error:#}"), "").into_owned();
                Err(Failed { exit, error: anyhow!("{programs} in {} {fails}: {why}", self.path.display()) })
            }
            (None, None) => {
                Err(failed!(Usage, "the words besides {} are not those of a reduction", self.path.display()))
            }
        }
    }

    /// Writes the program of a way beside the text, or here if it has no place.
    fn written(&self, way: Way<'_>) -> Result<Vec<OsString>, Failed> {
        let path = if is_stdin(&self.path) { self.name() } else { self.path.with_file_name(self.name()) };
        let text = std::fs::read(way.file).context("cannot read a temporary file").or_exit(Exit::Output)?;
        write(&path, &text)?;
        Ok(self.line(&Way { file: &path, ..way }))
    }

    /// Writes a package with the first program and the dependencies of the text.
    fn package_of(&self, manifest: &str, toolchain: Option<&str>) -> Result<Vec<OsString>, Failed> {
        let program = &self.says.programs[0];
        let place = self.path.with_extension("").with_extension("package");
        let root = if program.contains("fn main") { "src/main.rs" } else { "src/lib.rs" };
        let head = if manifest.contains("[package]") {
            ""
        } else {
            "[package]\nname = \"issue\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n"
        };
        let made = std::fs::create_dir_all(place.join("src"));
        made.with_context(|| format!("cannot make {}", place.display())).or_exit(Exit::Output)?;
        write(&place.join("Cargo.toml"), format!("{head}{manifest}").as_bytes())?;
        write(&place.join(root), program.as_bytes())?;
        Ok(self.package(Some(&place.join("Cargo.toml")), toolchain))
    }

    /// The command line for the package here, or for that of this manifest.
    fn package(&self, manifest: Option<&Path>, toolchain: Option<&str>) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec!["cargo-mcve".into()];
        line.extend(toolchain.map(|name| format!("+{name}").into()));
        let call = self.says.calls.iter().rfind(|call| call.tool == Tool::Cargo);
        let test = self.says.shows.iter().find_map(|shown| match shown {
            // The name of a doctest: `src/lib.rs - name (line 3)`.
            Shown::Test(name) => Some(name.split(" - ").last().unwrap_or(name).split(" (line").next().unwrap_or(name)),
            _ => None,
        });
        let words = call.map(|call| call.args.as_slice()).unwrap_or_default();
        let (verb, options) = match words {
            [verb, rest @ ..] if verb == "nextest" => ("test", rest.get(1..).unwrap_or_default()),
            [verb, rest @ ..] if test.is_none() || verb == "test" => (verb.as_str(), rest),
            _ => ("test", &[] as &[String]),
        };
        let verb = if call.is_none() && test.is_none() { "" } else { verb };
        line.extend((!verb.is_empty()).then(|| verb.into()));
        line.extend(test.map(OsString::from));
        line.extend(
            options.iter().take_while(|word| *word != "--").filter(|word| word.starts_with('-')).map(OsString::from),
        );
        line.extend(manifest.into_iter().flat_map(|path| ["--manifest-path".into(), path.as_os_str().to_owned()]));
        line.extend(self.words.iter().cloned());
        line
    }

    /// The file that the text says was compiled, if it is here or beside the text, and how.
    fn file(&self) -> Option<(PathBuf, &[String])> {
        let beside = folder(&self.path);
        let places = |name: &str| [PathBuf::from(name), beside.join(name)];
        for call in &self.says.calls {
            let found = call.file.iter().flat_map(|name| places(name)).find(|path| path.is_file());
            if let Some(path) = found {
                return Some((path, &call.args));
            }
        }
        let listed = [Path::new("."), beside].into_iter().flat_map(|place| place.read_dir().ok()).flatten().flatten();
        let is_crate = |path: &PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
            path.extension().is_some_and(|end| end == "rs") && self.says.crates.contains(&stem)
        };
        let path = listed.map(|entry| entry.path()).find(is_crate)?;
        Some((path.strip_prefix(".").map(Path::to_owned).unwrap_or(path), self.args()[0]))
    }

    /// The name of the program's file.
    fn name(&self) -> PathBuf {
        let stem = self.path.file_stem().filter(|_| !is_stdin(&self.path)).unwrap_or(OsStr::new("issue"));
        program_name(&Path::new(stem).with_extension("rs"))
    }
}

/// Statements as a program.
fn in_main(text: &str) -> String {
    format!("fn main() {{\n{text}\n}}\n")
}

/// Writes a file. What stood there is kept.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let output = output_at(path, &OutputArgs::default())?;
    let aside =
        output.write(bytes).with_context(|| format!("cannot write {}", path.display())).or_exit(Exit::Output)?;
    aside.iter().for_each(|aside| warn_put_aside(output.path(), aside));
    Ok(())
}
