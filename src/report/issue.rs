//! The text of an issue: what is known of a result, in the form of its tracker. Facts only: where a person must write, a line says so.

mod form;
mod labels;
mod printed;

use std::fmt::Write;

use clap::ValueEnum;
use mcve_reduce::oracle::FailureId;
use mcve_reduce::program::Program;
use serde_json::{Value, json};

pub(crate) use self::form::Form;
use self::form::Part;
pub(crate) use self::printed::Printed;
use super::log::End;
use super::private::Private;

/// The most bytes of an issue on the trackers of rust-lang: longer ones are refused.
const LONGEST: usize = 65_000;

/// So many bytes of what a command prints are quoted.
const QUOTED: usize = 20_000;

/// What is known of a failure.
pub(crate) struct Facts {
    pub(crate) program: Program,
    /// The command that shows the failure.
    pub(crate) command: String,
    /// What it prints.
    pub(crate) printed: Printed,
    /// The failure in words, and in a form that can be compared.
    pub(crate) failure: String,
    pub(crate) fingerprint: Option<String>,
    /// What the tool and the compiler say of themselves.
    pub(crate) versions: String,
    /// The change with which it passes: its lines, and how it passes.
    pub(crate) change: Option<(String, String)>,
    /// The number of lines before and after the reduction, and whether no single step makes it smaller.
    pub(crate) reduced: Option<(usize, usize, bool)>,
    /// The errors that a crash hides.
    pub(crate) hidden_errors: Vec<String>,
    /// Toolchains, their versions, and what each makes of the program.
    pub(crate) channels: Vec<(String, String, String)>,
    /// Since when the failure is there.
    pub(crate) origin: Vec<String>,
    /// The label if an older compiler does not show the failure.
    pub(crate) regression: Option<String>,
    /// How known failures are like it, and how many were compared.
    pub(crate) known: Option<(Vec<String>, usize)>,
    /// The address of a search for the failure.
    pub(crate) search: Option<String>,
}

impl Facts {
    /// What a program, its failure and the run that found it say.
    pub(crate) fn of(program: Program, failure: FailureId, end: Option<&End>) -> Self {
        Self {
            program,
            command: String::new(),
            printed: Printed::default(),
            failure: failure.words,
            fingerprint: failure.fingerprint,
            versions: String::new(),
            change: end.and_then(|end| end.change.clone()),
            reduced: end.map(|end| (end.before.lines, end.after.lines, end.one_minimal)),
            hidden_errors: end.map_or_else(Vec::new, |end| end.hidden_errors.clone()),
            channels: Vec::new(),
            origin: Vec::new(),
            regression: None,
            known: None,
            search: None,
        }
    }

    /// All that is known, for scripts. `form` is the form of the issue.
    pub(crate) fn object(&self, form: Form, private: &Private) -> String {
        let files = self.program.files().into_iter();
        let files: serde_json::Map<String, Value> = files
            .map(|(path, file)| (path.display().to_string(), String::from_utf8_lossy(&file.bytes).into()))
            .collect();
        let channels = self
            .channels
            .iter()
            .map(|(name, version, answer)| json!({ "toolchain": name, "version": version, "answer": answer }));
        let object = json!({
            "form": form.to_possible_value().map(|value| value.get_name().to_owned()),
            "files": files,
            "text": self.text(form, private),
            "command": self.command,
            "failure": self.failure,
            "fingerprint": self.fingerprint,
            "message": self.printed.message,
            "backtrace": self.printed.backtrace,
            "queries": self.printed.queries,
            "versions": self.versions,
            "change": self.change,
            "reduced": self.reduced,
            "hidden_errors": self.hidden_errors,
            "channels": channels.collect::<Vec<_>>(),
            "origin": self.origin,
            "regression": self.regression,
            "known": self.known.as_ref().map(|(alike, count)| json!({ "alike": alike, "compared": count })),
            "search": self.search,
            "labels": labels::of(self, form),
        });
        private.hide(&format!("{object:#}")) + "\n"
    }

    /// The text of an issue.
    pub(crate) fn text(&self, form: Form, private: &Private) -> String {
        let mut text = String::new();
        for (heading, parts) in form.sections() {
            let bodies = parts.iter().map(|part| self.part(*part, form)).filter(|body| !body.is_empty());
            let bodies: String = bodies.map(|body| format!("{}\n\n", body.trim_end())).collect();
            if !heading.is_empty() && !bodies.is_empty() {
                text += &format!("### {heading}\n\n");
            }
            text += &bodies;
        }
        let mut text = private.hide(text.trim_end()) + "\n";
        text.truncate(boundary(&text, LONGEST));
        text
    }

