//! A small world of processes and files, in which some are killed; and claims on a real disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard};

use super::*;

/// In the time of the model, which counts the operations on files.
const SHORT: Duration = Duration::from_secs(60);

const TASKS: usize = 6;

const PROCESSES: usize = 4;

/// The operations that a task takes, with a sign of life between two of them.
const WORK: usize = 8;

/// A small world: files with times, processes that take turns, and the end of some.
struct Model {
    state: Mutex<State>,
    turns: Condvar,
}

struct State {
    seed: u64,
    now: u64,
    files: BTreeMap<String, u64>,
    /// Whose turn it is; none if all have ended.
    turn: Option<usize>,
    running: BTreeSet<usize>,
    /// The operations after which processes are killed, by process.
    killed_after: BTreeMap<usize, usize>,
    /// Whether processes may be suspended for longer than a lease.
    is_suspended: bool,
    done: BTreeSet<usize>,
    started: [usize; TASKS],
    /// The kills in the middle of a task, by task.
    ended: [usize; TASKS],
    lost: usize,
}

impl State {
    /// A number below `end`.
    fn random(&mut self, end: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % end
    }

    fn pass_on(&mut self) {
        let running: Vec<usize> = self.running.iter().copied().collect();
        self.turn = match running.len() as u64 {
            0 => None,
            count => Some(running[usize::try_from(self.random(count)).expect("it is small")]),
        };
    }
}

/// A process as the files see it.
struct Process<'m> {
    model: &'m Model,
    id: usize,
}

impl Process<'_> {
    /// One operation, when it is the turn of this process. Fails if the process was killed.
    fn step<T>(&self, operate: impl FnOnce(&mut State) -> T) -> io::Result<T> {
        let is_mine = |state: &mut State| state.turn != Some(self.id);
        let state = self.model.state.lock().expect("nobody panics");
        let mut state: MutexGuard<'_, State> = self.model.turns.wait_while(state, is_mine).expect("nobody panics");
        let left = state.killed_after.get_mut(&self.id);
        let is_killed = left.is_some_and(|left| {
            *left = left.saturating_sub(1);
            *left == 0
        });
        let done = (!is_killed).then(|| operate(&mut state));
        state.now += 1;
        if state.is_suspended && state.random(40) == 0 {
            state.now += SHORT.as_secs();
        }
        if is_killed {
            state.running.remove(&self.id);
        }
        state.pass_on();
        self.model.turns.notify_all();
        done.ok_or_else(|| io::Error::other("killed"))
    }

    fn leave(&self) {
        let _ = self.step(|state| _ = state.running.remove(&self.id));
    }

    /// Works until all tasks are done.
    fn run(&self) -> io::Result<()> {
        loop {
            let mut is_over = true;
            for task in 0..TASKS {
                if self.step(|state| state.done.contains(&task))? {
                    continue;
                }
                is_over = false;
                let Some(claim) = take(self, &task.to_string(), SHORT)? else { continue };
                if !self.step(|state| state.done.contains(&task))? {
                    self.step(|state| state.started[task] += 1)?;
                    let done = self.work(task, &claim);
                    if done.is_err() {
                        self.model.state.lock().expect("nobody panics").ended[task] += 1;
                    }
                    done?;
                }
                release(self, &claim)?;
            }
            if is_over {
                return Ok(());
            }
        }
    }

    fn work(&self, task: usize, claim: &Claim) -> io::Result<()> {
        for _ in 0..WORK {
            if !renew(self, claim)? {
                return self.step(|state| state.lost += 1);
            }
        }
        // As a rename: what is there stays.
        self.step(|state| _ = state.done.insert(task))
    }
}

impl Shelf for Process<'_> {
    fn create(&self, name: &str) -> io::Result<bool> {
        self.step(|state| {
            state.files.insert(name.to_owned(), state.now).is_none_or(|then| {
                state.files.insert(name.to_owned(), then);
                false
            })
        })
    }

    fn touch(&self, name: &str) -> io::Result<bool> {
        self.step(|state| state.files.get_mut(name).map(|time| *time = state.now).is_some())
    }

    fn age(&self, name: &str) -> io::Result<Option<Duration>> {
        self.step(|state| state.files.get(name).map(|time| Duration::from_secs(state.now - time)))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.step(|state| state.files.keys().cloned().collect())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.step(|state| _ = state.files.remove(name))
    }
}

/// Runs processes, all but one of which are killed at some time, until all tasks are done.
fn simulate(seed: u64, is_suspended: bool) -> State {
    let state = State {
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        now: 0,
        files: BTreeMap::new(),
        turn: Some(0),
        running: (0..PROCESSES).collect(),
        killed_after: BTreeMap::new(),
        is_suspended,
        done: BTreeSet::new(),
        started: [0; TASKS],
        ended: [0; TASKS],
        lost: 0,
    };
    let model = Model { state: Mutex::new(state), turns: Condvar::new() };
    {
        let mut state = model.state.lock().expect("it is new");
        // The last one lives.
        for id in 0..PROCESSES - 1 {
            let after = usize::try_from(state.random(120)).expect("it is small") + 1;
            state.killed_after.insert(id, after);
        }
    }
    std::thread::scope(|scope| {
        for id in 0..PROCESSES {
            let process = Process { model: &model, id };
            scope.spawn(move || {
                if process.run().is_ok() {
                    process.leave()
                }
            });
        }
    });
    model.state.into_inner().expect("nobody panicked")
}

#[test]
fn whoever_is_killed_nothing_is_missing_and_nothing_is_done_twice() {
    let mut kills = 0;
    for seed in 1..=600 {
        let state = simulate(seed, false);
        kills += state.killed_after.values().filter(|left| **left == 0).count();
        assert_eq!(state.done.len(), TASKS, "seed {seed}");
        for task in 0..TASKS {
            assert_eq!(state.started[task], 1 + state.ended[task], "seed {seed}, task {task}");
        }
        assert_eq!(state.lost, 0, "seed {seed}");
    }
    assert!(kills >= 1000, "only {kills} were killed");
}

#[test]
fn an_owner_that_was_suspended_costs_time_and_nothing_else() {
    let mut lost = 0;
    for seed in 1..=200 {
        let state = simulate(seed, true);
        assert_eq!(state.done.len(), TASKS, "seed {seed}");
        lost += state.lost;
    }
    assert!(lost > 0, "no owner was taken for dead");
}

#[test]
fn a_claim_on_a_disk_is_held_until_it_is_old_or_released() {
    let place = tempfile::tempdir().expect("a folder can be made");
    let disk = |owner| Disk::new(place.path().join("claims"), owner).expect("it can be made");
    let (one, other) = (disk("one"), disk("other"));
    let take = |disk: &Disk, lease| take(disk, "group.a", lease).expect("it can be asked");
    let claim = take(&one, LEASE).expect("nobody has it");
    assert_eq!(take(&other, LEASE), None);
    assert!(renew(&one, &claim).expect("it is there"));

    let taken = take(&other, Duration::ZERO);
    // The clock of a file system may be too coarse to show an age.
    if let Some(taken) = taken {
        assert!(!renew(&one, &claim).expect("it is there"));
        assert!(renew(&other, &taken).expect("it is there"));
        release(&other, &taken).expect("they can be removed");
    } else {
        release(&one, &claim).expect("it can be removed");
    }
    drop((one, other));
    assert_eq!(fs::read_dir(place.path().join("claims")).expect("it is there").count(), 0);
}
