//! `mcve why`: what happens without each part of a result.

use anyhow::Context;

use super::catalogue;
use super::exit::{Exit, Failed, OrExit, failed};
use super::known::Known;
use super::messages::say;
use super::result_args::WhyArgs;
use crate::report::log::Run;
use crate::report::terminal::Shown;
use crate::report::why::picture::labelled;

/// Prints why the parts of a result stay. Fails when nothing is kept of it, and it does not fail as its run was asked.
pub(super) fn why(args: WhyArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let WhyArgs { file, line, transform, any, oracle } = args;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut title = format!("what happens without each part of {name}");
    let run = match Run::of_log(&file) {
        Some(run) => run,
        None => {
            let known = Known::of(&file)?;
            match known.end() {
                Some(_) if toolchain.is_none() => {
                    let parts = if any { Some(known.generalise(oracle, toolchain)?) } else { None };
                    let mut run = known.run.unwrap_or_default();
                    parts.into_iter().for_each(|parts| run.add_general(parts, &file));
                    run
                }
                _ => {
                    say(format_args!("nothing is kept of {name} as it is: its parts are tried now"));
                    let run = known.ask(oracle, toolchain)?;
                    let end = run.end.as_ref().context("the run did not end").or_exit(Exit::Output)?;
                    if end.after.tokens < end.before.tokens {
                        let [before, after] = [end.before.tokens, end.after.tokens];
                        say(format_args!(
                            "{name} is not 1-minimal: mcve makes {after} of its {before} {}; here is why those stay",
                            end.unit
                        ));
                        title = format!("what happens without each part of what is left of {name}");
                    }
                    run
                }
            }
        }
    };
    if line.is_none() && transform.is_none() {
        return labelled(&run, &file, &title, None).print().or_exit(Exit::Output).map(|()| Exit::Done);
    }
    let only = catalogue::transforms_of(transform.as_deref(), &run)?;
    let only: Vec<&str> = only.iter().map(String::as_str).collect();
    let text = run.explain(line.as_deref(), &only).map_err(|why| failed!(Usage, "{why}"))?;
    let picture = match &line {
        Some(line) if only.is_empty() => run.line(line).map(|index| labelled(&run, &file, &title, Some(&[index]))),
        _ => None,
    };
    picture.unwrap_or_default().and(Shown::plain(text)).print().or_exit(Exit::Output).map(|()| Exit::Done)
}
