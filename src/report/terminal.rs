//! What people read: words in our styles, in which text of others has escapes for what a terminal would obey or hide.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use mcve_reduce::visible::visible;

/// A text that a terminal may show. To make one escapes what others may have put in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown(String);

impl Shown {
    pub(crate) fn plain(text: impl Display) -> Self {
        Self(visible(&text.to_string()))
    }

    pub(crate) fn styled(style: Style, text: impl Display) -> Self {
        Self(format!("{style}{}{style:#}", Self::plain(text).0))
    }

    /// A text whose parts were escaped before they got their styles.
    pub(super) fn rendered(text: String) -> Self {
        Self(text)
    }

    /// This text and another one behind it.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 + &other.0)
    }

    /// The text, with our styles.
    #[cfg(test)]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as standard error shows it: without styles where the user wants none, or nobody sees them.
    pub(super) fn on_stderr(self) -> String {
        match AutoStream::choice(&io::stderr()) {
            ColorChoice::Never => strip_str(&self.0).to_string(),
            _ => self.0,
        }
    }

    /// Says it on standard error. If the stream is closed, nothing can be said, which is no reason to stop.
    pub(crate) fn say(self) {
        let _ = anstream::stderr().write_all(self.and(Self::plain("\n")).0.as_bytes());
    }

    /// Prints it on standard output. It is not an error if the reader closes the pipe early.
    pub(crate) fn print(self) -> io::Result<()> {
        unless_closed(anstream::stdout().write_all(self.0.as_bytes()))
    }
}

/// What was written, whether or not the reader has closed the pipe early.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::*;

    #[test]
    fn only_our_styles_reach_a_terminal() {
        let text = Shown::styled(AnsiColor::Red.on_default(), "a\u{1b}[2Jb").and(Shown::plain("\u{9b}\u{202e}\n"));
        assert_eq!(text.0, "\u{1b}[31ma\\u{1b}[2Jb\u{1b}[0m\\u{9b}\\u{202e}\n");
    }
}
