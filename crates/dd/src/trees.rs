//! Reduces derivations with a closure over their texts as the test.

use std::convert::Infallible;

use super::debugger::Debugger;
use super::outcome::{Outcome, Report};
use super::precondition::Precondition;
use crate::grammar::derivation::Derivation;

/// Tests whether a derivation still fails, or returns an error if no more verdicts are possible.
pub type TestTree<'a, E> = dyn FnMut(&Derivation) -> Result<Outcome, E> + 'a;

impl<T: FnMut(&String) -> R, R: Into<Report>> Debugger<String, T> {
    /// The result of `algorithm` on `tree`, whose text has to fail. No text is tested twice. The input that the debugger
    /// was created with is not used.
    ///
    /// ```
    /// use mcve_dd::grammar::earley::Earley;
    /// use mcve_dd::grammar::productions::Grammar;
    /// use mcve_dd::{Debugger, GrammarReducer, Outcome};
    ///
    /// let grammar = Grammar::new(&[("<start>", &["<list>"]), ("<list>", &["[<list>,<list>]", "[]"])])?;
    /// let tree = Earley::new(&grammar).parse("[[],[[[],[]],[]]]").expect("it is a list").tree;
    /// // Lists that contain lists nested twice fail.
    /// let test = |text: &String| Outcome::fail_if(text.contains("[[["));
    /// let mut debugger = Debugger::new(tree.text(), test);
    /// let left = debugger.minimise_tree(&tree, |tree, test| GrammarReducer::new(&grammar).reduce(tree, test))?;
    /// assert_eq!((left.text().as_str(), debugger.tests()), ("[[[],[]],[]]", 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFailing`](Precondition::NotFailing) or [`Unresolved`](Precondition::Unresolved) when the text of `tree`
    /// passes or is unresolved.
    pub fn minimise_tree(
        &mut self,
        tree: &Derivation,
        algorithm: impl FnOnce(Derivation, &mut TestTree<'_, Infallible>) -> Result<Derivation, Infallible>,
    ) -> Result<Derivation, Precondition> {
        match self.outcome(&tree.text(), &[]) {
            Outcome::Fail => {}
            Outcome::Pass => return Err(Precondition::NotFailing),
            Outcome::Unresolved => return Err(Precondition::Unresolved),
        }
        let Ok(left) = algorithm(tree.clone(), &mut |candidate| Ok(self.outcome(&candidate.text(), &[])));
        Ok(left)
    }
}
