//! The oracle of a command and of conditions on its exit code and output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};

use crate::exec::job::{End, Job, JobResult, Word};
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Verdict, shell};
use crate::program::Program;

/// The conditions on a command, all of which must hold for the failure to be there.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The exit code; a signal n counts as 128 + n, as in a shell.
    pub exit_code: Option<i32>,
    /// Patterns that the standard output must match.
    pub stdout: Vec<Regex>,
    /// Patterns that the standard error must match.
    pub stderr: Vec<Regex>,
    /// Patterns that the standard output must not match.
    pub not_stdout: Vec<Regex>,
    /// Patterns that the standard error must not match.
    pub not_stderr: Vec<Regex>,
}

/// The exit code by which a command says that it cannot tell, as one that `git bisect run` calls does.
const UNTESTABLE: i32 = 125;

/// Does the command still behave as the failure says?
#[derive(Clone, Debug)]
pub(crate) struct CommandOracle {
    /// The absolute path of the program.
    pub program: PathBuf,
    /// How a person calls it.
    pub called: OsString,
    /// Its arguments. Each `{}` in them is the candidate's absolute path; if there is none, it comes last.
    pub args: Vec<OsString>,
    pub conditions: Conditions,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Variables that a shell must set to get the same environment.
    pub shown: Vec<(OsString, OsString)>,
    pub rustc: Option<Rustc>,
}

impl Conditions {
    /// A pattern as conditions use it: `^` and `$` match at lines.
    ///
    /// # Errors
    /// When it is no regular expression.
    pub fn pattern(text: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(text).multi_line(true).build()
    }

    /// Whether there is no condition, so that everything would be the failure.
    pub fn is_empty(&self) -> bool {
        let patterns = [&self.stdout, &self.stderr, &self.not_stdout, &self.not_stderr];
        self.exit_code.is_none() && patterns.iter().all(|patterns| patterns.is_empty())
    }

    /// The first condition that does not hold, in words.
    fn broken(&self, result: &JobResult) -> Option<String> {
        let code = match result.end {
            End::Exited(code) => code,
            End::Signalled(signal) => 128 + signal,
            End::TimedOut | End::Cancelled => return Some(result.end.to_string()),
        };
        if self.exit_code.is_some_and(|expected| expected != code) {
            return Some(result.end.to_string());
        }
        let output = [
            ("standard output", &result.stdout, &self.stdout, &self.not_stdout),
            ("standard error", &result.stderr, &self.stderr, &self.not_stderr),
        ];
        output.into_iter().find_map(|(name, bytes, wanted, unwanted)| {
            let missing = wanted.iter().find(|pattern| !pattern.is_match(bytes));
            let present = unwanted.iter().find(|pattern| pattern.is_match(bytes));
            missing
                .map(|pattern| format!("no `{pattern}` in its {name}"))
                .or_else(|| present.map(|pattern| format!("`{pattern}` in its {name}")))
        })
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.exit_code.iter().map(|code| format!("exits with {code}")).collect();
        let patterns = [
            ("prints", &self.stdout, "to standard output"),
            ("prints", &self.stderr, "to standard error"),
            ("does not print", &self.not_stdout, "to standard output"),
            ("does not print", &self.not_stderr, "to standard error"),
        ];
        for (verb, patterns, place) in patterns {
            words.extend(patterns.iter().map(|pattern| format!("{verb} `{pattern}` {place}")));
        }
        words
    }
}

impl CommandOracle {
    /// The words with `{}` for the candidate. A file comes last if it is not named; a command of a folder runs in it.
    fn template(&self, is_file: bool) -> Vec<OsString> {
        let mut words = vec![OsString::from(&self.program)];
        words.extend(self.args.iter().cloned());
        if is_file && !self.args.iter().any(has_path) {
            words.push("{}".into());
        }
        words
    }
}

