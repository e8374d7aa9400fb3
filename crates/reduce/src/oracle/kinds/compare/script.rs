//! The lines of the shell that compile a program by several configurations, run it and compare.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Compare, CompilerConfig, DIFFERENT, NOT_COMPILED, TOO_LONG, UNSTABLE};
use crate::exec::job::{Job, Step, Word};
use crate::oracle::shell;
use crate::program::Program;

/// The exit code that a shell has for a program that took too long: 128 and the number of `SIGXCPU`.
const OUT_OF_TIME: i32 = 152;

impl Compare {
    /// The job that compiles the program by the configuration of this number; none for a command.
    pub(super) fn compile(&self, number: usize, program: &Program) -> Option<Job> {
        let CompilerConfig::Rustc(rustc) = &self.configs[number] else { return None };
        let mut job = rustc.job(self.other.as_ref().filter(|_| number > 0).unwrap_or(program));
        let mut reads: Vec<PathBuf> = job.files.iter().map(|(path, _)| path.clone()).collect();
        reads.extend(job.steps.iter().map(|step| step.output.clone()));
        let output = executable(number);
        let mut argv = std::mem::take(&mut job.argv);
        argv.splice(1..1, ["-o", &output].map(|word| Word::Text(word.into())));
        job.steps.push(Step { argv, reads, output: output.into() });
        Some(job)
    }

    /// The lines of the shell that compile the program and its crates by each configuration, in the folder of its files.
    pub(super) fn compile_lines(&self, program: &Program) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (number, config) in self.configs.iter().enumerate() {
            let (CompilerConfig::Rustc(rustc), Some(job)) = (config, self.compile(number, program)) else { continue };
            let mut start: Vec<OsString> = vec!["env".into(), "TMPDIR=.".into()];
            start.extend(shell::env_words(&rustc.of(program).env));
            for step in job.steps {
                let words = step.argv.iter().map(|word| word.in_folder(Path::new("")));
                let words: Vec<OsString> = words.filter(|word| word != "--error-format=json").collect();
                let line = shell::line(start.iter().chain(&words).map(OsString::as_os_str));
                let line = format!("{line} 2> /dev/null || exit {NOT_COMPILED}\n");
                // The crates are compiled once.
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines.concat()
    }

    /// The lines of the shell that run the program by each configuration, with the file `input` as standard input, and compare.
    pub(super) fn run_lines(&self, input: &str) -> String {
        let args: String = self.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        let mut script = format!("ulimit -c 0; ulimit -S -t {}\n", self.seconds);
        for (number, config) in self.configs.iter().enumerate() {
            let line = match config {
                CompilerConfig::Command(line) => format!("({})", line.replace("{}", "\"$1\"")),
                CompilerConfig::Rustc(_) => format!("{}{args}", executable(number)),
            };
            let run =
                |out: &str| format!("{line} > {out} 2> /dev/null < {input}; e{number}=$?; echo $e{number} >> {out}\n");
            script += &run(&format!("{number}.out"));
            if number == 0 {
                script += &format!("[ $e0 -ne {OUT_OF_TIME} ] || exit {TOO_LONG}\n");
                script += &run("again.out");
                script += &format!("cmp -s 0.out again.out || exit {UNSTABLE}\n");
            }
        }
        for number in 1..self.configs.len() {
            let code = DIFFERENT + i32::try_from(number - 1).unwrap_or(0);
            script += &format!("cmp -s 0.out {number}.out || {{ echo \"$e0 $e{number}\"; exit {code}; }}\n");
        }
        script + "exit 0"
    }
}

/// The path of what the configuration of this number compiles.
fn executable(number: usize) -> String {
    format!("./way-{number}")
}
