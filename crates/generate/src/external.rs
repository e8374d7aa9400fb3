//! Generators that are external programs in any language: they write requests to standard output, one on each line,
//! and read the answers from standard input. `docs/generators.md` documents the protocol.

use std::ffi::{OsStr, OsString};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use super::choices::{Choices, Halt, Turns};
use super::conversation::{Process, broken};
use super::generator::Generator;
use super::python;
use super::question::Times;

/// The request that the text follows.
const OUTPUT: &str = "output";

/// How a generator that serves ends a run.
const DONE: &str = "done ";

/// The second line of a generator that serves: it runs once for each line `run` that it reads, writes the length of the text
/// behind `output`, and ends each run by `done STATUS`. The answer `stop` ends a run.
const SERVES: &str = "serves";

/// An external generator.
#[derive(Clone, Debug)]
pub struct External {
    line: OsString,
    name: String,
    version: String,
    settings: String,
    /// The processes of a generator that serves, which are not running now; none if it does not.
    idle: Option<Arc<Mutex<Vec<Process>>>>,
}

impl External {
    /// The generator with this shell command. It is started once, for its name and version. A [Python script](super::python)
    /// that does not speak the protocol is run by the adapter that makes it.
    ///
    /// # Errors
    /// When it cannot be run, or does not report its name and version.
    pub fn new(line: &OsStr) -> Result<Self, Halt> {
        let Some(adapted) = python::adapted(line) else { return Self::start(line, Stdio::inherit()) };
        Self::start(line, Stdio::null()).or_else(|_| Self::start(&adapted, Stdio::inherit()))
    }

    fn start(line: &OsStr, stderr: Stdio) -> Result<Self, Halt> {
        let mut process = Process::start(line, stderr)?;
        let first = process.line()?.ok_or_else(|| process.broken("it ended before it said which generator it is"))?;
        let mut words = first.splitn(4, ' ');
        let mut word = || words.next().filter(|word| !word.is_empty()).map(str::to_owned);
        let (Some("generator"), Some(name), Some(version)) = (word().as_deref(), word(), word()) else {
            return Err(broken(line, "its first line is not `generator NAME VERSION`"));
        };
        let settings = word().unwrap_or_default();
        let serves = process.line()?.as_deref() == Some(SERVES);
        let idle = serves.then(|| Arc::new(Mutex::new(vec![process])));
        Ok(Self { line: line.to_owned(), name, version, settings, idle })
    }

    /// A run in a process of its own.
    fn run(&self, choices: &mut Choices) -> Result<String, Halt> {
        let mut process = Process::start(&self.line, Stdio::null())?;
        process.line()?;
        let end = converse(&mut process, choices).map_err(|(_, halt)| halt)?;
        if end == OUTPUT { process.rest() } else { Err(process.broken(&format!("its question `{end}` is none"))) }
    }

    /// A run in a process that serves several.
    fn served(&self, idle: &Mutex<Vec<Process>>, choices: &mut Choices) -> Result<String, Halt> {
        let known = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut process = match known {
            Some(process) => process,
            None => {
                let mut process = Process::start(&self.line, Stdio::null())?;
                process.line()?;
                process.line()?;
                process
            }
        };
        process.say("run")?;
        let done = match converse(&mut process, choices) {
            Ok(end) => {
                let length = end.strip_prefix(OUTPUT).and_then(|length| length.trim().parse().ok());
                Ok(process.text(length.ok_or_else(|| process.broken("it does not say how long its text is"))?)?)
            }
            Err((question, halt)) if process.stop(&question).is_ok() => Err(halt),
            Err((_, halt)) => return Err(halt),
        };
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        done
    }
}

impl Generator for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn settings(&self) -> String {
        self.settings.clone()
    }

    fn is_declared(&self) -> bool {
        false
    }

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        match &self.idle {
            Some(idle) => self.served(idle, choices),
            None => self.run(choices),
        }
    }
}

