//! `mcve llvm`: from a file with which LLVM fails to its intermediate representation, made as small.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use anyhow::Context;
use regex::{Captures, Regex, escape};

use super::argv::reduction;
use super::begin::Begin;
use super::exit::{Exit, Failed, OrExit, failed};
use super::known::Known;
use super::pair::Start;
use super::result_args::LlvmArgs;
use super::{reduce, setup, toolchain};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::exec::job::{Job, JobResult};
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::oracle::{by_hand, shell};
use mcve_reduce::output::same_file;
use mcve_reduce::program::Program;

/// The name of the IR in the folder of a check.
const IR: &str = "ir.ll";

/// What LLVM prints when it ends on its own, and when it crashes.
static MESSAGE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"LLVM ERROR: (.+)").expect("it is well-formed"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| Regex::new("0x[0-9a-f]+").expect("it is well-formed"));
const CRASH: &str = "PLEASE submit a bug report";

/// How the IR is made, and the tool that fails with it: arguments of rustc, the name of the tool, and its arguments.
type Way = (&'static [&'static str], &'static str, Vec<String>);

/// Makes the IR of a file, and reduces it with the tool of LLVM that fails in the same way.
/// Fails if the file does not fail in LLVM, the tools are missing, or none of them shows the failure.
pub(super) fn run(args: LlvmArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let LlvmArgs { file, output, llvm, oracle } = args;
    let absolute = |path: PathBuf| std::path::absolute(path).context("cannot use the output").or_exit(Exit::Output);
    let output = absolute(output.unwrap_or_else(|| file.with_extension("ll")))?;
    let llvm = llvm.map(absolute).transpose()?;
    if same_file(&output, &file) {
        return Err(failed!(Usage, "the output is the input, which is never changed"));
    }
    let known = Known::of(&file)?;
    let limits = setup::limits(oracle.failure.timeout, None)?;
    let (question, own) = known.file_args(oracle)?;
    let toolchain = toolchain.or(own);
    let start = question.start_within(limits.clone(), toolchain.clone())?;
    let rustc = start.problem.oracle.as_ui_test().map(|(rustc, _)| rustc.clone());
    let rustc = rustc.ok_or_else(|| failed!(Usage, "{} is not compiled by a single run of rustc", file.display()))?;
    let sign = sign(&print(
        &start,
        &start.problem.oracle.command(&start.problem.program, &start.problem.program.name),
        &limits,
    )?);
    let sign = sign.ok_or_else(|| {
        failed!(Input, "{} does not fail in LLVM: {}", file.display(), start.problem.oracle.failure().words)
    })?;
    let tools = Tools::find(llvm.as_deref(), toolchain.as_deref())?;
    let place = RunFolder::new().context("cannot make a temporary folder").or_exit(Exit::Output)?;
    let ir = place.path().join("ir.ll");
    for (options, tool, arguments) in ways(&rustc) {
        let text = tools.ir(&start, &rustc, options, &limits)?;
        let shows = |ir: &str| {
            let said = tools.run(&start, tool, &arguments, ir, &limits)?.stderr;
            Ok::<bool, Failed>(sign.is_match(&String::from_utf8_lossy(&said)))
        };
        if text.trim().is_empty() || !shows(&text)? {
            continue;
        }
        std::fs::write(&ir, &text).context("cannot write a temporary file").or_exit(Exit::Output)?;
        let mut words: Vec<OsString> = ["mcve", "-o"].map(OsString::from).to_vec();
        words.extend([output.clone().into(), "--stderr".into(), sign.as_str().into(), ir.clone().into(), "--".into()]);
        words.push(tools.path(tool).into());
        words.extend(arguments.iter().map(OsString::from));
        words.push("{}".into());
        let args = reduction(&words).expect("it is a command line");
        let done = reduce::reduce(&args, None, Begin::Anew(&words))?;
        // As LLVM writes it, if that fails as well.
        let small = std::fs::read_to_string(&output).context("cannot read the result").or_exit(Exit::Output)?;
        let printed = tools.run(&start, "opt", &["-S".to_owned()], &small, &limits)?.stdout;
        let printed = String::from_utf8_lossy(&printed);
        // The first lines name the file.
        let names = |line: &&str| line.starts_with("; ModuleID") || line.starts_with("source_filename");
        let printed = printed.lines().skip_while(names).collect::<Vec<_>>().join("\n").trim_start().to_owned() + "\n";
        if shows(&printed)? {
            std::fs::write(&output, &printed).context("cannot write the result").or_exit(Exit::Output)?;
        }
        return Ok(done);
    }
    Err(failed!(
        NotFailing,
        "neither llc nor opt of LLVM {} fails like rustc with the IR of {}",
        tools.major,
        file.display()
    ))
}

/// What the output of LLVM must match to be the same failure; none if the compiler failed, and not LLVM.
fn sign(printed: &str) -> Option<Regex> {
    // Addresses differ in each run.
    let message = |found: Captures<'_>| ADDRESS.replace_all(&escape(found[1].trim()), "0x[0-9a-f]+").into_owned();
    let message = MESSAGE.captures(printed).map(message);
    let crash = || (printed.contains("SIGSEGV") || printed.contains(CRASH)).then(|| CRASH.to_owned());
    Regex::new(&message.or_else(crash)?).ok()
}

