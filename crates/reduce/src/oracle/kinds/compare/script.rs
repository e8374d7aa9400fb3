//! The lines of the shell that compile a program by several configurations, run it and compare.

use std::path::{Path, PathBuf};

use super::{Compare, CompilerConfig, DIFFERENT, TOO_LONG, UNSTABLE};
use crate::exec::job::{Job, Step, Word};
use crate::oracle::shell;
use crate::program::Program;

/// The exit code that a shell has for a program that took too long: 128 and the number of `SIGXCPU`.
const OUT_OF_TIME: i32 = 152;

/// So many bytes of a difference are shown.
const SHOWN: usize = 2000;

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

    /// The command by hand: it compiles `program` at `path` by each configuration, and compares output and exit codes.
    pub(super) fn by_hand(&self, program: &Program, path: &Path) -> String {
        let args: String = self.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        let input = self.stdin.as_ref().map_or_else(String::new, |stdin| {
            let path = std::path::absolute(&stdin.path).unwrap_or_else(|_| stdin.path.clone());
            format!(" < {}", shell::quote(path))
        });
        let mut commands = vec!["d=$(mktemp -d)".to_owned()];
        let mut runs = Vec::new();
        let is_late = self.ends.as_ref().is_some_and(|ends| ends.contains(&OUT_OF_TIME.to_string()));
        // A limit of processor time ends no program that waits, which is noticed on Linux only.
        let may_wait = is_late && cfg!(target_os = "linux");
        let limit = if may_wait { format!("timeout {} ", self.seconds) } else { String::new() };
        for (number, config) in (1..).zip(&self.configs) {
            let run = match config {
                CompilerConfig::Rustc(rustc) => {
                    let output = format!("\"$d\"/{number}");
                    let compile = rustc.command_to(program, path, &output);
                    let other = self.other.as_ref().filter(|_| number > 1);
                    commands.push(
                        other.map_or_else(|| compile.clone(), |other| shell::edited(program, other, path, &compile)),
                    );
                    let set = rustc.run_assignments(program);
                    format!("{set}{limit}{output}{args}")
                }
                CompilerConfig::Command(line) if program.is_lone() => in_subshell(line, path),
                CompilerConfig::Command(line) => {
                    let folder = shell::quote(program.folder_at(path));
                    format!("(cd {folder} && {})", in_subshell(line, &program.name))
                }
            };
            runs.push(format!("({run}{input}; printf '\\nexit code %s\\n' $?) > \"$d\"/{number}.out"));
        }
        commands.append(&mut runs);
        if is_late {
            commands.insert(1, format!("ulimit -S -t {}", self.seconds));
        }
        commands.extend((2..=self.configs.len()).map(|other| format!("diff \"$d\"/1.out \"$d\"/{other}.out")));
        format!("({})", commands.join(" && "))
    }

    /// The lines of the shell that run the program by each configuration, with the file `input` as standard input, and compare.
    pub(super) fn run_lines(&self, input: &str) -> String {
        let args: String = self.args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        // The signal that says that all processes wait ends what the shell waits for, which counts as out of time.
        let mut script = format!("ulimit -c 0; ulimit -S -t {}; trap : XCPU\n", self.seconds);
        for (number, config) in self.configs.iter().enumerate() {
            let line = match config {
                CompilerConfig::Command(line) => format!("({})", line.replace("{}", "\"$1\"")),
                CompilerConfig::Rustc(_) => format!("{}{args}", executable(number)),
            };
            let run = |out: &str| {
                format!(
                    "{line} > {out} 2> /dev/null < {input} & wait $!; e{number}=$?; [ $e{number} -ne {OUT_OF_TIME} ] || kill -9 $! 2> /dev/null; printf '\\nexit code %s\\n' $e{number} >> {out}\n"
                )
            };
            script += &run(&format!("{number}.out"));
            if number == 0 {
                script += &format!("[ $e0 -ne {OUT_OF_TIME} ] || exit {TOO_LONG}\n");
                script += &run("again.out");
                script += &format!("cmp -s 0.out again.out || exit {UNSTABLE}\n");
            }
        }
        for number in 1..self.configs.len() {
            let code = DIFFERENT + i32::try_from(number - 1).unwrap_or(0);
            let differ = format!("diff -a 0.out {number}.out | head -c {SHOWN}");
            script += &format!("cmp -s 0.out {number}.out || {{ echo \"$e0 $e{number}\"; {differ}; exit {code}; }}\n");
        }
        script + "exit 0"
    }
}

/// A line of the shell in which `{}` is the program at `path`, so that it can be followed by others.
fn in_subshell(line: &str, path: &Path) -> String {
    format!("({})", line.replace("{}", &shell::quote(path)))
}

/// The path of what the configuration of this number compiles.
fn executable(number: usize) -> String {
    format!("./way-{number}")
}
