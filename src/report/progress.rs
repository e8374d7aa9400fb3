//! How far a run is: from its events to words and numbers. It knows no terminal.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use mcve_reduce::event::{Changed, Event};
use mcve_reduce::program::{Program, Size};
use mcve_reduce::search::passes::minimality;

/// Checks a second are those of this time.
const RECENT: Duration = Duration::from_secs(10);

/// A check that takes longer is named.
const LONG: Duration = Duration::from_secs(2);

/// The part of a reduction before its proof: 0.79 to 0.96 of the time in the runs named at [`Progress::estimate`], half of them over 0.92.
const BEFORE_PROOF: f64 = 0.9;

/// The most that is shown before the end.
const MOST: f64 = 0.99;

/// A run under way.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    begun: Instant,
    /// When the budget is spent.
    deadline: Option<Instant>,
    /// What sizes count.
    pub(crate) unit: &'static str,
    /// The size at the start; of 0 bytes where no program is reduced, or none yet.
    pub(crate) before: Size,
    /// The size of the best program.
    pub(crate) now: Size,
    pub(crate) checks: usize,
    /// What is done, in words.
    doing: &'static str,
    /// When checks ended.
    recent: VecDeque<Instant>,
    /// Since when the check runs that runs now, or what else is waited for.
    since: Instant,
    /// What that check is about.
    trying: Option<Trying>,
    /// How many steps of the proof were tried, of how many.
    proof: Option<(usize, usize)>,
    /// The share of the run that belongs to the reduction under way: from here to there.
    span: [f64; 2],
    /// How far it was at most.
    reached: f64,
}

/// Changes that are tried together.
#[derive(Clone, Debug)]
struct Trying {
    base: Program,
    start: usize,
    changes: usize,
}

impl Progress {
    /// A run that begins at this time.
    pub(crate) fn begin(now: Instant, deadline: Option<Instant>) -> Self {
        let (before, size) = (Size::default(), Size::default());
        Self {
            begun: now,
            deadline,
            unit: "tokens",
            before,
            now: size,
            checks: 0,
            doing: "checking that it fails",
            recent: VecDeque::new(),
            since: now,
            trying: None,
            proof: None,
            span: [0.0, 1.0],
            reached: 0.0,
        }
    }

