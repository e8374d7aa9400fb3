//! Many runs of one program in one job, each with another value of a variable, as a job takes longer to start than to run.

use std::fmt::Write as _;

use super::harness::failed_tests;
use super::panics::Panic;
use crate::oracle::output::run_message::normalised;

/// Separates runs in the output. Programs seldom print it.
const SEPARATOR: char = '\u{1e}';

/// So much of the end of what a run writes is looked at.
const BYTES: usize = 16 * 1024;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which of the values it was given, from 0.
    pub value: usize,
    /// The exit code; of a signal 128 more than that.
    pub code: i32,
    /// How many tests fail.
    pub failing: usize,
    /// Their names, as far as what it writes is looked at.
    pub failed: Vec<String>,
    /// The place and the message of the first panic, or else the last line that it writes.
    pub said: String,
}

/// The line of a shell that runs the program, with its arguments behind it, once for each value.
pub(crate) fn line(variable: &str, values: &[String], seconds: u64, input: &str) -> String {
    let mut line = format!("ulimit -c 0; ulimit -S -t {seconds}; ");
    for (index, value) in values.iter().enumerate() {
        let _ = write!(line, "{variable}={value} \"$0\" \"$@\" < {input} > out 2>&1; ");
        let _ = write!(line, "printf '\\036%s\\n' \"{index} $? $(grep -c 'FAILED$' out)\"; tail -c {BYTES} out; ");
    }
    line + "exit 0"
}

/// Reads the runs from the output of such a job.
pub fn read(stdout: &[u8]) -> Vec<Run> {
    let stdout = String::from_utf8_lossy(stdout);
    let run = |text: &str| {
        let (head, output) = text.split_once('\n')?;
        let mut words = head.split(' ');
        let (value, code) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let failing = words.next()?.parse().ok()?;
        Some(Run { value, code, failing, failed: failed_tests(output.as_bytes()), said: said(output) })
    };
    stdout.split(SEPARATOR).filter_map(run).collect()
}

fn said(output: &str) -> String {
    let lines: Vec<String> = output.lines().map(str::to_owned).collect();
    match Panic::first(&lines) {
        Some(panic) => format!("{}: {}", panic.place, normalised(panic.message.trim())),
        None => lines.iter().rfind(|line| !line.trim().is_empty()).map(|line| normalised(line)).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_says_how_it_ended() {
        let stdout = "\u{1e}0 101 1\nthread 't' (7) panicked at a.rs:3:5:\nleft 12\nnote: x\n\nfailures:\n    t\n\n\u{1e}1 0 0\ntest t ... ok\n\n";
        let runs = read(stdout.as_bytes());
        let run = |value, code, failed: &[&str], said: &str| {
            let failed: Vec<String> = failed.iter().map(|&name| name.to_owned()).collect();
            Run { value, code, failing: failed.len(), failed, said: said.to_owned() }
        };
        assert_eq!(runs, [run(0, 101, &["t"], "a.rs:3:5: left _"), run(1, 0, &[], "test t ... ok")]);
        assert!(read(b"nothing").is_empty());
    }
}
