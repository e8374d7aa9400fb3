//! The page of a run: one HTML file that asks for no other. It shows what fails, where, and what makes it pass; below that, how the
//! program became small.

mod chart;
mod environment;
mod figures;
mod program;
mod steps;

use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use askama::Template;
use mcve_reduce::event::Ending;
use mcve_reduce::visible::visible;

use self::chart::Chart;
use self::figures::Pass;
use self::program::Line;
use super::log::{End, Run};
use super::private::Private;
use super::words::time;

/// What is in the beginning of each page, and of no other file.
const MARK: &str = "<meta name=\"generator\" content=\"mcve ";

/// In so many bytes.
const BEGINNING: u64 = 300;

/// The page of a run, as its template has it.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'r> {
    run: &'r Run,
    end: &'r End,
    failure: String,
    ending: &'static str,
    files: Vec<(&'r str, Vec<Line<'r>>)>,
    chart: Chart,
    steps: Vec<steps::Shown<'r>>,
    /// How many steps are shown without their diffs.
    left_out: usize,
    outcomes: [(&'static str, usize, &'static str); 3],
    passes: Vec<Pass>,
    environment: [(&'static str, String); 4],
    private: Private,
}

/// What the template calls.
impl Page<'_> {
    fn number(&self, number: &usize) -> String {
        figures::number(*number)
    }

    fn time(&self, seconds: impl Borrow<f64>) -> String {
        time(*seconds.borrow())
    }

    fn tidy(&self, text: impl AsRef<str>) -> String {
        self.private.hide_in_line(text.as_ref())
    }

    /// The lines of a change, which has each after `-` or `+`.
    fn change(&self, lines: &str) -> Vec<steps::Line> {
        let class = |line: &str| if line.starts_with('-') { "gone" } else { "new" };
        let lines = lines.lines().filter_map(|line| line.strip_prefix("    "));
        lines.map(|line| (class(line), visible(line))).collect()
    }
}

/// The page of a run that came to an end.
pub(crate) fn page(run: &Run, end: &End) -> String {
    let (passes, private) = (figures::passes(run, end), Private::here());
    let page = Page {
        run,
        end,
        failure: private.hide_in_line(&end.failure),
        ending: match end.ending {
            Ending::Complete if end.one_minimal => "No single step makes it smaller.",
            Ending::Complete => "The search came to its end.",
            Ending::Budget => "The time was over: this is the best so far, and not everything was tried.",
            Ending::Interrupted => "It was interrupted: this is the best so far, and not everything was tried.",
        },
        files: program::files(run, end.at),
        chart: chart::chart(run, end, &passes),
        steps: steps::steps(run),
        left_out: run.steps.len().saturating_sub(2 * steps::SHOWN),
        outcomes: figures::outcomes(run),
        passes,
        environment: environment::environment(run, end, &private),
        private,
    };
    page.render().expect("a text can be written to")
}

/// Checks that a page can be written to `path`. Fails when it is a folder or in none, or a file that is not a page of mcve.
pub(crate) fn check_place(path: &Path) -> io::Result<()> {
    let folder = mcve_reduce::output::folder(path);
    if path.is_dir() || !folder.is_dir() {
        return Err(io::Error::other("it is a folder, or its folder does not exist"));
    }
    if path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0) {
        let mut beginning = Vec::new();
        File::open(path)?.take(BEGINNING).read_to_end(&mut beginning)?;
        if !String::from_utf8_lossy(&beginning).contains(MARK) {
            return Err(io::Error::other("the file exists, and is not a page of mcve"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
