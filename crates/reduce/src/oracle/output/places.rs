//! Reads at which parts of the program a failure points: spans of errors, the query stack of a crash, the place of a panic, the
//! name of a test. These are hints: they say what to try first, and decide nothing.

use std::path::{Path, PathBuf};

use regex::Regex;

use super::diagnostics::{Diagnostic, Stderr};
use crate::exec::folder::is_of_check;
use crate::exec::job::JobResult;
use crate::program::{File, Program};

/// Parts of a program that messages name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Bytes in them.
    pub bytes: Vec<usize>,
    /// Their names, without the modules that they are in.
    pub names: Vec<String>,
}

/// Names of threads that are not names of tests.
const THREADS: [&str; 2] = ["main", "rustc"];

/// The most bytes and names to keep: the first ones are closest to the failure.
const ENOUGH: usize = 8;

impl Places {
    /// Whether nothing was named.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.names.is_empty()
    }

    /// Reads the output of a check of `program`.
    pub fn read(result: &JobResult, program: &Program) -> Self {
        let mut places = Self::default();
        let stderr = Stderr::read(&result.stderr);
        let is_error = |diagnostic: &&Diagnostic| diagnostic.level.starts_with("error");
        let errors: Vec<&Diagnostic> = stderr.diagnostics.iter().filter(is_error).collect();
        errors.iter().for_each(|error| places.diagnostic(error, program));
        // What a note shows is part of the failure, too.
        let is_note = |note: &&Diagnostic| note.spans.iter().all(|span| span.suggested_replacement.is_none());
        let notes = errors.iter().flat_map(|error| error.children.iter().filter(is_note));
        notes.for_each(|note| places.diagnostic(note, program));
        let stdout = String::from_utf8_lossy(&result.stdout);
        places.lines(stderr.plain.iter().map(String::as_str).chain(stdout.lines()), program);
        places.bytes.truncate(ENOUGH);
        places.names.truncate(ENOUGH);
        places
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, program: &Program) {
        for span in diagnostic.primary() {
            self.byte(program.byte(Path::new(&span.file_name), span.byte_start), program);
        }
    }

    fn lines<'l>(&mut self, lines: impl Iterator<Item = &'l str>, program: &Program) {
        let files: Vec<PlacedFile> =
            program.files().into_iter().filter_map(|(path, file)| PlacedFile::new(path, &file)).collect();
        let mut is_warning = false;
        for line in lines {
            let is_frame = is_frame(line);
            let thread = line.strip_prefix("thread '").and_then(|rest| rest.split('\'').next());
            match () {
                () if line.starts_with("warning") => is_warning = true,
                () if line.starts_with("error") || thread.is_some() || is_frame => is_warning = false,
                () => {}
            }
            if is_warning {
                continue;
            }
            for file in &files {
                file.named_in(line).for_each(|offset| self.byte(program.byte(&file.path, offset), program));
            }
            if is_frame {
                line.split('`').skip(1).step_by(2).for_each(|path| self.name(path));
            }
            thread.filter(|thread| !THREADS.contains(thread)).into_iter().for_each(|thread| self.name(thread));
        }
    }

    fn byte(&mut self, byte: Option<usize>, program: &Program) {
        self.bytes.extend(byte.filter(|byte| *byte < program.text.len() && !self.bytes.contains(byte)));
    }

    /// Adds the last name of a path: `f` of `a::S<T>::f::{closure#0}`.
    fn name(&mut self, path: &str) {
        let mut plain = String::new();
        let mut depth = 0_usize;
        for c in path.chars() {
            match c {
                '<' | '{' | '[' | '(' => depth += 1,
                '>' | '}' | ']' | ')' => depth = depth.saturating_sub(1),
                _ if depth == 0 => plain.push(c),
                _ => {}
            }
        }
        let is_name = |name: &&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let last = plain.rsplit("::").map(str::trim).find(is_name).unwrap_or_default().to_owned();
        if !last.is_empty() && !last.contains(' ') && !self.names.contains(&last) {
            self.names.push(last);
        }
    }
}

/// Whether `line` is a frame of a query stack: `#0 [typeck] type-checking ..`.
fn is_frame(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" ["))
}

/// A file, and a pattern for places in it.
struct PlacedFile {
    path: PathBuf,
    text: String,
    place: Regex,
}

impl PlacedFile {
    /// None if the file is not UTF-8.
    fn new(path: PathBuf, file: &File) -> Option<Self> {
        let text = String::from_utf8(file.bytes.to_vec()).ok()?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        let place = Regex::new(&format!(r"(?:^|[^\w.-]){}:(\d+):(\d+)", regex::escape(&name))).ok()?;
        Some(Self { path, text, place })
    }

    /// The bytes that `line` names.
    fn named_in<'s>(&'s self, line: &'s str) -> impl Iterator<Item = usize> + 's {
        self.place.captures_iter(line).filter_map(|found| {
            let number = |index: usize| found[index].parse::<usize>().ok();
            byte_at(&self.text, number(1)?, number(2)?)
        })
    }
}

