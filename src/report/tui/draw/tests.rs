//! What stands on the picture, at each size of a terminal.

use mcve_dd::outcome::Outcome;
use mcve_reduce::event::Event;
use mcve_reduce::program::{Program, Size};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

use super::*;

const BEFORE: &str = "fn gone() {}\nfn main() {\n    needle(\"\u{1b}[2J\");\n}\n";
const AFTER: &str = "fn main() {\n    needle(\"\u{1b}[2J\");\n}\n";

/// A run in which one function was taken away.
fn state() -> (State, Page) {
    let (mut state, mut page) = (State::new("a.rs".to_owned(), None), Page::default());
    let size = |tokens| Size { tokens, bytes: 9, lines: 1 };
    let failure = "it crashes at \u{1b}[31mhere".to_owned();
    let program = Program::new("a.rs", AFTER);
    for event in [
        Event::Baseline {
            failure,
            fingerprint: None,
            shown: Vec::new(),
            size: size(12_345),
            unit: "tokens",
            program: Program::new("a.rs", BEFORE),
        },
        Event::PassStarted { pass: "nesting", doing: "" },
        Event::PassStarted { pass: "items", doing: "" },
        Event::Checked { outcome: Outcome::Pass, reason: String::new(), seconds: 0.1 },
        Event::Checked { outcome: Outcome::Fail, reason: String::new(), seconds: 0.1 },
        Event::Gained { steps: Vec::new(), size: size(1234), checks: 2, program },
        Event::PassStarted { pass: "names", doing: "" },
        Event::Warning { message: "look\nhere".to_owned() },
    ] {
        state.follow(&event);
        page.turn(state.program.as_ref().expect("it is known"));
    }
    (state, page)
}

/// The lines of a picture of this size, and the colour of the first cell of what is gone.
fn picture(columns: u16, lines: u16, view: &mut View, change: impl Fn(&mut State)) -> (Vec<String>, Option<Color>) {
    let (mut state, page) = state();
    change(&mut state);
    let mut terminal = Terminal::new(TestBackend::new(columns, lines)).expect("it cannot fail");
    terminal.draw(|frame| draw(frame, &state, &page, view, false)).expect("it cannot fail");
    let buffer = terminal.backend().buffer();
    let row = |line| (0..columns).map(|column| buffer[(column, line)].symbol()).collect::<String>();
    let rows: Vec<String> = (0..lines).map(row).collect();
    let gone = buffer.content.windows(2).position(|two| two[0].symbol() == "-" && two[1].symbol() == " ");
    (rows, gone.map(|at| buffer.content[at].fg))
}

#[test]
fn each_size_has_room_for_all() {
    for (columns, lines) in [(60, 20), (80, 24), (160, 50)] {
        let (rows, gone) = picture(columns, lines, &mut View::default(), |_| {});
        let all = rows.join("\n");
        for part in [
            "mcve a.rs  12,345 -> 1,234 tokens  ~7 %  2 checks  0:0",
            "failure: it crashes at \\u{1b}[31mhere",
            "┌ tokens ",
            "12,345",
            "┌ passes ",
            "names",
            "0/0",
            "items",
            "-11,111",
            "1/2",
            "program: lines 1 to 4 of 4",
            "│- fn gone() {}",
            "│  fn main() {",
            "needle(\"\\u{1b}[2J\");",
            "? help  warning: look",
        ] {
            assert!(all.contains(part), "no {part:?} at {columns}x{lines}:\n{all}");
        }
        assert!(!all.contains("nesting"), "it checked nothing:\n{all}");
        let curve = all.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).count();
        assert!(curve > 15, "a curve:\n{all}");
        assert_eq!(gone, Some(Color::Red));
    }
}

fn helping() -> View {
    let mut view = View::default();
    view.is_help = true;
    view
}

#[test]
fn the_help_names_all_keys_and_fits() {
    let (rows, _) = picture(60, 20, &mut helping(), |_| {});
    let all = rows.join("\n");
    for (key, does) in HELP {
        assert!(all.contains(key) && all.contains(does), "no {key}, {does} in:\n{all}");
    }
}

#[test]
fn it_says_what_it_waits_for() {
    let last = |change: fn(&mut State)| {
        let (rows, _) = picture(60, 20, &mut View::default(), change);
        rows[19].trim_end().to_owned()
    };
    assert!(last(|_| {}).starts_with("p pause  s skip  q stop"));
    assert_eq!(last(|state| state.is_pause_asked = true), "pauses when the check under way ends");
    assert!(last(|state| (state.is_pause_asked, state.is_waiting) = (true, true)).starts_with("paused: `p` goes on"));
    let long = |state: &mut State| {
        let ago = Instant::now().checked_sub(Duration::from_secs(75)).expect("the machine runs for longer");
        let base = Program::new("a.rs", AFTER);
        state.progress.follow(&Event::Trying { base, start: 0, changes: 2 }, ago);
    };
    assert_eq!(last(long), "a check of 2 changes from a.rs:1 on runs, 1:15");
}

#[test]
fn no_size_is_too_small_and_nothing_need_be_known() {
    for (columns, lines) in [(1, 1), (10, 3), (30, 8), (500, 4)] {
        let (rows, _) = picture(columns, lines, &mut helping(), |_| {});
        assert_eq!(rows.len(), usize::from(lines));
    }
    let (state, page) = (State::new("a.rs".to_owned(), None), Page::default());
    let mut terminal = Terminal::new(TestBackend::new(60, 20)).expect("it cannot fail");
    terminal.draw(|frame| draw(frame, &state, &page, &mut View::default(), false)).expect("it cannot fail");
    assert!(terminal.backend().to_string().contains("the first check runs"));
}
