//! The screen of `--tui`: a run as it goes on, and keys for it.
//!
//! Events come on the thread that searches, where a check may take minutes. So the screen has a thread of its own, and both share a state.
//! When the run ends, or is to stop, the terminal is given back, and a console goes on.

mod draw;
mod editor;
mod keys;
mod program;
mod shared;
mod show;
mod state;
mod terminal;

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Event, Observer};

use self::shared::Shared;
use self::show::Show;
use self::state::State;
use super::console::{Console, Verbosity};

/// How often a search that waits looks whether its time is over.
const WAIT: Duration = Duration::from_millis(100);

/// Shows a run on the whole screen.
pub(crate) struct Screen {
    shared: Arc<Shared>,
    /// The thread that draws; none once the terminal was given back.
    thread: Option<JoinHandle<()>>,
    /// Events for the console behind the screen.
    later: Vec<Event>,
    verbosity: Verbosity,
    /// Says the rest.
    console: Option<Console>,
}

impl Screen {
    /// Whether there is a terminal for it.
    pub(crate) fn has_terminal() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdin().is_terminal() && io::stderr().is_terminal() && !is_dumb
    }

    /// Takes the terminal for the reduction of what has this name. Keys stop it by `limits`.
    /// Fails when the terminal cannot be used.
    pub(crate) fn begin(name: String, limits: Limits, verbosity: Verbosity) -> io::Result<Self> {
        let (state, pressed) = (Mutex::new(State::new(name, limits.deadline)), Condvar::new());
        let shared = Arc::new(Shared { state, pressed, is_over: AtomicBool::new(false), limits });
        let show = Show::begin(Arc::clone(&shared))?;
        let thread = std::thread::Builder::new().name("screen".to_owned()).spawn(|| show.run());
        let thread = Some(thread.inspect_err(|_| terminal::give_back())?);
        Ok(Self { shared, thread, later: Vec::new(), verbosity, console: None })
    }

    /// Waits as long as there is a pause, and the run may go on.
    fn wait(&self) {
        let mut state = self.shared.state();
        while state.is_pause_asked && self.shared.limits.proceed().is_ok() && self.is_shown() {
            state.is_waiting = true;
            state = self.shared.pressed.wait_timeout(state, WAIT).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.is_waiting = false;
    }

    fn is_shown(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Gives the terminal back. A console says what was said until now.
    fn leave(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A panic was printed already.
            let _ = thread.join();
            terminal::give_back();
            let mut console = Console::new(self.verbosity, None);
            self.later.drain(..).for_each(|event| console.event(&event));
            self.console = Some(console);
        }
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event) {
        if let Some(console) = &mut self.console {
            return console.event(event);
        }
        self.shared.state().follow(event);
        let is_of_course = matches!(
            event,
            Event::PassStarted { .. } | Event::PassEnded { .. } | Event::Checked { .. } | Event::Gained { .. }
        );
        if !is_of_course {
            self.later.push(event.clone());
        }
        if matches!(event, Event::Checked { .. }) {
            self.wait();
        }
        if matches!(event, Event::Finished(_)) || !self.is_shown() {
            self.leave();
        }
    }
}

/// A run that ends without a result leaves the terminal as it was, too.
impl Drop for Screen {
    fn drop(&mut self) {
        self.leave();
    }
}
