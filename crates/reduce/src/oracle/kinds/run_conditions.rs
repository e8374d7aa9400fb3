//! Conditions of a program that fails when it is run. They keep the cause and the place of its failure.

use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Ended, FILE, Name, Probes, Seen, Source, Tree, byte_of, tokens};

use crate::exec::job::{Answer, Job, JobResult};
use crate::oracle::run::Runner;
use crate::oracle::{Condition, Oracle, Properties};
use crate::program::{Change, Program};
use mcve_dd::outcome::Outcome;

/// No value is another one on the way to the failure, and no other code runs, which keeps the reason of the failure.
#[derive(Clone)]
pub(crate) struct SameValues {
    pub(crate) runner: Runner,
    /// What runs show of the unreduced program, or of the one whose data were reduced.
    pub(crate) seen: Seen,
    /// Whether the data may differ, so that of each value only its variant counts.
    pub(crate) has_other_data: bool,
    /// Its text.
    pub(crate) input: Arc<str>,
    /// The blocks around its failure that are begun more than once, if that has to stay for one of them: it does not fail at once.
    pub(crate) repeated: Vec<Name>,
    /// Whether a change is known that shows the cause. Else what decides in the run has to stay.
    pub(crate) has_cause: bool,
}

impl SameValues {
    /// The token of the unreduced program that a probe of this name is for.
    fn token(&self, name: usize) -> &str {
        let token = tokens(&self.input).into_iter().find(|token| token.range.contains(&byte_of(name)));
        token.map_or("", |token| &self.input[token.range])
    }
}

impl Condition for SameValues {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let origin = |byte| program.origin_of(byte).map(|from| from.start);
        let mut probes = Probes::of(&tree).and_blocks().called(origin, Some(&self.seen));
        Ok(Job { answer: Some(Answer::NamedBy(FILE.into())), ..self.runner.job(&program.with_text(probes.program())) })
    }

    fn broken(&self, result: &JobResult, first: &JobResult) -> Option<String> {
        if result.failed_step.is_some() {
            return Some("its values cannot be looked at".to_owned());
        }
        let reported = String::from_utf8_lossy(&result.stdout);
        let reported = Seen::of_run(&reported);
        if self.has_other_data {
            let reported = reported.shapes();
            let is_left =
                |byte| first.subject.as_ref().is_some_and(|program| program.has_token(|from| from.contains(&byte)));
            let new = self.seen.new_in(&reported).map(|(name, _)| name);
            let name = new.or_else(|| self.seen.lost_in(&reported, !self.has_cause, is_left))?;
            return Some(format!("with other data `{}` gives something else", self.token(name)));
        }
        if !self.repeated.is_empty() && !self.repeated.iter().any(|name| reported.is_repeated(*name)) {
            return Some("fails at the first attempt".to_owned());
        }
        let (name, value) = self.seen.new_in(&reported)?;
        Some(match value {
            Some(value) => format!("`{}` gives another value: `{value}`", self.token(name)),
            None => "code runs that did not run before".to_owned(),
        })
    }

    fn properties(&self) -> Properties {
        Properties { holds_values: true, holds_decisions: !self.has_cause, ..Properties::default() }
    }

    fn of_data(&self, seen: Option<&Seen>) -> Option<Arc<dyn Condition>> {
        let (seen, has_other_data) = match seen {
            Some(seen) => (seen.clone(), false),
            None => (self.seen.clone().shapes(), true),
        };
        // Of other data the first may fail.
        let repeated = if has_other_data { Vec::new() } else { self.repeated.clone() };
        Some(Arc::new(Self { seen, has_other_data, repeated, ..self.clone() }))
    }
}

/// The run ends by a statement of the unreduced program, which keeps the place of a failure that names none.
pub(crate) struct EndsAt {
    pub(crate) runner: Runner,
    /// The statement that begins last.
    pub(crate) last: Range<usize>,
    /// The statement that begins last before another function ends the run, if one does.
    pub(crate) before: Option<Range<usize>>,
}

impl Condition for EndsAt {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        let source = Source::parse(&*program.text);
        let origin = |byte| program.origin_of(byte).map(|from| from.start);
        let text = Ended::program(&Tree::new(&source), origin).ok_or("no statement is run")?;
        Ok(Job { answer: Some(Answer::NamedBy(FILE.into())), ..self.runner.job(&program.with_text(text)) })
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        // A new statement may be anything that took the place of the old one.
        let ended = Ended::read(&String::from_utf8_lossy(&result.stdout))?;
        let is_there = self.last.contains(&ended.last);
        let was_before = self.before.as_ref().zip(ended.before).is_none_or(|(before, byte)| before.contains(&byte));
        (!is_there || !was_before).then(|| "another statement ends the run".to_owned())
    }
}

/// The program no longer fails once a change is applied to it, which keeps its cause.
pub(crate) struct PassesChanged {
    /// The change of the input with which it passes.
    pub(crate) change: Change,
    /// What decides about the code that is changed: of each branch and pattern around it, one of these tokens of the input has to stay.
    pub(crate) decisions: Vec<Vec<Range<usize>>>,
    pub(crate) oracle: Arc<dyn Oracle>,
}

impl Condition for PassesChanged {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        if !self.decisions.iter().all(|decision| program.has_token(|from| decision.contains(from))) {
            return Err("what decides about the cause is gone".to_owned());
        }
        let changed = self.changed(program).ok_or("the cause is gone")?;
        Ok(self.oracle.job(&changed))
    }

    fn broken(&self, result: &JobResult, _: &JobResult) -> Option<String> {
        (self.oracle.verdict(result).outcome != Outcome::Pass).then(|| "does not pass with the change".to_owned())
    }

    fn properties(&self) -> Properties {
        let runs_candidates = self.oracle.properties().runs_candidates;
        // A value that is put in the place of its computation hides the cause.
        Properties { runs_candidates, holds_values: runs_candidates, ..Properties::default() }
    }

    fn changed(&self, program: &Program) -> Option<Program> {
        self.change.apply(program)
    }
}
