//! `mcve --issue TEXT` and `mcve rustc-ice-..txt`: from a text that shows a failure to the command line that it stands for.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use regex::{Regex, escape};

use super::args::{PairArgs, ReduceArgs};
use super::argv::{is_usual, reduction, toolchain};
use super::exit::{Exit, Failed, OrExit, failed};
use super::input::is_stdin;
use super::messages::say;
use super::output::{output_at, warn_put_aside};
use super::run_args::{OutputArgs, RunArgs};
use super::setup;
use super::ways::{Text, Way, end};
use crate::evidence::{Evidence, Shown, Tool};
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::exec::stream;
use mcve_reduce::oracle::shell;
use mcve_reduce::output::folder;

/// The option that names a text.
const OPTION: &str = "--issue";

/// So many bytes of a text are read.
const LONGEST: usize = 16 << 20;

/// At most so many programs, compilers and flags are tried together.
const MOST: usize = 24;

/// The command line, of `mcve` or of `cargo mcve`, that shows the failure of a text; none if these words name no text.
/// Fails when the text cannot be read, does not say what failed, or what it shows does not fail here.
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
    let mut filled = own.clone();
    filled.insert(end(&own), "x.rs".into());
    let asked = reduction(&line(&filled));
    let has_question = asked.as_ref().is_some_and(|asked| !is_usual(&asked.oracle));
    let output = asked.and_then(|asked| asked.output);
    let has_file = reduction(&line(&own)).is_some();
    let text = Text { path, says, toolchain, words: own, has_file, has_question, output };
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

impl Text {
    fn whole(&self) -> Result<Vec<OsString>, Failed> {
        let toolchains = self.toolchains();
        let first = toolchains[0].as_deref();
        if self.has_file {
            let file = Path::new("");
            return Ok(self.line(&Way { file, toolchain: first, question: &self.question(), args: self.args()[0] }));
        }
        if !self.says.files.is_empty() {
            return self.files(first);
        }
        match &self.says.programs[..] {
            [] => {}
            [before, after, ..] if self.says.is_incremental && !self.has_question => {
                return self.versions([before, after], first);
            }
            _ => {
                return match &self.says.manifest {
                    Some(manifest) => self.package_of(manifest, first),
                    None => self.program(&toolchains),
                };
            }
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
                    if self.is_meant(&words, is_crash) {
                        return self.written(way);
                    }
                    fallback.get_or_insert((way, words));
                }
                Err(error) => why = why.or(Some(error)),
            }
        }
        match (fallback, why) {
            (Some((way, words)), _) => {
                let line = self.written(way)?;
                let (shown, line) = (self.path.display(), shell::line(line.iter().map(OsString::as_os_str)));
                Err(failed!(
                    NotFailing,
                    "here its program shows another failure than {shown}: {words}\nif a toolchain or flags are missing: `mcve +TOOLCHAIN {OPTION} {shown} -- FLAGS`\nto reduce what it shows here: {line}"
                ))
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
        let path = self.beside("rs");
        let text = std::fs::read(way.file).context("cannot read a temporary file").or_exit(Exit::Output)?;
        write(&path, &text)?;
        Ok(self.line(&Way { file: &path, ..way }))
    }

    /// Whether a failure in words, a crash or not, may be the one that is meant.
    fn is_meant(&self, words: &str, is_crash: bool) -> bool {
        let shows = &self.says.shows;
        self.has_question || shows.is_empty() || shows.iter().any(|shown| shown.is_in(words, is_crash))
    }

    /// Writes two versions of a program, of which the second one fails after the first, beside the text.
    fn versions(&self, texts: [&String; 2], toolchain: Option<&str>) -> Result<Vec<OsString>, Failed> {
        let stem = self.beside("").display().to_string();
        let [before, after] = ["before", "after"].map(|name| PathBuf::from(format!("{stem}_{name}.rs")));
        write(&before, texts[0].as_bytes())?;
        write(&after, texts[1].as_bytes())?;
        let question = [after.display().to_string(), "--incremental".to_owned()];
        Ok(self.line(&Way { file: &before, toolchain, question: &question, args: self.args()[0] }))
    }

    /// Writes the files of the text to a folder beside it.
    fn files(&self, toolchain: Option<&str>) -> Result<Vec<OsString>, Failed> {
        let place = self.beside("package");
        for (path, text) in &self.says.files {
            let path = place.join(path);
            std::fs::create_dir_all(folder(&path))
                .with_context(|| format!("cannot make {}", place.display()))
                .or_exit(Exit::Output)?;
            write(&path, text.as_bytes())?;
        }
        let manifest = place.join("Cargo.toml");
        if manifest.is_file() {
            return Ok(self.package(Some(&manifest), toolchain));
        }
        let names = self.says.files.iter().map(|(path, _)| path);
        let is_root = |name: &&String| name.ends_with("main.rs") || name.ends_with("lib.rs");
        let root = names.clone().find(is_root).or(names.clone().next()).expect("there are files");
        let file = place.join(root);
        Ok(self.line(&Way { file: &file, toolchain, question: &self.question(), args: self.args()[0] }))
    }

    /// Where what is made of the text goes: beside the result that the user names, else beside the text, or here if it has no place.
    fn beside(&self, extension: &str) -> PathBuf {
        let name = self.name().with_extension(extension);
        match &self.output {
            Some(output) if !is_stdin(output) => output.with_file_name(name),
            _ if is_stdin(&self.path) => name,
            _ => self.path.with_file_name(name),
        }
    }

    /// Writes a package with the first program and the dependencies of the text.
    fn package_of(&self, manifest: &str, toolchain: Option<&str>) -> Result<Vec<OsString>, Failed> {
        let program = &self.says.programs[0];
        let place = self.beside("package");
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
