//! The screen of `--tui`, on a terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

/// Nothing takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

const CONTROL_C: &str = "\u{3}";
const CONTROL_Z: &str = "\u{1a}";

/// Enough functions for many checks, all of which are needed.
const FUNCTIONS: usize = 30;

/// A folder with a file, and a check of it that waits as long as there is a file `hold`, and counts.
fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    let needed: String = (0..FUNCTIONS).map(|number| format!("fn needle{number}() {{}}\n")).collect();
    place.write("a.rs", format!("{needed}fn main() {{ println!(\"gone\"); }}\n"));
    let script = "#!/bin/sh\necho >> $PLACE/count\nwhile [ -e $PLACE/hold ]; do sleep 0.02; done\n\
        [ $(grep -o 'needle[0-9]*()' $1 | wc -l) = 30 ]\n";
    place.write_script("test.sh", script);
    place.write("count", "");
    place
}

const ARGS: [&str; 8] = ["a.rs", "--tui", "--jobs", "1", "--test", "./test.sh", "--writable", "count"];

/// What a terminal shows: cells, and what is printed where there is no screen.
#[derive(Default)]
struct Shown {
    rows: Vec<Vec<char>>,
    at: (usize, usize),
    is_screen: bool,
    is_cursor_hidden: bool,
    plain: String,
    /// What is not shown yet.
    rest: String,
}

impl Shown {
    fn resize(&mut self, columns: usize, lines: usize) {
        self.rows = vec![vec![' '; columns]; lines];
    }

    fn feed(&mut self, bytes: &str) {
        let mut text = std::mem::take(&mut self.rest) + bytes;
        while let Some(first) = text.chars().next() {
            let mut taken = first.len_utf8();
            if first == '\u{1b}' {
                let Some(end) = text[1..].find(|c: char| c.is_ascii_alphabetic()) else {
                    self.rest = text;
                    return;
                };
                taken = end + 2;
                self.obey(&text[1..taken]);
            } else if !self.is_screen {
                self.plain.push(first);
            } else {
                if let Some(cell) = self.rows.get_mut(self.at.0).and_then(|row| row.get_mut(self.at.1)) {
                    *cell = first;
                }
                self.at.1 += 1;
            }
            text.drain(..taken);
        }
    }

    fn obey(&mut self, code: &str) {
        match code {
            "[?1049h" => self.is_screen = true,
            "[?1049l" => self.is_screen = false,
            "[?25l" => self.is_cursor_hidden = true,
            "[?25h" => self.is_cursor_hidden = false,
            "[2J" => self.rows.iter_mut().for_each(|row| row.fill(' ')),
            _ => {
                let place = code.strip_prefix('[').and_then(|code| code.strip_suffix('H')?.split_once(';'));
                let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
                self.at = place.and_then(|(row, column)| Some((number(row)?, number(column)?))).unwrap_or(self.at);
            }
        }
    }

    fn screen(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }
}

/// A command that runs on a terminal of its own.
struct Run {
    child: Child,
    main: File,
    /// The other end, which stays open so that the state of the terminal can be read.
    end: File,
    before: Termios,
    output: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    shown: Shown,
}

impl Run {
    fn start(mut command: Command) -> Self {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        grantpt(&main).and_then(|()| unlockpt(&main)).expect("it is ours");
        let name = ptsname(&main, Vec::new()).expect("it has a name");
        let end = File::options().read(true).write(true).open(OsStr::from_bytes(name.as_bytes())).expect("it is there");
        let (main, before) = (File::from(main), tcgetattr(&end).expect("it is a terminal"));
        let own = || end.try_clone().expect("it is open");
        command.stdin(own()).stdout(own()).stderr(own()).env("TERM", "xterm").env_remove("NO_COLOR");
        let mut reading = main.try_clone().expect("it is open");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reading.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (bytes, shown) = (Vec::new(), Shown::default());
        let mut run = Self { child: command.spawn().expect("it runs"), main, end, before, output, bytes, shown };
        run.resize(80, 24);
        run
    }