    fn part(&self, part: Part, form: Form) -> String {
        match part {
            Part::Write(what) => format!("_To be written by you: {what}._"),
            Part::Code => self.code(),
            Part::Command => fenced("sh", &self.command),
            Part::Versions => format!("`rustc --version --verbose`:\n\n{}", fenced("", &self.versions)),
            Part::Output => fenced("", &shortened(&self.printed.message)),
            Part::Backtrace => {
                let (backtrace, queries) = (&self.printed.backtrace, &self.printed.queries);
                details("Backtrace", backtrace) + &details("Query stack", queries)
            }
            Part::Change => self.change.as_ref().map_or_else(String::new, |(lines, how)| {
                let lines =
                    lines.trim_start_matches('\n').lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
                let lines = lines.collect::<Vec<_>>().join("\n");
                format!("With this change, {how}:\n\n{}", fenced("diff", &lines))
            }),
            Part::Channels => self.channels(),
            Part::Origin => self.origin.iter().map(|line| format!("- {line}\n")).collect(),
            Part::Facts => self.facts(),
            Part::Labels => labels::command(self, form),
        }
    }

    /// The files of the program.
    fn code(&self) -> String {
        let language = |name: &str| if name.ends_with(".rs") { "rust" } else { "" };
        let mut text = String::new();
        for (path, file) in self.program.files() {
            let (path, content) = (path.display().to_string(), String::from_utf8_lossy(&file.bytes).into_owned());
            if !self.program.is_lone() {
                text += &format!("`{path}`:\n\n");
            }
            text += &format!("{}\n", fenced(language(&path), &content));
        }
        text
    }

    fn channels(&self) -> String {
        if self.channels.is_empty() {
            return String::new();
        }
        let mut text = "| toolchain | version | this program |\n| --- | --- | --- |\n".to_owned();
        for (name, version, answer) in &self.channels {
            // Writing to a string never fails.
            let _ = writeln!(text, "| {name} | {version} | {} |", answer.replace('|', "\\|"));
        }
        text
    }

    /// What is known besides, a line each.
    fn facts(&self) -> String {
        let mut lines = vec![format!("- failure: {}", self.failure)];
        lines.extend(self.fingerprint.iter().map(|fingerprint| format!("- fingerprint: `{fingerprint}`")));
        lines.extend(self.source().map(|link| format!("- source of the compiler: {link}")));
        if !self.hidden_errors.is_empty() {
            lines.push(format!("- not valid: behind the crash there is {}", self.hidden_errors.join("; ")));
        }
        match &self.known {
            Some((alike, count)) if alike.is_empty() => {
                lines.push(format!("- new: none of {count} known failures has its message or its place"));
            }
            Some((alike, _)) => lines.extend(alike.iter().map(|line| format!("- {line}"))),
            None => {}
        }
        lines.extend(self.search.iter().map(|link| format!("- search: {link}")));
        if let Some((before, after, is_minimal)) = self.reduced {
            let minimal = if is_minimal { "; no single step makes it smaller" } else { "" };
            lines.push(format!(
                "- reduced by mcve from {before} lines to {after}, with the same failure throughout{minimal}"
            ));
        }
        lines.join("\n")
    }

    /// A link to the line of the compiler's source that the failure names.
    fn source(&self) -> Option<String> {
        let commit = self.versions.lines().find_map(|line| line.strip_prefix("commit-hash: "))?;
        let from = &self.failure[self.failure.find("compiler/").or_else(|| self.failure.find("src/tools/"))?..];
        let mut parts = from.split(':');
        let (path, line) = (parts.next()?, parts.next()?);
        let is_path = path.ends_with(".rs") && line.bytes().all(|byte| byte.is_ascii_digit());
        is_path.then(|| format!("https://github.com/rust-lang/rust/blob/{commit}/{path}#L{line}"))
    }
}

/// A block of code. Its fence is longer than any in it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// A block that is folded; empty without text.
fn details(title: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<details><summary>{title}</summary>\n\n{}\n</details>\n\n", fenced("", &shortened(text)))
}

/// The beginning and the end of a long text.
fn shortened(text: &str) -> String {
    if text.len() <= QUOTED {
        return text.to_owned();
    }
    let (begin, end) = (boundary(text, QUOTED / 2), boundary(text, text.len() - QUOTED / 2));
    format!("{}\n[.. {} bytes ..]\n{}", &text[..begin], end - begin, &text[end..])
}

/// The last boundary of a character up to the byte `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
