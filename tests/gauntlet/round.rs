//! A round: a run that is disturbed until it is at its end.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use mcve_dd::random::Random;
use rustix::process::Signal;

use super::cases::{Case, TestFolder};
use super::clock;
use super::faults::Fault;
use super::processes::{self, Role};
use super::table::{Found, Table};

/// So many faults there are in a round at most. Then it is left alone.
const MOST: usize = 40;

/// How long something lasts at most, in milliseconds.
const SHORT: u64 = 100;

/// After so many faults the table so far is shown.
const SHOWN: u64 = 1000;

/// After so many faults each kind should have happened, however few are asked for.
const ENOUGH: u64 = 480;

/// What mcve said last.
const SAID: &str = "said";

/// Nothing takes so long, on whatever machine. A run that does hangs.
const HANGS: Duration = Duration::from_secs(600);

/// Runs rounds until there were so many faults, and one of each kind; at most a few times as many.
pub(crate) fn run(faults: u64, seed: u64) -> Table {
    let (cases, table) = (Case::all(), Mutex::new(Table::default()));
    let has_disks = cases[0].place().has_disks();
    let is_enough = |table: &Table| {
        let all = table.faults();
        all >= (4 * faults).max(ENOUGH) || all >= faults && table.missing(has_disks).is_empty()
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers as u64 {
            let (cases, table, is_enough) = (&cases, &table, &is_enough);
            scope.spawn(move || {
                let mut random = Random::new(seed.wrapping_add(worker << 32));
                while !is_enough(&table.lock().expect("no round panics")) {
                    let case = &cases[random.index(cases.len())];
                    let (done, found) = round(case, &mut random);
                    if found.is_wrong || found.is_lost || found.is_left {
                        println!("{}: {done:?}: {found:?}", case.name);
                    }
                    let mut table = table.lock().expect("no round panics");
                    let before = table.faults();
                    table.add(&done, found);
                    if table.faults() / SHOWN > before / SHOWN {
                        println!("{table}");
                    }
                }
            });
        }
    });
    let table = table.into_inner().expect("no round panics");
    let missing = table.missing(has_disks);
    assert!(
        faults < u64::try_from(Fault::ALL.len()).expect("it is small") || missing.is_empty(),
        "never happened: {missing:?}"
    );
    table
}

/// What was done, and what came of it.
fn round(case: &Case, random: &mut Random) -> (Vec<Fault>, Found) {
    let place = case.place();
    let (mut done, mut found) = (Vec::new(), Found::default());
    let wanted = 1 + random.index(MOST);
    let mut best: Option<String> = None;
    let mut misleads = false;
    loop {
        let words = if place.has_journal() { vec!["resume"] } else { case.begin() };
        let left = wanted.saturating_sub(done.len());
        let status = attempt(case, &place, &words, left, random, &mut done);
        misleads |= done.iter().any(|fault| fault.misleads(case.is_script()));
        let result = place.result();
        // What is there shows the failure, whatever has happened.
        match (&best, &result) {
            (Some(_), None) => found.is_lost = true,
            (_, Some(text)) if best.as_ref() != Some(text) && !place.shows(case, text) => found.is_wrong = true,
            _ => {}
        }
        best = result.or(best);
        found.is_left |= has_processes(&place);
        match status.and_then(|status| status.code()) {
            Some(0) => break,
            // It ended early, as it says or as it was killed. A script that was killed in the first runs says that the failure
            // is not there, or not always.
            None | Some(1..=6 | 130) if left > 0 => {}
            // What such a check said of the input goes on to hold.
            Some(1 | 3) if misleads => {}
            code => {
                let said = std::fs::read_to_string(place.path(SAID)).unwrap_or_default();
                println!("{}: exit code {code:?} without a fault, after {done:?}: {said}", case.name);
                found.is_lost = true;
                break;
            }
        }
    }
    match place.result() {
        None => found.is_lost = true,
        Some(text) if misleads => found.is_wrong |= !place.shows(case, &text),
        Some(text) => found.is_wrong |= text != case.result,
    }
    let mut left = place.files_left();
    // Where the disk of the journal was full, its end is lost, and a result that it does not know is kept.
    left.retain(|path| !(done.contains(&Fault::FillsOutput) && path.ends_with("/a_mcve.rs.orig")));
    // A run that was misled may have spent its budget: it can go on.
    left.retain(|path| !(misleads && path.ends_with(".journal")));
    if !left.is_empty() {
        println!("{}: left: {left:?}", case.name);
        found.is_left = true;
    }
    (done, found)
}

