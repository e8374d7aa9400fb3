//! The page of a batch: a table of its groups, with the smallest program of each.

use askama::Template;
use mcve_batch::folder::Done;
use mcve_batch::index::Index;
use mcve_reduce::visible::visible;

use super::highlight::classes;
use super::private::Private;

/// The page, as its template has it.
#[derive(Template)]
#[template(path = "batch.html")]
struct Page<'i> {
    version: &'static str,
    index: &'i Index,
    /// Whether something was known before.
    has_known: bool,
    fresh: usize,
    reduced: usize,
    private: Private,
}

/// What the template calls.
impl Page<'_> {
    fn tidy(&self, text: impl AsRef<str>) -> String {
        self.private.hide_in_line(text.as_ref())
    }

    fn pairs<'p>(&self, pairs: &'p [[String; 2]]) -> Vec<(&'p str, &'p str)> {
        pairs.iter().map(|[one, other]| (one.as_str(), other.as_str())).collect()
    }

    /// The parts of a program, with their classes.
    fn coloured(&self, text: &str) -> Vec<(String, String)> {
        let (mut parts, mut at) = (Vec::new(), 0);
        for (range, class) in classes(text) {
            parts.push((String::new(), visible(&text[at..range.start])));
            parts.push((format!("{class:?}"), visible(&text[range.clone()])));
            at = range.end;
        }
        parts.push((String::new(), visible(&text[at..])));
        parts
    }

    /// The lines of the change with which a program passes, and how it then does.
    fn change(&self, done: &Done) -> Option<(Vec<(&'static str, String)>, String)> {
        let [change, how] = done.change.as_ref()?;
        let class = |line: &str| if line.starts_with('-') { "gone" } else { "new" };
        let lines = change.lines().map(str::trim_start).filter(|line| !line.is_empty());
        Some((lines.map(|line| (class(line), visible(line))).collect(), self.tidy(how)))
    }
}

/// The page of a batch.
pub(crate) fn page(index: &Index) -> String {
    let fresh = index.groups.iter().filter(|group| group.known.is_none()).count();
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        index,
        has_known: fresh < index.groups.len(),
        fresh,
        reduced: index.groups.iter().filter(|group| group.done.is_some()).count(),
        private: Private::here(),
    };
    page.render().expect("a text can be written to")
}