    fn resize(&mut self, columns: u16, lines: u16) {
        self.shown.resize(columns.into(), lines.into());
        let size = Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.end, size).expect("it is a terminal");
    }

    fn press(&mut self, keys: &str) {
        self.main.write_all(keys.as_bytes()).expect("it is open");
    }

    /// Waits until what is shown is as it has to be.
    #[track_caller]
    fn wait(&mut self, what: &str, is_it: impl Fn(&Shown) -> bool) {
        let start = Instant::now();
        while !is_it(&self.shown) {
            assert!(
                start.elapsed() < PATIENCE,
                "{what} is not seen:\n{}\nand:\n{}",
                self.shown.screen(),
                self.shown.plain
            );
            if let Ok(more) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.bytes.extend(more);
            }
            // A character may come in two parts.
            let whole = match std::str::from_utf8(&self.bytes) {
                Ok(_) => self.bytes.len(),
                Err(error) => error.valid_up_to(),
            };
            let rest = self.bytes.split_off(whole);
            let bytes = std::mem::replace(&mut self.bytes, rest);
            self.shown.feed(std::str::from_utf8(&bytes).expect("it was checked"));
        }
    }

    #[track_caller]
    fn see(&mut self, text: &str) {
        self.wait(text, |shown| shown.is_screen && shown.screen().contains(text));
    }

    #[track_caller]
    fn see_plain(&mut self, text: &str) {
        self.wait(text, |shown| !shown.is_screen && shown.plain.contains(text));
    }

    /// Checks that the terminal is as it was.
    #[track_caller]
    fn is_restored(&self) {
        let now = tcgetattr(&self.end).expect("it is a terminal");
        let modes = |termios: &Termios| (termios.local_modes, termios.input_modes, termios.output_modes);
        assert_eq!(modes(&now), modes(&self.before));
        assert!(!self.shown.is_screen && !self.shown.is_cursor_hidden);
    }

    /// Waits for the end, with this exit code and the terminal as it was.
    #[track_caller]
    fn end(&mut self, exit: Exit) {
        self.see_plain("see it");
        assert_eq!(self.child.wait().expect("it was started").code(), Some(exit.code().into()));
        self.is_restored();
    }
}

/// Nothing is left where a test fails.
impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command as the first one of a session that has the terminal.
fn on_terminal(place: &TestFolder, args: &[&str]) -> Command {
    let mut command = place.command("setsid");
    command.arg("--ctty").arg(env!("CARGO_BIN_EXE_mcve")).args(args);
    command
}

fn hold(place: &TestFolder) {
    place.write("hold", "");
}

fn let_go(place: &TestFolder) {
    std::fs::remove_file(place.path("hold")).expect("it is there");
}

fn count(place: &TestFolder) -> usize {
    place.read("count").lines().count()
}

#[test]
fn a_run_is_seen_and_its_keys_work() {
    let place = place();
    let mut run = Run::start(on_terminal(&place, &ARGS));
    run.see("mcve a.rs");
    run.see("failure: ");
    run.see("fn needle3()");
    run.see("passes");
    run.press("?");
    run.see("skips this pass");
    run.press("?");
    run.wait("no help", |shown| !shown.screen().contains("skips this pass"));
    for (columns, lines) in [(60, 20), (80, 24)] {
        run.resize(columns, lines);
        run.see("program: lines");
        run.see("p pause");
        run.wait("the border", |shown| shown.rows.iter().any(|row| row.last() == Some(&'┘')));
    }
    run.press("p");
    run.see("paused: `p` goes on");
    let paused = count(&place);
    run.press("?");
    run.see("skips this pass");
    run.press("?");
    run.see("paused: `p` goes on");
    assert_eq!(count(&place), paused, "nothing is checked");
    hold(&place);
    run.press("p");
    run.see("p pause");
    run.press("s");
    run.see("skips ");
    let line = run.shown.screen().lines().last().expect("there are lines").to_owned();
    let pass = line.split(' ').nth(1).expect("it is named").to_owned();
    let skipped = count(&place);
    let_go(&place);
    run.wait("another pass", |shown| !shown.screen().contains(&format!("skips {pass}")));
    assert!(count(&place) >= skipped && pass != "proof", "{pass}");
    run.press("q");
    run.end(Exit::Interrupted);
    assert!(run.shown.plain.contains("interrupted; this is the best so far"), "{}", run.shown.plain);
    assert_eq!(place.read("a_mcve.rs").matches("needle").count(), FUNCTIONS);
    place.assert_clean();
    // The journal of a run with a skipped pass is one of verdicts, and the course of the next one is whole.
    let said = Said::by(&mut place.mcve(&["resume"])).exits(Exit::Done);
    assert!(said.stderr.contains("1-minimal: no single step"), "{}", said.stderr);
}

