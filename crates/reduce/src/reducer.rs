//! The entry point for a program and a function that judges it.

use std::sync::Arc;

use mcve_transforms::{Transform, transforms};

use crate::check::baseline::{Runs, Times, baseline};
use crate::check::checks::Checks;
use crate::check::limits::{Limits, Stop};
use crate::check::refusal::Refusal;
use crate::closure::{ByClosure, Seen};
use crate::event::{Nobody, Observer};
use crate::program::Program;
use crate::search::engine::{Keep, Search};
use crate::search::passes::pipeline;
use crate::search::passes::schedule::Schedule;

/// Reduces a program as long as a function says that it fails.
///
/// ```
/// use mcve_reduce::program::Program;
/// use mcve_reduce::reducer::Reducer;
///
/// # fn main() -> Result<(), mcve_reduce::check::refusal::Refusal> {
/// let program = Program::new("a.rs", "fn unused() {}\nfn main() {\n    let list = vec![1, 2];\n    crash(list);\n}\n");
/// let smallest = Reducer::new(program).run(|text| text.contains("crash("))?;
/// assert_eq!(smallest.text.trim(), "fn main() {\n    crash()\n}");
/// # Ok(())
/// # }
/// ```
///
/// A program that only a compiler can judge is reduced by a [`Task`](crate::modes::task::Task), which finds its failure first.
pub struct Reducer<'a> {
    /// The program that fails.
    pub program: Program,
    /// The transforms to use. They may come from any crate: a pass tries those that name it.
    pub transforms: Vec<&'static Transform>,
    /// The passes, their order and their filters.
    pub schedule: Schedule,
    /// The limits that stop the search before its end.
    pub limits: Limits,
    /// The number of candidates that are checked at once. The result does not depend on it.
    pub jobs: usize,
    /// Receives the events.
    pub observer: Option<&'a mut dyn Observer>,
}

impl Reducer<'_> {
    /// Reduces `program` by all transforms, one check at a time.
    pub fn new(program: Program) -> Self {
        let (schedule, limits) = Default::default();
        Self { program, transforms: transforms().collect(), schedule, limits, jobs: 1, observer: None }
    }

    /// The smallest program for whose text `fails` is true. If the limits stop the search, the smallest so far.
    ///
    /// # Errors
    /// When `fails` is false for the program, or the system gives no threads.
    pub fn run(self, fails: impl Fn(&str) -> bool + Send + Sync + 'static) -> Result<Program, Refusal> {
        let Self { program, transforms, schedule, limits, jobs, observer } = self;
        let mut nobody = Nobody;
        let observer: &mut dyn Observer = observer.unwrap_or(&mut nobody);
        let mut checks = Checks::new(Arc::new(Seen), Arc::new(ByClosure(fails)), jobs, limits)?;
        let runs = Runs { times: Times::Measured, accept_trivial: true, ..Runs::default() };
        baseline(&mut checks, &program, runs, None, observer)?;
        let keep: &mut Keep<'_> = &mut |_| Ok(());
        let mut search = Search::new(program, transforms, checks, observer, keep).with_schedule(&schedule);
        match pipeline::run(&mut search, None, &schedule) {
            Ok(()) | Err(Stop::Budget | Stop::Interrupted) => Ok(search.best().clone()),
            Err(stop) => Err(Refusal::Stop(stop)),
        }
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Node, PassName, Proposals, Rule, Syntax};
    use syn::Item;

    use super::*;

    /// Deletes functions whose name begins with an underscore.
    static OWN: Transform = Transform {
        name: "delete-underscored",
        doc: "Delete a function that begins with an underscore.",
        passes: &[PassName::SingleItems],
        rank: u8::MAX,
        rule: Rule::Node(own),
    };

    fn own(node: Node<'_>, out: &mut Proposals<'_>) {
        if let Syntax::Item(Item::Fn(item)) = node.syntax()
            && item.sig.ident.to_string().starts_with('_')
        {
            out.delete(node.range());
        }
    }

    #[test]
    fn a_transform_of_another_crate_is_tried() {
        let program = Program::new("a.rs", "fn _a() {}\nfn b() {}\n");
        let smallest = Reducer { transforms: vec![&OWN], ..Reducer::new(program) }.run(|text| text.contains("fn"));
        assert_eq!(smallest.expect("it fails").text.trim(), "fn b() {}");
    }

    #[test]
    fn a_program_that_does_not_fail_is_refused() {
        let refused = Reducer::new(Program::new("a.rs", "fn a() {}\n")).run(|_| false);
        assert!(matches!(refused, Err(Refusal::NotFailing(..))));
    }
}