    /// Follows an event that happens at this time.
    pub(crate) fn follow(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Baseline { size, unit, .. } => {
                (self.unit, self.before, self.now) = (unit, *size, *size);
            }
            Event::StageStarted { .. } => {
                // There may be more, so each takes half of what is left.
                self.span = if self.span[1] < 1.0 { [self.span[1], self.span[1].midpoint(1.0)] } else { [0.0, 0.5] };
                self.proof = None;
            }
            Event::PassStarted { doing, .. } => {
                (self.doing, self.proof) = (doing, None);
                self.turn_to(None, now);
            }
            Event::PassEnded { pass: minimality::NAME, .. } => {
                (self.doing, self.proof) = ("finishing the result", None)
            }
            Event::Proving { done, all } => self.proof = Some((*done, *all)),
            Event::Trying { base, start, changes } => {
                self.turn_to(Some(Trying { base: base.clone(), start: *start, changes: *changes }), now);
            }
            Event::Checked { .. } => {
                self.checks += 1;
                self.recent.push_back(now);
                self.turn_to(None, now);
            }
            // To merge files takes some tokens.
            Event::Gained { size, .. } if size.tokens <= self.now.tokens => self.now = *size,
            Event::Changes(Changed::History { .. } | Changed::Commit { .. }) => {
                self.doing = "testing commits";
                self.turn_to(None, now);
            }
            Event::Changes(_) => self.doing = "narrowing the change",
            _ => {}
        }
        while self.recent.front().is_some_and(|first| now.duration_since(*first) > RECENT) {
            self.recent.pop_front();
        }
        self.reached = self.reached.max(self.fraction());
    }

    fn turn_to(&mut self, trying: Option<Trying>, now: Instant) {
        (self.since, self.trying) = (now, trying);
    }

    /// What is done, in words.
    pub(crate) fn doing(&self) -> String {
        match self.proof {
            Some((done, all)) => format!("{}, {done} of {all}", self.doing),
            None => self.doing.to_owned(),
        }
    }

    /// How far the run is, from 0 to less than 1. It never goes back.
    pub(crate) fn reached(&self) -> f64 {
        self.reached.min(MOST)
    }

    /// How far the run is, in words: an estimate. None where nobody knows.
    pub(crate) fn share(&self) -> Option<String> {
        (self.reached > 0.0).then(|| format!("~{:.0} %", self.reached() * 100.0))
    }

    /// How far the reduction is, by its proof exactly.
    fn fraction(&self) -> f64 {
        let own = match self.proof {
            Some((done, all)) => BEFORE_PROOF + (1.0 - BEFORE_PROOF) * done as f64 / all.max(1) as f64,
            None => self.estimate() * BEFORE_PROOF,
        };
        self.span[0] + own * (self.span[1] - self.span[0])
    }

    /// How far the passes before the proof are: by what is left, as most results have some 30 tokens, and by the checks, as most runs
    /// take some 15 times the logarithm of the size. The geometric mean of both.
    ///
    /// Measured on 11 programs of `corpus/`, of 850 to 9365 tokens, with rustc 1.95.0: after a quarter of the time before the proof it is
    /// 0.15 to 0.48, after half of it 0.30 to 0.73, and after three quarters 0.45 to 0.87; the medians are 0.25, 0.44 and 0.64.
    fn estimate(&self) -> f64 {
        const RESULT: f64 = 30.0;
        const CHECKS: f64 = 15.0;
        let [before, now] = [self.before, self.now].map(|size| (size.tokens as f64).max(1.0).ln());
        let smaller = (before - now) / (before - RESULT.ln()).max(1.0);
        let checked = self.checks as f64 / (CHECKS * before.max(1.0));
        (smaller.clamp(0.0, 1.0) * checked.min(1.0)).sqrt()
    }

    /// Checks a second, of late.
    pub(crate) fn rate(&self, now: Instant) -> f64 {
        let recent = self.recent.iter().filter(|end| now.duration_since(**end) <= RECENT).count();
        recent as f64 / now.duration_since(self.begun).min(RECENT).as_secs_f64().max(1.0)
    }

    /// How long the run has taken.
    pub(crate) fn elapsed(&self, now: Instant) -> Duration {
        now.duration_since(self.begun)
    }

    /// What is left of the budget, if there is one.
    pub(crate) fn left(&self, now: Instant) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(now))
    }

    /// What is waited for if it takes long, and since when.
    pub(crate) fn waiting(&self, now: Instant) -> Option<(String, Duration)> {
        let waited = now.duration_since(self.since);
        let what = match &self.trying {
            Some(Trying { base, start, changes }) => {
                let (file, above) = base.place(*start);
                let (file, line) = (file.display(), above.matches('\n').count() + 1);
                if *changes == 1 {
                    format!("a check of a change at {file}:{line} runs")
                } else {
                    format!("a check of {changes} changes from {file}:{line} on runs")
                }
            }
            None if self.checks == 0 => "the first check runs".to_owned(),
            None => "a check runs".to_owned(),
        };
        (waited >= LONG).then_some((what, waited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_dd::outcome::Outcome;
    use mcve_reduce::event::Stage;

    fn size(tokens: usize) -> Size {
        Size { tokens, bytes: 5 * tokens, lines: tokens / 5 }
    }

    fn baseline(tokens: usize) -> Event {
        let (program, failure) = (Program::new("a.rs", ""), "x".to_owned());
        Event::Baseline { failure, fingerprint: None, shown: Vec::new(), size: size(tokens), unit: "tokens", program }
    }

    fn gained(tokens: usize) -> Event {
        Event::Gained { steps: Vec::new(), size: size(tokens), checks: 0, program: Program::new("a.rs", "") }
    }

    fn checked() -> Event {
        Event::Checked { outcome: Outcome::Pass, reason: String::new(), seconds: 0.1 }
    }

    /// A run with these events, a second after another, and when it is the next second.
    fn after(events: &[Event]) -> (Progress, Instant) {
        let begun = Instant::now();
        let mut progress = Progress::begin(begun, None);
        let mut reached = 0.0;
        for (event, second) in events.iter().zip(1..) {
            progress.follow(event, begun + Duration::from_secs(second));
            assert!(progress.reached() >= reached && progress.reached() < 1.0, "{event:?}");
            reached = progress.reached();
        }
        (progress, begun + Duration::from_secs(events.len() as u64 + 1))
    }

    #[test]
    fn before_the_first_answer_nobody_knows_how_far_it_is() {
        let (progress, now) = after(&[]);
        assert_eq!((&*progress.doing(), progress.share(), progress.rate(now)), ("checking that it fails", None, 0.0));
        assert_eq!(progress.waiting(now), None);
        let later = now + Duration::from_secs(60);
        assert_eq!(progress.waiting(later), Some(("the first check runs".to_owned(), Duration::from_secs(61))));
    }

    #[test]
    fn the_proof_counts_and_the_bar_never_goes_back() {
        let proving = |done, all| Event::Proving { done, all };
        let (pass, doing) = (minimality::NAME, "proving");
        let events = [baseline(3000), gained(40), checked(), Event::PassStarted { pass, doing }, proving(41, 130)];
        let (progress, _) = after(&events);
        assert_eq!((&*progress.doing(), progress.share().as_deref()), ("proving, 41 of 130", Some("~93 %")));
        // A gain, and it begins again; then it ends.
        let end = Event::PassEnded { pass, size: size(30), checks: 9 };
        let more = [&events[..], &[proving(100, 130), gained(30), proving(0, 90), proving(90, 90), end]].concat();
        let (progress, _) = after(&more);
        assert_eq!((&*progress.doing(), progress.share().as_deref()), ("finishing the result", Some("~99 %")));
    }

    #[test]
    fn a_search_that_goes_on_and_a_program_that_is_small_are_farther() {
        let reached = |tokens, checks| {
            let checks = std::iter::repeat_n(checked(), checks);
            after(&[baseline(3000), gained(tokens)].into_iter().chain(checks).collect::<Vec<_>>()).0.reached()
        };
        assert!(reached(500, 20) < reached(100, 20) && reached(100, 20) < reached(100, 60));
        assert!(reached(1, 10_000) <= BEFORE_PROOF);
        assert_eq!(reached(3000, 1000), 0.0, "nothing is smaller");
    }

    #[test]
    fn each_stage_of_a_package_takes_a_half_of_what_is_left() {
        let begins = |stage| Event::StageStarted { stage, dependencies: Vec::new() };
        let proved = Event::Proving { done: 9, all: 9 };
        let events = [begins(Stage::Crate), baseline(3000), proved.clone()];
        assert_eq!(after(&events).0.reached(), 0.5);
        let events = [&events[..], &[begins(Stage::Expansion), proved]].concat();
        assert_eq!(after(&events).0.reached(), 0.75);
    }

    #[test]
    fn a_check_that_takes_long_is_told_with_its_change() {
        let trying = |changes| Event::Trying { base: Program::new("a.rs", "one\ntwo\nthree"), start: 8, changes };
        let (progress, now) = after(&[baseline(3000), checked(), trying(40)]);
        assert_eq!(progress.waiting(now), None);
        let later = now + Duration::from_secs(90);
        let (words, waited) = progress.waiting(later).expect("it is long");
        assert_eq!((&*words, waited.as_secs()), ("a check of 40 changes from a.rs:3 on runs", 91));
        assert_eq!(progress.rate(now), 0.25);
        assert_eq!(progress.rate(later), 0.0);
        let (progress, now) = after(&[baseline(3000), trying(1)]);
        assert_eq!(progress.waiting(now + LONG).expect("it is long").0, "a check of a change at a.rs:3 runs");
    }

    #[test]
    fn what_is_left_of_the_budget_is_told() {
        let now = Instant::now();
        let progress = Progress::begin(now, Some(now + Duration::from_secs(60)));
        assert_eq!(progress.left(now + Duration::from_secs(20)), Some(Duration::from_secs(40)));
        assert_eq!(progress.left(now + Duration::from_secs(90)), Some(Duration::ZERO));
    }
}