/// Answers requests up to the one that the text follows, and returns that. An error has the request before it.
fn converse(process: &mut Process, choices: &mut Choices) -> Result<String, (String, Halt)> {
    let mut session = Session { choices, open: Vec::new() };
    loop {
        let request = process
            .line()
            .and_then(|request| request.ok_or_else(|| process.broken("it ended before it wrote `output`")));
        let request = request.map_err(|halt| (DONE.to_owned(), halt))?;
        if request.split(' ').next() == Some(OUTPUT) {
            return Ok(request);
        }
        if request.starts_with(DONE) {
            return Err((request, process.broken("it failed")));
        }
        let said = match session.answer(&request) {
            Ok(Some(answer)) => process.say(&answer),
            Ok(None) => Ok(()),
            Err(Trouble::Halt(halt)) => Err(halt),
            Err(Trouble::Request) => Err(process.broken(&format!("its question `{request}` is none"))),
        };
        said.map_err(|halt| (request, halt))?;
    }
}

/// An error in a request.
enum Trouble {
    /// The run ends.
    Halt(Halt),
    /// The request is invalid, or not allowed at this point.
    Request,
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// The requests of one run.
struct Session<'a> {
    choices: &'a mut Choices,
    /// The open nodes: the remaining turns of a loop or selection; none for parts and groups.
    open: Vec<Option<Turns>>,
}

impl Session<'_> {
    /// The answer to a request; none for requests that only mark a position.
    fn answer(&mut self, request: &str) -> Result<Option<String>, Trouble> {
        let words: Vec<&str> = request.split(' ').filter(|word| !word.is_empty()).collect();
        // Loops and selections contain only parts.
        let is_between = matches!(self.open.last(), Some(Some(_)));
        if is_between != matches!(words[..], ["part"]) && words != ["end"] {
            return Err(Trouble::Request);
        }
        match words[..] {
            ["choose", place, ref options @ ..] if !options.is_empty() => {
                Ok(Some((*self.choices.choose(place, options)?).to_owned()))
            }
            ["weighted", place, ref options @ ..] if !options.is_empty() && options.len() % 2 == 0 => {
                let options: Vec<(u32, &str)> =
                    options.chunks(2).map(|pair| Ok((number(pair[0])?, pair[1]))).collect::<Result<_, Trouble>>()?;
                Ok(Some((*self.choices.weighted(place, &options)?).to_owned()))
            }
            ["range", place, low, high] => {
                let (low, high): (i64, i64) = (number(low)?, number(high)?);
                if low > high {
                    return Err(Trouble::Request);
                }
                Ok(Some(self.choices.range(place, low..=high)?.to_string()))
            }
            ["flip", place, percent] => Ok(Some(u8::from(self.choices.flip(place, number(percent)?)?).to_string())),
            ["fresh", place] => Ok(Some(self.choices.fresh(place)?.to_string())),
            ["repeat", place, least, low, high] => {
                let times = Times { least: number(least)?, drawn: number(low)?..=number(high)? };
                if times.drawn.is_empty() {
                    return Err(Trouble::Request);
                }
                let mut turns = self.choices.begin_loop(place, &times)?;
                let answer = turns.len().to_string();
                turns.reverse();
                self.open.push(Some(turns));
                Ok(Some(answer))
            }
            ["optional", place, percent] => {
                let part = self.choices.begin_selection(place, number(percent)?)?;
                let answer = u8::from(part.is_some()).to_string();
                self.open.push(Some(part.into_iter().collect()));
                Ok(Some(answer))
            }
            ["group", place] => {
                self.choices.begin_group(place)?;
                self.open.push(None);
                Ok(None)
            }
            ["unordered"] => {
                self.choices.unordered();
                Ok(None)
            }
            ["part"] => {
                let turns = self.open.last_mut().and_then(Option::as_mut).ok_or(Trouble::Request)?;
                self.choices.begin_part(turns.pop().ok_or(Trouble::Request)?)?;
                self.open.push(None);
                Ok(None)
            }
            ["end"] => match self.open.pop() {
                Some(turns) if turns.as_ref().is_none_or(Vec::is_empty) => Ok(self.choices.end().map(|()| None)?),
                _ => Err(Trouble::Request),
            },
            _ => Err(Trouble::Request),
        }
    }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, Trouble> {
    word.parse().map_err(|_| Trouble::Request)
}

