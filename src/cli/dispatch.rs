//! From a command line to what it asks for, and from its end to an exit code.

use std::ffi::OsString;

use super::argv::parse;
use super::begin::Begin;
use super::command::Command;
use super::exit::{Exit, Failed, OrExit};
use super::messages::{self, say};
use super::{
    batch, bisect, catalogue, changes, coming_from, config, debug, fingerprint, from, fuzz, generalise, generate, help,
    hints, llvm, page, pair, reduce, report, resume, shell, test_file, verify, why, worker,
};
use crate::report::terminal::Shown;
use mcve_reduce::event;
use mcve_reduce::exec::tool::is_interrupted;

/// Runs the command line `words`, the program's name first, and returns how to exit. Says on standard error what failed.
pub(super) fn main(words: Vec<OsString>) -> u8 {
    if let Some(help) = help::all(&words) {
        return messages::usage(&help);
    }
    let words = match from::whole(words) {
        Ok(words) => words,
        Err(failed) => return end(Err(failed)),
    };
    let (toolchain, parsed) = match parse(&words) {
        Ok(parsed) => parsed,
        Err(error) => {
            let hint = || hints::command(&words).or_else(|| coming_from::misunderstood(&words));
            let hint = || hint().or_else(|| hints::two_files(&words)).or_else(|| hints::rustc_options(&words));
            if let Some(hint) = error.use_stderr().then(hint).flatten() {
                return refuse(&hint);
            }
            return messages::usage(&error);
        }
    };
    if let Some(hint) = hints::command(&words).or_else(|| coming_from::misleading(&words)) {
        return refuse(&hint);
    }
    let done = match parsed {
        Command::List { search } => catalogue::list(search.as_deref()).and_then(|text| print(&text)),
        Command::Explain { name } => catalogue::explain(&name).and_then(|text| print(&text)),
        Command::Why(args) => why::why(*args, toolchain),
        Command::Verify(args) => verify::verify(*args, toolchain),
        Command::Page(args) => page::run(&args),
        Command::Fingerprint(args) => fingerprint::fingerprint(*args, toolchain),
        Command::Worker(args) => worker::run(&args),
        Command::Batch(args) => batch::run(*args, toolchain),
        Command::Bisect(args) => bisect::run(*args, toolchain),
        Command::Report(args) => report::report(*args, toolchain),
        Command::Llvm(args) => llvm::run(*args, toolchain),
        Command::TestFile(args) => test_file::run(*args, toolchain),
        Command::Schema => print(&format!("{:#}\n", event::schema())),
        Command::Generate(args) => generate::generate(&args).and_then(|text| print(&text)),
        Command::Fuzz(args) => fuzz::begin(&args, toolchain),
        Command::Resume { place, output_args, screen } => resume::resume(&place, &output_args, screen),
        Command::Isolate(args) => pair::isolate_by(&args, toolchain),
        Command::Repair(args) => pair::repair_by(&args, toolchain),
        Command::Generalise(args) => generalise::run(*args, toolchain),
        Command::Debug(args) => debug::run(*args, toolchain),
        Command::Changes(args) => changes::run(&args, toolchain, Begin::Anew(&words)),
        Command::Completions { shell } => print(&shell::completions(shell)),
        Command::Man { folder } => shell::pages(&folder),
        Command::Reduce(args) => config::reduction(words, toolchain, args)
            .and_then(|(words, toolchain, args)| reduce::reduce(&args, toolchain, Begin::Anew(&words))),
    };
    end(done)
}

/// How to exit; says on standard error what failed.
pub(super) fn end(done: Result<Exit, Failed>) -> u8 {
    match done {
        Ok(exit) => exit.code(),
        // What a tool that was ended has not said is no error.
        Err(Failed { exit: Exit::Check, .. }) if is_interrupted() => {
            say("error: interrupted before there was a result");
            Exit::Interrupted.code()
        }
        Err(Failed { exit, error }) => {
            say(format_args!("error: {error:#}"));
            // A result that nobody reads is no error of the output.
            if exit == Exit::Output && is_interrupted() { Exit::Interrupted.code() } else { exit.code() }
        }
    }
}

/// Says why a command line is wrong.
fn refuse(why: &str) -> u8 {
    say(format_args!("error: {why}"));
    Exit::Usage.code()
}

fn print(text: &str) -> Result<Exit, Failed> {
    messages::print(text.as_bytes(), |text| Shown::plain(text)).or_exit(Exit::Output).map(|()| Exit::Done)
}
