//! Generators that are programs of their own, in whatever language: they ask for their choices on standard output, a line
//! a question, and are answered on standard input. `docs/generators.md` tells the protocol.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::choices::{Choices, Halt, Turns};
use super::generator::Generator;
use super::question::Times;

/// How long a generator may be silent.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many bytes a generator may write in one run.
const MOST: u64 = 64 << 20;

/// How many lines are read ahead.
const AHEAD: usize = 1000;

/// A generator that is a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    line: OsString,
    name: String,
    version: String,
    settings: String,
}

impl External {
    /// The generator that a shell runs by `line`. It is started once, for its name and version.
    ///
    /// # Errors
    /// When it cannot be run, or does not say who it is.
    pub fn new(line: &OsStr) -> Result<Self, Halt> {
        let mut process = Process::start(line, Stdio::inherit())?;
        let first = process.line()?.ok_or_else(|| process.broken("it ended before it said which generator it is"))?;
        let mut words = first.splitn(4, ' ');
        let mut word = || words.next().filter(|word| !word.is_empty()).map(str::to_owned);
        let (Some("generator"), Some(name), Some(version)) = (word().as_deref(), word(), word()) else {
            return Err(broken(line, "its first line is not `generator NAME VERSION`"));
        };
        let settings = word().unwrap_or_default();
        Ok(Self { line: line.to_owned(), name, version, settings })
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

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        let mut process = Process::start(&self.line, Stdio::null())?;
        process.line()?;
        let mut session = Session { choices, open: Vec::new() };
        while let Some(request) = process.line()? {
            if request == "output" {
                return process.rest();
            }
            match session.answer(&request) {
                Ok(Some(answer)) => process.say(&answer)?,
                Ok(None) => {}
                Err(Trouble::Halt(halt)) => return Err(halt),
                Err(Trouble::Request) => return Err(process.broken(&format!("its question `{request}` is none"))),
            }
        }
        Err(process.broken("it ended before it wrote `output`"))
    }
}

/// What can be wrong with a question.
enum Trouble {
    /// The run ends.
    Halt(Halt),
    /// It is none, or none that can be asked there.
    Request,
}

impl From<Halt> for Trouble {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// The questions of one run.
struct Session<'a> {
    choices: &'a mut Choices,
    /// What is open: the turns of a loop or selection that are still to come; nothing of parts and groups.
    open: Vec<Option<Turns>>,
}

impl Session<'_> {
    /// The answer to a question; what only tells where the generator is has none.
    fn answer(&mut self, request: &str) -> Result<Option<String>, Trouble> {
        let words: Vec<&str> = request.split(' ').filter(|word| !word.is_empty()).collect();
        // In a loop or selection there are parts only.
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

fn broken(line: &OsStr, why: &str) -> Halt {
    Halt::Broken(format!("the generator `{}`: {why}", line.display()))
}

/// A generator that runs. Dropping it ends it with all that it started.
struct Process<'a> {
    line: &'a OsStr,
    child: Child,
    lines: Receiver<std::io::Result<String>>,
}

impl<'a> Process<'a> {
    fn start(line: &'a OsStr, stderr: Stdio) -> Result<Self, Halt> {
        let failed = |error: std::io::Error| broken(line, &format!("it cannot be run: {error}"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).process_group(0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().map_err(failed)?;
        let stdout = child.stdout.take().expect("it is a pipe");
        let (sender, lines) = sync_channel(AHEAD);
        let process = Self { line, child, lines };
        let read = move || {
            let mut reader = BufReader::new(stdout.take(MOST));
            loop {
                let mut line = String::new();
                match reader.read_line(&mut line) {
                    Ok(0) => return,
                    done => {
                        let is_over = done.is_err();
                        if sender.send(done.map(|_| line)).is_err() || is_over {
                            return;
                        }
                    }
                }
            }
        };
        std::thread::Builder::new().name("generator".to_owned()).spawn(read).map_err(failed)?;
        Ok(process)
    }

    fn broken(&self, why: &str) -> Halt {
        broken(self.line, why)
    }

    fn next(&self) -> Result<Option<String>, Halt> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(error)) => Err(self.broken(&format!("what it writes is no text: {error}"))),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                Err(self.broken(&format!("it said nothing for {} seconds", PATIENCE.as_secs())))
            }
        }
    }

    /// The next line without its end; none at the end of its output.
    fn line(&mut self) -> Result<Option<String>, Halt> {
        Ok(self.next()?.map(|line| line.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// All that follows, of a generator that then ends well.
    fn rest(mut self) -> Result<String, Halt> {
        let mut text = String::new();
        while let Some(line) = self.next()? {
            text.push_str(&line);
        }
        drop(self.child.stdin.take());
        match self.child.wait() {
            Ok(status) if status.success() => Ok(text),
            Ok(status) => Err(self.broken(&format!("it failed: {status}"))),
            Err(error) => Err(self.broken(&format!("its end cannot be seen: {error}"))),
        }
    }

    fn say(&mut self, answer: &str) -> Result<(), Halt> {
        let stdin = self.child.stdin.as_mut().expect("it is a pipe until the end");
        writeln!(stdin, "{answer}").map_err(|error| broken(self.line, &format!("it does not listen: {error}")))
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // Once it has been waited for, its number may be another's.
        if let Ok(None) = self.child.try_wait() {
            let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            if let Some(group) = group {
                // An error means that nobody of the group is left, which is what is wanted.
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

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
            "ask me",
            "choose place",
            "weighted place 1",
            "weighted place x y",
            "range place 2 1",
            "flip place 300",
            "repeat place 0 2 1",
            "part",
            "end",
            "",
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
