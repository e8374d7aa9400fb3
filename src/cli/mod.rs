//! The command line. The only place that knows clap.

use std::ffi::OsString;
use std::process::ExitCode;

mod again;
mod args;
mod argv;
mod batch;
mod batch_args;
mod begin;
mod bisect;
mod catalogue;
mod changes;
mod changes_output;
mod channels;
mod coming_from;
mod command;
mod config;
mod debug;
mod dispatch;
mod evidence;
pub mod exit;
mod failure_args;
mod fingerprint;
mod from;
mod fuzz;
mod generalise;
mod generate;
mod grammar;
mod help;
mod hints;
mod input;
mod kind_args;
mod known;
mod llvm;
mod messages;
mod no_core;
mod observers;
mod oracle_args;
mod output;
pub mod package;
mod package_args;
mod package_check;
mod package_run;
mod page;
mod pair;
mod question;
mod reduce;
#[cfg(test)]
mod reference_tests;
mod report;
mod result_args;
mod resume;
mod run_args;
mod rustc_version;
mod sandbox;
mod setup;
mod shell;
mod test_file;
mod toolchain;
mod trace;
mod values;
mod verify;
mod ways;
mod why;
mod worker;

/// Runs a command line on a thread with a stack that is large enough for deeply nested programs.
///
/// Under the name `cargo-mcve` it is that command.
pub fn start(words: Vec<OsString>) -> ExitCode {
    if known::is_of_package(&words) { package::start(words) } else { run(words, dispatch::main) }
}

/// Runs a command line, as `usual` does it, or the one that a text which it names stands for.
fn run(words: Vec<OsString>, usual: fn(Vec<OsString>) -> u8) -> ExitCode {
    if let Some(code) = package::compile(&words) {
        return code;
    }
    on_large_stack(move || match evidence::whole(&words) {
        Ok(None) => usual(words),
        Ok(Some(words)) if known::is_of_package(&words) => package::run(words),
        Ok(Some(words)) => dispatch::main(words),
        Err(failed) => dispatch::end(Err(failed)),
    })
}

/// Runs what returns an exit code on a thread with a stack that is large enough for deeply nested programs.
fn on_large_stack(main: impl FnOnce() -> u8 + Send + 'static) -> ExitCode {
    mcve_reduce::exec::inherited::reset_signals();
    let builder = std::thread::Builder::new().name("mcve".to_owned()).stack_size(mcve_transforms::STACK);
    let code = match builder.spawn(main) {
        // A panic was already printed to standard error.
        Ok(thread) => thread.join().unwrap_or(101),
        Err(error) => {
            messages::say(format_args!("error: cannot start a thread: {error}"));
            exit::Exit::Check.code()
        }
    };
    mcve_reduce::exec::tool::finish();
    ExitCode::from(code)
}