#[test]
fn the_end_of_the_run_ends_the_screen() {
    let place = place();
    place.write_script("edit.sh", "#!/bin/sh\ncp \"$1\" $PLACE/copy.rs\necho edited\n");
    let mut command = on_terminal(&place, &ARGS);
    command.env("EDITOR", "./edit.sh").env_remove("VISUAL");
    let mut run = Run::start(command);
    run.see("failure: ");
    run.press("e");
    run.wait("the editor", |shown| shown.is_screen && shown.plain.contains("edited"));
    assert!(place.read("copy.rs").contains("fn needle3()"));
    run.end(Exit::Done);
    for part in ["failure: ", "start: ", "done", "1-minimal: no single step"] {
        assert!(run.shown.plain.contains(part), "no {part} in {}", run.shown.plain);
    }
    assert_eq!(place.read("a_mcve.rs").matches("needle").count(), FUNCTIONS);
    place.assert_clean();
}

#[test]
fn signals_and_keys_that_stop_it_give_the_terminal_back() {
    for stop in ["TERM", "INT", CONTROL_C] {
        let place = place();
        let mut run = Run::start(on_terminal(&place, &ARGS));
        run.see("failure: ");
        match stop {
            "TERM" | "INT" => {
                let signal = if stop == "TERM" { Signal::TERM } else { Signal::INT };
                kill_process(Pid::from_child(&run.child), signal).expect("it runs");
            }
            keys => run.press(keys),
        }
        run.end(Exit::Interrupted);
        place.assert_clean();
    }
}

#[test]
fn the_second_ctrl_c_ends_at_once() {
    let place = place();
    let mut run = Run::start(on_terminal(&place, &ARGS));
    run.see("failure: ");
    run.press(CONTROL_C);
    run.see_plain("stopping with the best so far");
    run.is_restored();
    run.press(CONTROL_C);
    let code = run.child.wait().expect("it was started").code();
    assert_eq!(code, Some(Exit::Interrupted.code().into()));
    run.is_restored();
}

#[test]
fn it_can_be_suspended_and_goes_on() {
    let place = place();
    let mcve = format!("{} {}", env!("CARGO_BIN_EXE_mcve"), ARGS.join(" "));
    let script = format!("{mcve}; echo \"stopped $?\"; stty -a; read line; fg; echo \"ended $?\"");
    let mut command = place.command("setsid");
    command.args(["--ctty", "bash", "-mc", &script]);
    let mut run = Run::start(command);
    run.see("failure: ");
    run.press(CONTROL_Z);
    run.see_plain("stopped 147");
    run.see_plain(" echo ");
    run.is_restored();
    assert!(run.shown.plain.contains(" icanon "), "{}", run.shown.plain);
    run.press("\n");
    run.see("program: lines");
    run.press("q");
    run.see_plain(&format!("ended {}", Exit::Interrupted.code()));
    run.is_restored();
}

#[test]
fn without_a_terminal_or_with_another_form_it_is_refused() {
    let place = place();
    let said = place.run_cleanly(&ARGS, Exit::Usage);
    assert!(said.stderr.contains("--tui needs a terminal"), "{}", said.stderr);
    for args in [&["a.rs", "--tui", "-q"][..], &["a.rs", "--tui", "--message-format", "json"]] {
        place.run_cleanly(args, Exit::Usage);
    }
    let mut command = place.mcve(&ARGS);
    command.stdin(Stdio::null());
    Said::by(&mut command).exits(Exit::Usage);
    assert!(place.kept().is_empty(), "{:?}", place.kept());
}