#[cfg(test)]
mod tests {
    use super::super::choices::LIMIT;
    use super::super::generator::{rerun, run};
    use super::super::replay::Alignment;
    use super::super::trace::Kind;
    use super::*;

    /// The password generator, as a shell script.
    const PASSWORD: &str = r#"echo generator password 1 letters=abc
echo repeat letters 0 3 5; read n
i=0; w=
while [ $i -lt $n ]; do
  echo part; echo choose letter a b c; read l; w=$w$l; echo end; i=$((i + 1))
done
echo end; echo output; echo $w; echo $w"#;

    fn external(script: &str) -> Result<External, Halt> {
        External::new(OsStr::new(script))
    }

    #[test]
    fn a_script_draws_and_is_run_again_without_a_part() {
        let generator = external(PASSWORD).expect("it says who it is");
        let facts = (generator.name(), generator.version(), generator.settings());
        assert_eq!(facts, ("password", "1", "letters=abc".to_owned()));
        let execution = run(&generator, 1, LIMIT).expect("it ends");
        let word = execution.output.lines().next().expect("there are lines").to_owned();
        assert_eq!(execution.output, format!("{word}\n{word}\n"));
        let (parts, _) = execution.trace.parts();
        assert_eq!(parts.len(), word.len());
        let less = rerun(&generator, &execution.trace, &parts[..1], Alignment::Halt, LIMIT).expect("it can be aligned");
        assert_eq!(less.output, format!("{0}\n{0}\n", &word[1..]));
        assert_eq!(rerun(&generator, &execution.trace, &[], Alignment::Halt, LIMIT), Ok(execution.clone()));
        assert!(Arc::strong_count(&execution.trace) == 1);
    }

    #[test]
    fn every_question_has_an_answer() {
        let script = r#"echo generator all 1
echo choose c x; read a; echo weighted w 0 x 1 y; read b; echo range r 5 5; read c; echo flip f 100; read d
echo fresh n; read e; echo optional o 100; read f; echo part; echo fresh n; read g; echo end; echo end
echo group g; echo optional o 0; read h; echo end; echo end
echo output; echo $a $b $c $d $e $f $g $h"#;
        let execution = run(&external(script).expect("it says who it is"), 0, LIMIT).expect("it ends");
        assert_eq!(execution.output, "x y 5 1 0 1 1 0\n");
    }

    #[track_caller]
    fn check(script: &str, why: &str) {
        let done = external(&format!("echo generator g 1\n{script}")).and_then(|generator| run(&generator, 0, 50));
        let error = done.expect_err("it does not keep to the rules").to_string();
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn what_does_not_keep_to_the_protocol_is_told() {
        for question in [
            "ask me", "choose place", "weighted place 1", "weighted place x y", "range place 2 1", "flip place 300",
            "repeat place 0 2 1", "part", "end", "",
        ] {
            check(&format!("echo '{question}'; read x"), "is none");
        }
        check("echo repeat place 0 1 1; read n; echo fresh name; read m", "`fresh name` is none");
        check("echo repeat place 0 1 1; read n; echo end", "`end` is none");
        check("echo optional place 0; read n; echo part", "`part` is none");
        check("echo group g; echo output", "ended inside");
        check("exit 0", "before it wrote `output`");
        check("echo output; exit 3", "exit status: 3");
        check("printf '\\377\\n'", "no text");
        check("while :; do echo flip end 0; read n; done", "does not end: it took more than 50 decisions");
        let error = external("echo hello").expect_err("it does not say who it is").to_string();
        assert!(error.contains("generator NAME VERSION"), "{error}");
    }

    #[test]
    fn the_kinds_of_a_trace_are_those_of_the_questions() {
        let generator = external(PASSWORD).expect("it says who it is");
        let trace = run(&generator, 2, LIMIT).expect("it ends").trace;
        assert_eq!(trace.nodes()[0].kind, Kind::Loop);
        assert!(trace.nodes()[1..].chunks(2).all(|pair| pair[0].kind == Kind::Part && pair[1].place == "letter"));
    }
}