/// The byte of `program`, which has these files, at `file:line:column`. An absolute path is one of the program if it begins with the
/// folder of a check, perhaps of the other one that compiled it: dependencies and the standard library have files of the same names.
pub(crate) fn byte(place: &str, program: &Program, files: &[(PathBuf, File)]) -> Option<usize> {
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let shown = Path::new(parts.next()?);
    let is_meant = |name: &Path| {
        let folder = || shown.ancestors().nth(name.components().count());
        shown.ends_with(name) && (shown.is_relative() || folder().is_some_and(is_of_check))
    };
    let meant = files.iter().filter(|(name, _)| is_meant(name));
    let (path, file) = meant.max_by_key(|(name, _)| name.components().count())?;
    program.byte(path, byte_at(std::str::from_utf8(&file.bytes).ok()?, line, column)?)
}

/// The byte at a line and a column in characters, both from 1.
fn byte_at(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let (offset, _) = text.get(start..)?.char_indices().nth(column.checked_sub(1)?)?;
    Some(start + offset)
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::exec::job::End;

    const TEXT: &str = "fn f() {}\nfn gé() { h() }\n";

    #[track_caller]
    fn check(stdout: &str, stderr: &str, bytes: &[usize], names: &[&str]) {
        let (stdout, stderr) = (stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec());
        let result = JobResult { stdout, stderr, ..JobResult::ended(End::Exited(101)) };
        let places = Places::read(&result, &Program::new("a.rs", TEXT));
        assert_eq!(places.bytes, bytes);
        assert_eq!(places.names, names);
    }

    #[test]
    fn lines_and_columns_are_bytes() {
        check("", "error: it broke\n --> a.rs:2:11\n", &[21], &[]);
        check("", "error: it broke\n --> /tmp/x/a.rs:2:5: 3:4 and {closure@a.rs:1:4: 1:5}", &[14, 3], &[]);
        check("", "error\n --> b.rs:1:1\n --> ba.rs:1:1\n --> a.rs:9:1\n --> a.rs:1:99\n --> a.rs:0:0", &[], &[]);
    }

    #[test]
    fn a_place_is_in_the_file_of_its_whole_path() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("p")).expect("it is empty");
        let root = format!("{TEXT}mod p;\n");
        for (name, text) in [("a.rs", &*root), ("p/mod.rs", "mod a;\n"), ("p/a.rs", "struct A;\n")] {
            std::fs::write(folder.path().join(name), text).expect("its folder is there");
        }
        let program = crate::project::neighbours::gather(&folder.path().join("a.rs"), &root).expect("it has modules");
        let files = program.files();
        let at = |place: &str| byte(place, &program, &files).map(|byte| program.text[byte..].split(' ').next());
        assert_eq!(at("./a.rs:2:4"), Some(Some("g\u{e9}()")));
        for folder in ["", "./", "/tmp/mcve-x/checks/1/work/"] {
            assert_eq!(at(&format!("{folder}p/a.rs:1:1")), Some(Some("struct")));
        }
        assert_eq!(at("/home/x/.cargo/registry/src/y-1.0.0/src/a.rs:2:4"), None);
    }

    #[test]
    fn warnings_say_nothing() {
        check("", "warning: unused\n --> a.rs:1:4\nerror: it broke\n --> a.rs:2:4\n", &[13], &[]);
        let warning = r#"{"message":"w","level":"warning","spans":[{"file_name":"a.rs","byte_start":1,"byte_end":2,"line_start":1,"column_start":2,"is_primary":true}],"children":[],"rendered":"--> a.rs:1:2"}"#;
        check("", warning, &[], &[]);
        check("", &warning.replace("\"warning\"", "\"error: internal compiler error\""), &[1], &[]);
    }

    #[test]
    fn notes_come_after_all_errors_and_suggestions_are_none() {
        let span = |byte: usize, more: &str| {
            format!(
                r#"{{"file_name":"a.rs","byte_start":{byte},"byte_end":{byte},"line_start":1,"is_primary":true{more}}}"#
            )
        };
        let said = |level: &str, spans: &str, children: &str| {
            format!(r#"{{"message":"m","level":"{level}","spans":[{spans}],"children":[{children}]}}"#)
        };
        let note = said("note", &span(7, ""), "");
        let suggestion = said("help", &span(9, r#","suggested_replacement":"x""#), "");
        let first = said("error", &span(1, ""), &format!("{note},{suggestion}"));
        check("", &format!("{first}\n{}", said("error", &span(3, ""), "")), &[1, 3, 7], &[]);
    }

    #[test]
    fn the_query_stack_names_what_was_compiled() {
        let stack = "query stack during panic:\n#0 [typeck] type-checking `m::gé`\n#1 [x] of `<impl at a.rs:1:1: 1:9>::f` and `a::S<T>::k::{closure#0}`\n#2 [analysis] running analysis passes on this crate\nend of query stack";
        check("", stack, &[0], &["gé", "f", "k"]);
    }

    #[test]
    fn tests_are_named_by_their_threads() {
        check("thread 'tests::adds' panicked at src/a.rs:2:1:\n", "", &[10], &["adds"]);
        check(
            "",
            "thread 'main' panicked at a.rs:1:1:\n\nthread 'rustc' panicked at compiler/x/a.rs:2:1:",
            &[0, 10],
            &[],
        );
    }
}
