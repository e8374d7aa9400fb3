//! The condition that a program is valid although a compiler crashes. A crash hides later errors; a configuration that does not
//! crash shows them.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::exec::job::{End, Job, JobResult};
use crate::oracle::output::diagnostics::{Diagnostic, Stderr};
use crate::oracle::rustc::Rustc;
use crate::oracle::{Condition, Properties};
use crate::program::Program;

/// The option for the other trait solver.
const SOLVER: &str = "-Znext-solver";

/// The variable that lets a stable rustc take that option, and the features of a program for a nightly.
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// The codes of errors that are about the compiler: another one made a crate, a feature is not known or not for this channel.
const OF_COMPILER: [&str; 4] = ["E0514", "E0554", "E0557", "E0635"];

/// A configuration that may not crash where another one does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WayAround {
    /// Another compiler.
    pub compiler: Option<PathBuf>,
    /// Whether the other trait solver is used.
    pub solves_otherwise: bool,
}

/// A configuration that does not crash accepts the program.
#[derive(Clone, Debug)]
pub(crate) struct IsValid {
    /// How rustc is run where it crashes.
    pub rustc: Rustc,
    /// How it is run instead, without options of code generation and unstable ones.
    pub way: WayAround,
}

impl IsValid {
    /// The ways around a crash, the likeliest first: the other solver, no rare options, then both with other compilers.
    pub(crate) fn ways<'a>(rustc: &'a Rustc, compilers: &'a [PathBuf]) -> impl Iterator<Item = Self> + 'a {
        let has_options = rustc.args.iter().any(is_option);
        let own = [(None, true), (None, false)].into_iter().filter(move |(_, solves)| *solves || has_options);
        let others = compilers.iter().flat_map(|path| [(Some(path.clone()), true), (Some(path.clone()), false)]);
        own.chain(others).map(|(compiler, solves_otherwise)| {
            let way = WayAround { compiler, solves_otherwise };
            Self { rustc: rustc.clone(), way }
        })
    }

    /// The errors of the program, a line each, if the compiler has not crashed. One that fails by itself, as it does not know an
    /// option, a feature or the form of another crate, says nothing of the program.
    pub(crate) fn errors(result: &JobResult) -> Option<Vec<String>> {
        let diagnostics = Stderr::read(&result.stderr).diagnostics;
        if !matches!(result.end, End::Exited(0 | 1)) || diagnostics.iter().any(|said| said.is_ice()) {
            return None;
        }
        let is_own =
            |said: &&Diagnostic| said.code_or_lint().map_or(said.spans.is_empty(), |code| OF_COMPILER.contains(&code));
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|said| said.is_user_error()).collect();
        let is_known = result.end == End::Exited(0) || !errors.is_empty() && !errors.iter().any(is_own);
        is_known.then(|| errors.into_iter().map(Diagnostic::headline).collect())
    }

    /// The job that shows the errors of `program`.
    pub(crate) fn job_of(&self, program: &Program) -> Job {
        self.rustc.job_by(program, |way| self.changed(way))
    }

    /// The configuration to use where `way` would crash.
    fn changed(&self, way: Rustc) -> Rustc {
        let mut way = way.with_emit("metadata");
        let solved = way.args.iter().any(|arg| arg.to_str().is_some_and(|arg| arg.starts_with(SOLVER)));
        way.args.retain(|arg| !is_option(arg));
        if self.way.solves_otherwise && !solved {
            way.args.insert(0, SOLVER.into());
        }
        way.env.push((UNSTABLE.into(), Some("1".into())));
        match &self.way.compiler {
            Some(program) => Rustc { program: program.clone(), called: vec![program.clone().into()], ..way },
            None => way,
        }
    }
}

/// Whether an argument is an option that is no part of the language.
fn is_option(arg: &OsString) -> bool {
    arg.to_str().is_some_and(|arg| arg.starts_with("-Z") || arg.starts_with("-C"))
}

