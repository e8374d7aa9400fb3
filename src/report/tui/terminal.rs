//! The terminal: it is taken for the screen, and given back as it was, also in a panic and while the run is suspended.

use std::io::{self, BufWriter, Stderr, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use mcve_reduce::exec::inherited::is_ignored;
use nix::sys::signal::{Signal, kill, raise};
use nix::unistd::Pid;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use signal_hook::flag::{register, register_conditional_default};

/// Draws on standard error, a picture at once.
pub(super) type Backend = CrosstermBackend<BufWriter<Stderr>>;

/// Whether the terminal is taken. A process has only one.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Held while a picture is drawn.
pub(super) static DRAWING: Mutex<()> = Mutex::new(());

/// Takes the terminal. A panic gives it back before its message is printed.
pub(super) fn take() -> io::Result<Terminal<Backend>> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // A picture is drawn soon, unless it is what panics.
            let mut patience = 20;
            while is_taken() && patience > 0 && DRAWING.try_lock().is_err() {
                std::thread::sleep(Duration::from_millis(5));
                patience -= 1;
            }
            give_back();
            before(panic);
        }));
    });
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stderr(), EnterAlternateScreen, Clear(ClearType::All), Hide)?;
    Terminal::new(CrosstermBackend::new(BufWriter::new(stderr())))
}

pub(super) fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Gives the terminal back, if it is taken. What cannot be undone any more is left: then nobody is there to see it.
pub(super) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(stderr(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// Suspends the run: by Ctrl-Z, or by a signal of somebody else.
pub(super) struct Suspension {
    /// Whether the signal came.
    asked: Arc<AtomicBool>,
    /// Whether the signal does what it does without a screen.
    is_usual: Arc<AtomicBool>,
}

impl Suspension {
    /// Waits for the signal, unless mcve was started to ignore it.
    pub(super) fn new() -> io::Result<Self> {
        let (asked, is_usual) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        if !is_ignored(Signal::SIGTSTP) {
            register_conditional_default(Signal::SIGTSTP as i32, Arc::clone(&is_usual))?;
            register(Signal::SIGTSTP as i32, Arc::clone(&asked))?;
        }
        Ok(Self { asked, is_usual })
    }

    /// Does what Ctrl-Z does where the terminal reads it: it suspends all that the shell started as one.
    pub(super) fn ask() {
        let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
    }

    /// Stops until the shell lets the run go on, if it is to be suspended. Returns whether it was.
    pub(super) fn stop_if_asked(&self) -> bool {
        let asked = self.asked.swap(false, Ordering::SeqCst);
        if asked {
            give_back();
            let _ = raise(Signal::SIGSTOP);
        }
        asked
    }
}

/// Without a screen the signal does what it always does.
impl Drop for Suspension {
    fn drop(&mut self) {
        self.is_usual.store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, tcgetattr};

    use super::*;

    #[test]
    #[ignore = "the other test runs it, on a terminal"]
    fn panics() {
        let _terminal = take().expect("there is a terminal");
        panic!("here it is");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_its_message() {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&main).and_then(|()| unlockpt(&main)).expect("it is ours");
        let name = ptsname(&main, Vec::new()).expect("it has a name");
        let open = || File::options().read(true).write(true).open(OsStr::from_bytes(name.as_bytes()));
        let end = open().expect("it is there");
        let before = tcgetattr(&end).expect("it is a terminal");
        let own = module_path!().split_once("::").expect("it is in a crate").1;
        let mut child = Command::new(std::env::current_exe().expect("it is there"))
            .args(["--exact", &format!("{own}::panics"), "--ignored", "--nocapture"])
            .stdin(end.try_clone().expect("it is open"))
            .stdout(Stdio::null())
            .stderr(end.try_clone().expect("it is open"))
            .spawn()
            .expect("it runs");
        assert!(!child.wait().expect("it ends").success());
        let after = tcgetattr(&end).expect("it is a terminal");
        assert!(after.local_modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG));
        assert_eq!((after.local_modes, after.input_modes), (before.local_modes, before.input_modes));
        drop(end);
        let mut said = Vec::new();
        // The end of a terminal is an error.
        let _ = File::from(main).read_to_end(&mut said);
        let said = String::from_utf8_lossy(&said);
        let places = ["\u{1b}[?1049h", "\u{1b}[?25l", "\u{1b}[?25h", "\u{1b}[?1049l", "here it is"]
            .map(|part| said.find(part).unwrap_or_else(|| panic!("no {part:?} in {said:?}")));
        assert!(places.is_sorted(), "{said:?}");
    }
}
