//! What the keys do.

use std::sync::atomic::Ordering;

use mcve_reduce::check::limits::Limits;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::program::Page;
use super::state::State;

/// The keys, for the help.
pub(super) const HELP: &[(&str, &str)] = &[
    ("p, space", "pauses, and goes on"),
    ("s, n", "skips this pass (not the proof)"),
    ("q, Ctrl-C", "stops with the best program so far"),
    ("e", "opens a copy of the program in $EDITOR"),
    ("arrows, j k", "scroll the program"),
    ("PgUp, PgDn", "scroll by a page"),
    ("Home, End", "go to its begin or end"),
    ("f", "follows what is taken away"),
    ("Ctrl-Z", "suspends mcve; `fg` goes on"),
    ("?, h", "shows and hides this help"),
    ("", ""),
    ("passes", "tokens taken away, and in how many of its"),
    ("", "checks the failure was still there"),
];

/// Lines around what was taken away that are seen above it.
const ABOVE: usize = 3;

/// What the user looks at.
#[derive(Default)]
pub(super) struct View {
    /// The first line that is seen; none: it follows what is taken away.
    line: Option<usize>,
    pub(super) is_help: bool,
    /// The answer to the last key.
    pub(super) said: Option<&'static str>,
    /// The first line and how many there were in the last picture, and of how many.
    last: (usize, usize, usize),
}

/// What is to be done for a key besides what the next picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Draw,
    Suspend,
    Edit,
}

impl View {
    /// The first line of a picture with `height` lines of `page`.
    pub(super) fn first_line(&mut self, page: &Page, height: usize) -> usize {
        let most = page.lines.len().saturating_sub(height);
        let followed = page.first_gone.map_or(self.last.0, |gone| gone.saturating_sub(ABOVE));
        let first = self.line.unwrap_or(followed).min(most);
        self.line = self.line.map(|line| line.min(most));
        self.last = (first, height, page.lines.len());
        first
    }

    fn scroll(&mut self, to: usize) {
        self.line = Some(to.min(self.last.2.saturating_sub(self.last.1)));
    }

    /// Does what a key asks for; none if it asks for nothing.
    pub(super) fn press(&mut self, key: KeyEvent, state: &mut State, limits: &Limits) -> Option<Wish> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        self.said = None;
        let (first, height, all) = self.last;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => limits.interrupt.store(true, Ordering::SeqCst),
                KeyCode::Char('z') => return Some(Wish::Suspend),
                _ => return None,
            }
            return Some(Wish::Draw);
        }
        match key.code {
            KeyCode::Char('q') => limits.interrupt.store(true, Ordering::SeqCst),
            KeyCode::Char('p' | ' ') => state.is_pause_asked = !state.is_pause_asked,
            KeyCode::Char('s' | 'n') if state.is_skippable() => limits.skip.ask(),
            KeyCode::Char('s' | 'n') => {
                self.said = Some("this pass cannot be skipped: `q` stops with the best program so far");
            }
            KeyCode::Char('e') => return Some(Wish::Edit),
            KeyCode::Char('?' | 'h') => self.is_help = !self.is_help,
            KeyCode::Esc => self.is_help = false,
            KeyCode::Up | KeyCode::Char('k') => self.scroll(first.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.scroll(first + 1),
            KeyCode::PageUp => self.scroll(first.saturating_sub(height)),
            KeyCode::PageDown => self.scroll(first + height),
            KeyCode::Home => self.scroll(0),
            KeyCode::End => self.scroll(all),
            KeyCode::Char('f') => self.line = None,
            _ => return None,
        }
        Some(Wish::Draw)
    }
}

#[cfg(test)]
mod tests {
    use mcve_reduce::event::Event;
    use ratatui::text::Line;

    use super::*;

    #[test]
    fn it_follows_what_is_taken_away_until_the_user_scrolls() {
        let (mut view, mut state) = (View::default(), State::new(String::new(), None));
        let lines = (0..100).map(|line: i32| Line::raw(line.to_string())).collect();
        let mut page = Page::default();
        (page.lines, page.first_gone) = (lines, Some(50));
        let mut press = |view: &mut View, page: &Page, code| {
            let wish = view.press(KeyEvent::new(code, KeyModifiers::NONE), &mut state, &Limits::default());
            assert_eq!(wish, Some(Wish::Draw));
            view.first_line(page, 10)
        };
        assert_eq!(view.first_line(&page, 10), 47);
        page.first_gone = Some(98);
        assert_eq!(view.first_line(&page, 10), 90);
        for (code, first) in [
            (KeyCode::PageUp, 80),
            (KeyCode::Up, 79),
            (KeyCode::Home, 0),
            (KeyCode::Up, 0),
            (KeyCode::Down, 1),
            (KeyCode::PageDown, 11),
            (KeyCode::End, 90),
            (KeyCode::Down, 90),
            (KeyCode::Home, 0),
            (KeyCode::Char('f'), 90),
        ] {
            assert_eq!(press(&mut view, &page, code), first, "{code:?}");
        }
        page.lines.truncate(5);
        assert_eq!(view.first_line(&page, 10), 0);
    }

    #[test]
    fn keys_stop_pause_and_skip_but_not_the_proof() {
        let (mut view, mut state, limits) = (View::default(), State::new(String::new(), None), Limits::default());
        let mut press = |key, modifiers, state: &mut State| {
            let wish = view.press(KeyEvent::new(KeyCode::Char(key), modifiers), state, &limits);
            (wish, view.said.is_some())
        };
        let (plain, control) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        assert_eq!(press('p', plain, &mut state), (Some(Wish::Draw), false));
        assert!(state.is_pause_asked);
        press(' ', plain, &mut state);
        assert!(!state.is_pause_asked);
        state.follow(&Event::PassStarted { pass: "proof", doing: "" });
        assert_eq!(press('s', plain, &mut state), (Some(Wish::Draw), true));
        assert!(!limits.skip.is_asked());
        state.follow(&Event::PassStarted { pass: "items", doing: "" });
        assert_eq!(press('n', plain, &mut state), (Some(Wish::Draw), false));
        assert!(limits.skip.is_asked());
        assert_eq!(press('z', control, &mut state).0, Some(Wish::Suspend));
        assert_eq!(press('e', plain, &mut state).0, Some(Wish::Edit));
        assert_eq!((press('x', plain, &mut state).0, press('p', control, &mut state).0), (None, None));
        assert!(!limits.interrupt.load(Ordering::SeqCst));
        press('c', control, &mut state);
        assert!(limits.interrupt.swap(false, Ordering::SeqCst));
        press('q', plain, &mut state);
        assert!(limits.interrupt.load(Ordering::SeqCst));
    }
}