/// The ways to try: code generation without the passes of LLVM, these passes, and code generation after them.
fn ways(rustc: &Rustc) -> Vec<Way> {
    let level = |arg: &OsString| Some(arg.to_str()?.strip_prefix("-Copt-level=")?.to_owned());
    let is_optimised = rustc.args.iter().any(|arg| arg == "-O");
    let level =
        rustc.args.iter().rev().find_map(level).unwrap_or_else(|| if is_optimised { "3" } else { "0" }.to_owned());
    let codegen =
        vec![format!("-O{}", if level == "s" || level == "z" { "2" } else { &level }), "-filetype=null".to_owned()];
    let passes = vec![format!("-passes=default<O{level}>"), "-disable-output".to_owned()];
    vec![
        (&["-Cno-prepopulate-passes"], "llc", codegen.clone()),
        (&["-Cno-prepopulate-passes"], "opt", passes),
        (&[], "llc", codegen),
    ]
}

/// What a line for the shell prints in the folder of the program, and how it ends.
fn print(start: &Start, line: &str, limits: &Limits) -> Result<String, Failed> {
    let ran = execute(start, &by_hand::line(line, start.problem.program.files()), limits)?;
    let text = [&*ran.stdout, &*ran.stderr].map(|part| String::from_utf8_lossy(part).into_owned()).concat();
    Ok(text + &format!("{:?}", ran.end))
}

fn execute(start: &Start, job: &Job, limits: &Limits) -> Result<JobResult, Failed> {
    setup::execute(&*start.session.executor(), job, limits)
}

/// The tools of LLVM.
struct Tools {
    folder: PathBuf,
    /// What follows their names: `-22` for `opt-22`.
    suffix: String,
    major: String,
}

impl Tools {
    /// The tools of the version of LLVM that rustc has. Fails if they are not there.
    fn find(given: Option<&Path>, toolchain: Option<&str>) -> Result<Self, Failed> {
        let said = toolchain::version(toolchain);
        let field = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        let major = field("LLVM version: ").split('.').next().unwrap_or_default().to_owned();
        let plus = toolchain.map(|name| format!("+{name}"));
        let root = Command::new("rustc").args(&plus).args(["--print", "sysroot"]).output();
        let root = root.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
        let own = Path::new(&root).join("lib/rustlib").join(field("host: ")).join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = given.into_iter().flat_map(|folder| [folder.to_owned(), folder.join("bin")]);
        let places: Vec<PathBuf> = places.chain([own]).chain(std::env::split_paths(&path)).collect();
        for folder in places {
            for suffix in [String::new(), format!("-{major}")] {
                let tools = Self { folder: folder.clone(), suffix, major: major.clone() };
                if ["opt", "llc"].iter().all(|name| tools.is_right(name)) {
                    return Ok(tools);
                }
            }
        }
        let option = toolchain.map_or_else(String::new, |name| format!(" --toolchain {name}"));
        Err(failed!(
            Check,
            "opt and llc of LLVM {major} are not there: `rustup component add llvm-tools{option}`, or name their folder with --llvm"
        ))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", self.suffix))
    }

    fn is_right(&self, name: &str) -> bool {
        let output = Command::new(self.path(name)).arg("--version").output();
        let version = format!("LLVM version {}.", self.major);
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&version))
    }

    /// The IR that rustc makes of the program; empty if it makes none.
    fn ir(&self, start: &Start, rustc: &Rustc, options: &[&str], limits: &Limits) -> Result<String, Failed> {
        let program = &start.problem.program;
        let first: Vec<&str> = options.iter().copied().chain(["-Ccodegen-units=1"]).collect();
        let line = rustc.with_emit("llvm-ir=ir.ll").with_first(&first).command(program, &program.name);
        let printed = print(start, &format!("{line} > /dev/null 2>&1; cat ir.ll 2> /dev/null"), limits)?;
        Ok(printed.rsplit_once('\n').map_or("", |(text, _)| text).to_owned() + "\n")
    }

    /// What a tool prints of this IR: its output, or what it says of it.
    fn run(
        &self,
        start: &Start,
        name: &str,
        arguments: &[String],
        ir: &str,
        limits: &Limits,
    ) -> Result<JobResult, Failed> {
        let own = [self.path(name).into_os_string(), IR.into()];
        let words =
            own[..1].iter().cloned().chain(arguments.iter().map(OsString::from)).chain(own[1..].iter().cloned());
        let line = shell::line(words.collect::<Vec<_>>());
        let file = Program::new(IR, ir).files();
        execute(start, &by_hand::line(&line, file), limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_of_llvm_is_its_message_or_a_crash() {
        let sign = |printed: &str| super::sign(printed).map(|sign| sign.as_str().to_owned());
        assert_eq!(sign("rustc-LLVM ERROR: Cannot select: %a.b\n").as_deref(), Some(r"Cannot select: %a\.b"));
        assert_eq!(sign("error: rustc interrupted by SIGSEGV").as_deref(), Some(CRASH));
        assert_eq!(sign("error[E0308]: mismatched types"), None);
    }
}