impl Condition for IsValid {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        Ok(self.job_of(program))
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        match Self::errors(result) {
            Some(errors) => errors.first().map(|error| format!("not valid: {error}")),
            None => Some("not known to be valid".to_owned()),
        }
    }

    fn properties(&self) -> Properties {
        Properties { runs_candidates: false, ..Properties::default() }
    }
}

impl std::fmt::Display for IsValid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let compiler = self.way.compiler.as_ref().map_or_else(
            || self.rustc.called.iter().map(|word| word.display().to_string()).collect::<Vec<_>>().join(" "),
            |path| path.display().to_string(),
        );
        write!(f, "{compiler}{}", if self.way.solves_otherwise { " with the other trait solver" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::exec::job::Word;
    use crate::oracle::headers::Headers;

    /// The words of the ways around a crash that `words` show, without the compiler and what all checks have.
    fn ways(words: &[&str], compilers: &[PathBuf]) -> Vec<String> {
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        let rustc = Rustc::new("/r".into(), &Headers::default(), &args, Path::new("/"));
        let line = |valid: IsValid| {
            let argv = valid.job_of(&Program::new("a.rs", "")).argv;
            let words = argv.iter().map(|word| match word {
                Word::Text(text) => text.display().to_string(),
                Word::File { path, .. } => path.display().to_string(),
            });
            words.filter(|word| word != "--error-format=json" && word != "a.rs").collect::<Vec<_>>().join(" ")
        };
        IsValid::ways(&rustc, compilers).map(line).collect()
    }

    #[test]
    fn the_ways_around_a_crash_leave_its_options_out() {
        assert_eq!(ways(&["--cfg=a"], &[]), ["/r -Znext-solver --cfg=a --emit=metadata"]);
        let with = ways(&["-Zvalidate-mir", "-Copt-level=3", "--emit=obj"], &["/n".into()]);
        let [solver, plain] = ["-Znext-solver --emit=metadata", "--emit=metadata"];
        assert_eq!(
            with,
            [solver, plain, solver, plain]
                .iter()
                .zip(["/r", "/r", "/n", "/n"])
                .map(|(args, rustc)| format!("{rustc} {args}"))
                .collect::<Vec<_>>()
        );
        assert_eq!(ways(&["-Znext-solver=globally"], &[]), ["/r --emit=metadata", "/r --emit=metadata"]);
    }

    #[test]
    fn what_a_way_says_is_known_only_if_it_has_not_crashed() {
        let result =
            |code: i32, line: &str| JobResult { stderr: line.as_bytes().into(), ..JobResult::ended(End::Exited(code)) };
        let coded = |level: &str, code: &str, spans: &str| {
            format!(r#"{{"level":"{level}","code":{code},"message":"m","spans":[{spans}],"children":[]}}"#)
        };
        let place = r#"{"file_name":"a.rs","byte_start":0,"byte_end":1,"line_start":1,"is_primary":true}"#;
        let said = |level: &str| coded(level, "null", place);
        assert_eq!(IsValid::errors(&result(0, "")), Some(Vec::new()));
        assert_eq!(IsValid::errors(&result(1, &said("error"))), Some(vec!["error: m".to_owned()]));
        assert_eq!(IsValid::errors(&result(101, "")), None);
        assert_eq!(IsValid::errors(&result(1, "error: unknown debugging option: `next-solver`")), None);
        assert_eq!(IsValid::errors(&result(1, &said("error: internal compiler error"))), None);
        // These are about its own options, features and crates.
        assert_eq!(IsValid::errors(&result(1, &coded("error", "null", ""))), None);
        for (code, errors) in [("E0514", 0), ("E0554", 0), ("E0635", 0), ("E0308", 2)] {
            let code = coded("error", &format!(r#"{{"code":"{code}"}}"#), place);
            let known = IsValid::errors(&result(1, &format!("{}\n{code}", said("error"))));
            assert_eq!(known.map_or(0, |errors| errors.len()), errors, "{code}");
        }
    }
}