impl Oracle for CommandOracle {
    fn job(&self, program: &Program) -> Job {
        let words = self.template(is_file(program)).into_iter().enumerate().map(|(number, word)| match word.to_str() {
            // The program's own path may hold anything.
            Some(template) if number > 0 && has_path(&word) => {
                Word::File { template: template.to_owned(), path: program.name.clone() }
            }
            _ => Word::Text(word),
        });
        Job { files: program.files(), argv: words.collect(), env: self.env.clone(), ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match (self.conditions.broken(result), result.end) {
            (None, _) => Verdict::fail("all conditions hold"),
            (Some(_), End::Exited(UNTESTABLE)) => Verdict::unresolved("it cannot be tested"),
            (Some(why), End::Exited(_)) => Verdict::pass(why),
            (Some(why), _) => Verdict::unresolved(why),
        }
    }

    fn failure(&self) -> FailureId {
        let program = self.program.file_name().unwrap_or(self.program.as_os_str());
        format!("`{}` {}", program.display(), self.conditions.words().join(" and ")).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let is_file = is_file(program);
        let place = if is_file { program.root_at(path) } else { ".".into() };
        // The command of a folder runs in it, where a relative path of the program would lead elsewhere.
        let is_path = self.called.as_encoded_bytes().contains(&b'/');
        let called = if is_file || !is_path { &self.called } else { self.program.as_os_str() };
        let args = self.template(is_file).into_iter().skip(1).map(|word| match word.to_str() {
            Some(template) => Word::File { template: template.to_owned(), path: place.clone() },
            None => Word::Text(word),
        });
        let words: Vec<OsString> =
            [Word::Text(called.to_owned())].into_iter().chain(args).map(|word| word.in_folder(Path::new(""))).collect();
        let line = shell::assignments(&self.shown) + &shell::line(&words);
        if is_file { line } else { format!("(cd {} && {line})", shell::quote(program.folder_at(path))) }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let rustc = self.rustc.as_ref().filter(|_| which != CompilerJob::Errors)?;
        Some(which.by(rustc, program))
    }
}

/// Whether a program has a root file. What is a folder has none.
fn is_file(program: &Program) -> bool {
    !program.name.as_os_str().is_empty()
}

fn has_path(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| word.contains("{}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Files;
    use mcve_dd::outcome::Outcome;

    fn oracle(args: &[&str], conditions: Conditions) -> CommandOracle {
        let args = args.iter().map(OsString::from).collect();
        let (env, shown) = (Vec::new(), vec![("A".into(), "b".into())]);
        CommandOracle { program: "/bin/x{}".into(), called: "x{}".into(), args, conditions, env, shown, rustc: None }
    }

    fn patterns(texts: &[&str]) -> Vec<Regex> {
        texts.iter().map(|text| Conditions::pattern(text).expect("it is a regular expression")).collect()
    }

    #[track_caller]
    fn check(conditions: &Conditions, end: End, output: [&str; 2], outcome: Outcome, reason: &str) {
        let [stdout, stderr] = output.map(|text| text.as_bytes().to_vec());
        let result = JobResult { stdout, stderr, ..JobResult::ended(end) };
        assert_eq!(oracle(&[], conditions.clone()).verdict(&result), Verdict::new(outcome, reason));
    }

    #[track_caller]
    fn check_command(args: &[&str], argv: &[&str], by_hand: &str) {
        let oracle = oracle(args, Conditions::default());
        let job = oracle.job(&Program::new("a.rs", ""));
        let words: Vec<OsString> = job.argv.iter().map(|word| word.in_folder(Path::new("/f"))).collect();
        assert_eq!(words, argv);
        assert_eq!(oracle.command(&Program::new("a.rs", ""), Path::new("b c.rs")), by_hand);
    }

    #[test]
    fn the_path_is_put_where_it_is_asked_for_or_last() {
        check_command(&[], &["/bin/x{}", "/f/a.rs"], "A=b 'x{}' 'b c.rs'");
        check_command(&["-a", "--in={}"], &["/bin/x{}", "-a", "--in=/f/a.rs"], "A=b 'x{}' -a '--in=b c.rs'");
        check_command(&["{} {}", "b"], &["/bin/x{}", "/f/a.rs /f/a.rs", "b"], "A=b 'x{}' 'b c.rs b c.rs' b");
        check_command(&["{ }"], &["/bin/x{}", "{ }", "/f/a.rs"], "A=b 'x{}' '{ }' 'b c.rs'");
    }

    #[test]
    fn a_command_of_a_folder_is_run_in_it() {
        let oracle = oracle(&["build", "--path={}/x"], Conditions::default());
        let folder = Program::of_files("", &Files::default());
        assert_eq!(oracle.command(&folder, Path::new("b c")), "(cd 'b c' && A=b 'x{}' build --path=./x)");
        let oracle = CommandOracle { called: "./x".into(), program: "/bin/x".into(), args: Vec::new(), ..oracle };
        assert_eq!(oracle.command(&folder, Path::new("b")), "(cd b && A=b /bin/x)");
    }

    #[test]
    fn the_exit_code_decides() {
        let conditions = Conditions { exit_code: Some(139), ..Conditions::default() };
        check(&conditions, End::Exited(139), ["", ""], Outcome::Fail, "all conditions hold");
        check(&conditions, End::Signalled(11), ["", ""], Outcome::Fail, "all conditions hold");
        check(&conditions, End::Exited(0), ["", ""], Outcome::Pass, "exit code 0");
        check(&conditions, End::Exited(125), ["", ""], Outcome::Unresolved, "it cannot be tested");
        check(&conditions, End::Signalled(6), ["", ""], Outcome::Unresolved, "signal 6 (SIGABRT)");
        check(&conditions, End::TimedOut, ["", ""], Outcome::Unresolved, "timed out");
    }

    #[test]
    fn all_conditions_must_hold() {
        let conditions = Conditions {
            exit_code: None,
            stdout: patterns(&["^b$", "a"]),
            stderr: patterns(&["E0[0-9]+"]),
            not_stdout: patterns(&["d"]),
            not_stderr: patterns(&["^warning"]),
        };
        let stdout = "standard output";
        let stderr = "standard error";
        let good = ["a\nb\nc", "error E0391"];
        check(&conditions, End::Exited(1), good, Outcome::Fail, "all conditions hold");
        check(&conditions, End::Signalled(11), good, Outcome::Fail, "all conditions hold");
        check(&conditions, End::TimedOut, good, Outcome::Unresolved, "timed out");
        check(&conditions, End::Exited(1), ["a\nbc", good[1]], Outcome::Pass, &format!("no `^b$` in its {stdout}"));
        check(&conditions, End::Exited(1), ["b", good[1]], Outcome::Pass, &format!("no `a` in its {stdout}"));
        check(&conditions, End::Exited(1), ["a\nb\nd", good[1]], Outcome::Pass, &format!("`d` in its {stdout}"));
        check(&conditions, End::Exited(1), [good[0], "E"], Outcome::Pass, &format!("no `E0[0-9]+` in its {stderr}"));
        check(
            &conditions,
            End::Exited(1),
            [good[0], "E01\nwarning"],
            Outcome::Pass,
            &format!("`^warning` in its {stderr}"),
        );
        check(&conditions, End::Signalled(9), ["", ""], Outcome::Unresolved, &format!("no `^b$` in its {stdout}"));
        let words = "`x{}` prints `^b$` to standard output and prints `a` to standard output and prints `E0[0-9]+` to \
                     standard error and does not print `d` to standard output and does not print `^warning` to standard error";
        assert_eq!(oracle(&[], conditions).failure().words, words);
    }

    #[test]
    fn output_need_not_be_text() {
        let conditions = Conditions { stdout: patterns(&["b"]), ..Conditions::default() };
        let result = JobResult { stdout: b"\xff\nb".into(), ..JobResult::ended(End::Exited(0)) };
        assert_eq!(oracle(&[], conditions).verdict(&result).outcome, Outcome::Fail);
    }

    #[test]
    fn no_conditions_are_told() {
        assert!(Conditions::default().is_empty());
        assert!(!Conditions { exit_code: Some(0), ..Conditions::default() }.is_empty());
        assert!(!Conditions { not_stderr: patterns(&["x"]), ..Conditions::default() }.is_empty());
    }
}