/// Begins a run or goes on with it, and does up to so many things to it. How it ended; none where it hung.
fn attempt(
    case: &Case,
    place: &TestFolder,
    words: &[&str],
    most: usize,
    random: &mut Random,
    done: &mut Vec<Fault>,
) -> Option<ExitStatus> {
    let mut command = place.command(words);
    command.stdout(Stdio::null()).stderr(File::create(place.path(SAID)).expect("it can be made"));
    let first = (most > 0).then(|| Fault::any(random));
    if first == Some(Fault::ClockJumps) {
        command.env("LD_PRELOAD", clock::object());
        done.extend(first);
    }
    if first == Some(Fault::BreaksPipes) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        done.extend(first);
    }
    let mut child = command.spawn().expect("the binary runs");
    if let Some(stderr) = child.stderr.take() {
        // After some lines nobody reads any more.
        BufReader::new(stderr).lines().take(random.index(5)).for_each(drop);
        drop(child.stdout.take());
    }
    for _ in 0..most {
        sleep(case.wall.mul_f64(random.below(100) as f64 / 1000.0));
        if child.try_wait().expect("it is ours").is_some() {
            break;
        }
        let fault = Fault::any(random);
        if disturb(&mut child, place, fault, random) {
            done.push(fault);
        }
    }
    wait(child)
}

/// Does something to a run; whether there was something to do it to.
fn disturb(child: &mut Child, place: &TestFolder, fault: Fault, random: &mut Random) -> bool {
    let mcve = i32::try_from(child.id()).expect("a process has a small number");
    let own = rustix::process::Pid::from_child(child);
    let signal = |signal| rustix::process::kill_process(own, signal).is_ok();
    if let Some(role) = fault.victim() {
        let victims = processes::with_role(&processes::of(place), mcve, role);
        let Some(victim) = (!victims.is_empty()).then(|| &victims[random.index(victims.len())]) else { return false };
        victim.signal(Signal::KILL);
        return true;
    }
    match fault {
        Fault::KillsMcve => signal(Signal::KILL),
        Fault::Interrupts => signal(Fault::signal(random)),
        Fault::InterruptsTwice => signal(Fault::signal(random)) && signal(Fault::signal(random)),
        Fault::KillsAll => {
            processes::of(place).iter().for_each(|process| process.signal(Signal::KILL));
            true
        }
        Fault::HangsChecks => {
            let all = processes::of(place);
            let roles = [Role::Script, Role::Rustc, Role::Warden];
            let stopped: Vec<_> = roles.iter().flat_map(|role| processes::with_role(&all, mcve, *role)).collect();
            stopped.iter().for_each(|process| process.signal(Signal::STOP));
            sleep(Duration::from_millis(random.below(SHORT)));
            stopped.iter().for_each(|process| process.signal(Signal::CONT));
            !stopped.is_empty()
        }
        Fault::Busy => {
            let loops: Vec<Child> = (0..4)
                .map(|_| {
                    Command::new("sh")
                        .args(["-c", "while kill -0 $PPID; do :; done"])
                        .spawn()
                        .expect("there is a shell")
                })
                .collect();
            sleep(Duration::from_millis(random.below(SHORT)));
            for mut child in loops {
                let _ = child.kill();
                let _ = child.wait();
            }
            true
        }
        Fault::FillsTemporary | Fault::FillsOutput => {
            let disk = if fault == Fault::FillsOutput { "w" } else { "tmp" };
            place.fill(disk, || sleep(Duration::from_millis(random.below(SHORT))))
        }
        // These begin with a run.
        _ => false,
    }
}

/// How a run ended; none where it does not.
fn wait(mut child: Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < HANGS {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return Some(status);
        }
        sleep(Duration::from_millis(2));
    }
    println!("a run hangs: {}", child.id());
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Whether a process of a run is there that has ended. Who was killed with mcve takes a moment.
fn has_processes(place: &TestFolder) -> bool {
    let begun = Instant::now();
    loop {
        let left = processes::of(place);
        if left.is_empty() {
            return false;
        }
        if begun.elapsed() > Duration::from_secs(10) {
            println!("left: {left:?}");
            left.iter().for_each(|process| process.signal(Signal::KILL));
            return true;
        }
        sleep(Duration::from_millis(5));
    }
}
