//! Failures that are there in some of the runs only, through the real binary: the rate is measured, and held.

use crate::reduced::place;
use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief, shell};
use serde_json::Value;

const INPUT: &str = "struct Config { name: String, values: Vec<u32> }
impl Config {
    fn new() -> Self { Config { name: String::from(\"x\"), values: vec![1, 2, 3] } }
    fn sum(&self) -> u32 { self.values.iter().sum() }
}
fn needle(x: u32) -> u32 { x + 1 }
fn main() {
    let config = Config::new();
    println!(\"{} {}\", config.sum(), config.name.len());
    println!(\"{}\", needle(1));
}
";

/// A program that fails by what the clock says, in six of ten runs.
const BY_THE_CLOCK: &str = "use std::time::{SystemTime, UNIX_EPOCH};
struct Stats { total: u64, names: Vec<String> }
impl Stats {
    fn new() -> Self { Stats { total: 0, names: vec![String::from(\"a\")] } }
    fn add(&mut self, value: u64) { self.total += value; }
    fn report(&self) { for name in &self.names { println!(\"{name}: {}\", self.total); } }
}
fn micros() -> u128 { SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() / 1000 }
fn sample(limit: u128) { if micros() % 10 < limit { panic!(\"the sample is early\") } }
fn main() {
    let mut stats = Stats::new();
    stats.add(3);
    stats.report();
    sample(6);
}
";

/// A script by which a program with the needle fails in so many of ten runs, in turn, and others never. It counts all runs.
fn sometimes(place: &TestFolder, of_ten: usize) -> String {
    sometimes_by(&shell::count(&place.write("state/count", "")), of_ten)
}

/// Like `sometimes`, but counts the runs of each program, so that runs of others change nothing. Each number is taken once, also by
/// runs at the same time.
fn each_sometimes(place: &TestFolder, of_ten: usize) -> String {
    let file = place.write("state/runs-of-", "").display().to_string();
    let taken = format!("{file}$(cksum < $1 | cut -d' ' -f1).$n");
    let count = format!("$(n=1; until (set -C; : > {taken}) 2> /dev/null; do n=$((n + 1)); done; echo $n)");
    sometimes_by(&count, of_ten)
}

/// By tens a run and the one before it have nothing to do with each other.
fn sometimes_by(count: &str, of_ten: usize) -> String {
    format!("[ $(({count} * 7 % 10)) -lt {of_ten} ] && grep -q 'needle(1)' $1")
}

/// The rate of the input and that of the result.
fn rates(finished: &Value) -> [(u64, u64); 2] {
    ["flaky", "seen"].map(|name| rate(finished, name))
}

fn rate(finished: &Value, name: &str) -> (u64, u64) {
    let count = |what: &str| finished[name][what].as_u64().unwrap_or_else(|| panic!("no {name} in {finished}"));
    (count("times"), count("runs"))
}

#[test]
fn a_script_that_fails_four_times_in_five_is_reduced_and_the_rates_are_told() {
    for jobs in ["-j1", "-j2"] {
        let place = place(INPUT);
        let test = each_sometimes(&place, 8);
        let said = place.run_cleanly(&["a.rs", jobs, "--test", &test, "--writable", "state"], Exit::Done);
        if jobs == "-j1" {
            let rates = "fails    16 of 20 runs (the input: 16 of 20)";
            said.says(&["the failure is there in 16 of 20 runs", rates, " runs, "]);
        }
        let left = place.read("a_mcve.rs");
        assert!(left.contains("needle(1)") && !left.contains("Config"), "{left}");
    }
}

#[test]
fn a_share_of_the_runs_can_be_asked_for() {
    let place = place(INPUT);
    let test = sometimes(&place, 8);
    let args = ["a.rs", "-j1", "--runs", "3/5", "--message-format", "json", "--test", &test, "--writable", "state"];
    let finished = place.run_cleanly(&args, Exit::Done).last_event();
    assert_eq!(rates(&finished), [(4, 5), (16, 20)]);
    assert!(!place.read("a_mcve.rs").contains("Config"));
    let test = sometimes(&place, 4);
    place.run_cleanly(&["a.rs", "-j1", "--runs", "4/5", "--test", &test, "--writable", "state"], Exit::Flaky);
    place.run_cleanly(&["a.rs", "--runs", "6/5", "--test", "true"], Exit::Usage).says(&["of 5 runs, 6 cannot fail"]);
}

#[test]
fn what_is_rare_and_slow_is_refused_with_the_rate() {
    let place = place(INPUT);
    place.write("state/empty", "");
    let state = place.path("state").display().to_string();
    // The second run fails, and no other, also where two make a folder at once.
    let test = format!("sleep 0.4; ! mkdir {state}/first 2> /dev/null && mkdir {state}/second 2> /dev/null");
    let args = ["a.rs", "-j2", "--test", &test, "--writable", "state"];
    place.run_cleanly(&args, Exit::Flaky).says(&["in 1 of 20 runs only"]);
    assert!(!place.path("a_mcve.rs").exists());
}

/// A program that fails in one of twenty runs, by the seed of a hash.
const BY_THE_SEED: &str = "use std::hash::{BuildHasher, Hasher, RandomState};
struct Config { name: String }
fn place() -> u64 { RandomState::new().build_hasher().finish() % 20 }
fn deliver(place: u64) -> u64 { if place == 3 { panic!(\"the parcel is lost\") } else { place } }
fn main() {
    let config = Config { name: String::from(\"x\") };
    println!(\"{} {}\", config.name, deliver(place()));
}
";

#[test]
fn a_failure_of_one_run_in_twenty_begins_at_once() {
    let place = place(BY_THE_SEED);
    let args = [&["a.rs", "--message-format", "json", "--budget", "20s"], brief()].concat();
    let said = Said::by(&mut place.mcve(&args));
    assert!(said.is_success(), "{}", said.stderr);
    let (times, runs) = rate(&said.last_event(), "flaky");
    assert!(times >= 1 && (20..=300).contains(&runs), "{times} of {runs}");
    let left = place.read("a_mcve.rs");
    assert!(left.contains("fn deliver") && left.contains("the parcel is lost"), "{left}");
    place.assert_clean();
}

#[test]
fn what_passes_is_tried_often_and_the_message_says_how_often() {
    let place = place("fn main() {}\n");
    place
        .run_cleanly(&["a.rs"], Exit::NotFailing)
        .says(&["`main` runs (tried ", " times): there is no failure to keep"]);
    let said = place.run_cleanly(&["a.rs", "--test", "false"], Exit::NotFailing);
    said.says(&["only 0 means that it is there (", " runs)", "it was not tried without: --sandbox off"]);
}

#[test]
fn a_program_that_fails_by_the_clock_is_reduced() {
    let place = place(BY_THE_CLOCK);
    let args = [&["a.rs", "--run", "--message-format", "json"], brief()].concat();
    // By chance it may fail in each of the first runs, or in none: not ten times.
    let mut tries = (0..10).map(|_| Said::by(&mut place.mcve(&args)));
    // Nor does an item stay ten times because all runs without it pass by chance.
    let is_small = || {
        let left = place.read("a_mcve.rs");
        left.contains("the sample is early") && left.len() * 2 < BY_THE_CLOCK.len()
    };
    let said = tries.find(|said| said.is_success() && said.last_event()["flaky"].is_object() && is_small());
    let finished = said.expect("it is seen to fail sometimes, and becomes small").last_event();
    let [(times, runs), (result, of)] = rates(&finished);
    assert!(runs >= 20 && of >= 20 && result * runs * 5 > times * of, "{finished}");
    place.assert_clean();
}

#[test]
fn a_run_that_is_resumed_has_the_rate_and_the_verdicts() {
    let place = place(INPUT);
    let test = sometimes(&place, 8);
    // From some run on it hangs, until there is a file.
    let hangs = format!(
        "[ ! -e {go} ] && [ $(wc -c < {count}) -gt 150 ] && exec tail -f /dev/null; {test}",
        go = place.path("state/go").display(),
        count = place.path("state/count").display()
    );
    let args = ["a.rs", "-j1", "--message-format", "json", "--test", &hangs, "--writable", "state"];
    let mut running = place.start(&args);
    running.wait_for("checked", 30);
    running.interrupt();
    place.write("state/go", "");
    let finished = place.run_cleanly(&["resume", "a_mcve.rs"], Exit::Done).last_event();
    assert_eq!(rates(&finished)[0], (16, 20));
    assert!(finished["recalled"].as_u64() >= Some(30), "{finished}");
    assert!(!place.read("a_mcve.rs").contains("Config"));
}
