//! Ends work that is no longer needed: the caller of the work passes a function that is called every thousand steps.
//!
//! Halted work is unwound up to [`until`], so that no transform has to know of it. Nothing of it is kept.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// So many nodes or edits are looked at before it is asked again.
const STEPS: u32 = 1 << 10;

/// Whether to halt.
pub type Halt = Rc<dyn Fn() -> bool>;

/// Work was halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halted;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(0) };
    static HALT: RefCell<Option<Halt>> = const { RefCell::new(None) };
}

/// Does `work` on this thread, or as much of it as there is time for until `halt` says so.
///
/// # Errors
/// When it was halted. What `work` was about to change may be half done.
pub fn until<T>(halt: Halt, work: impl FnOnce() -> T) -> Result<T, Halted> {
    let before = HALT.replace(Some(halt));
    let done = catch_unwind(AssertUnwindSafe(work));
    HALT.set(before);
    done.map_err(|panic| if panic.is::<Halted>() { Halted } else { resume_unwind(panic) })
}

/// Takes a step of work that may take long.
pub(crate) fn step() {
    let left = LEFT.get();
    if left > 0 {
        LEFT.set(left - 1);
        return;
    }
    LEFT.set(STEPS);
    let halt = HALT.with_borrow(Clone::clone);
    if halt.is_some_and(|halt| halt()) {
        resume_unwind(Box::new(Halted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analysis, Dependencies, Source, Tree, enumerate, transforms};

    /// How many transforms were asked for what they propose for a program before that was halted, if it was.
    fn asked(halt: Halt) -> (usize, Result<(), Halted>) {
        let source = Source::parse("fn f() { g(1 + 2, 3); }".repeat(50));
        let mut asked = 0;
        let done = until(halt, || {
            let tree = Tree::new(&source);
            let names = Analysis::of(&tree);
            transforms().for_each(|transform| {
                asked += usize::from(enumerate(&names, transform).len() < 1_000_000);
            });
        });
        (asked, done)
    }

    #[test]
    fn work_ends_when_nobody_waits_for_it() {
        let (count, done) = asked(Rc::new(|| true));
        assert_eq!((count < 5, done), (true, Err(Halted)), "{count}");
        let calls = Rc::new(Cell::new(0));
        let counted = Rc::clone(&calls);
        let later = Rc::new(move || counted.replace(counted.get() + 1) == 20);
        let (later, done) = asked(later);
        assert_eq!((later > count, later < transforms().count(), done), (true, true, Err(Halted)), "{later}");
    }

    #[test]
    fn resolving_names_can_be_halted_at_each_step() {
        let module =
            |number: usize| format!("mod m{number} {{ use super::m{}::*; fn f{number}() {{}} }}\n", number + 1);
        let source = Source::parse((0..300).map(module).collect::<String>());
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let sites: Vec<_> = names.items().all.iter().map(|item| item.node.range()).collect();
        let calls = Rc::new(Cell::new(0));
        let counted = Rc::clone(&calls);
        LEFT.set(0);
        let count = Rc::new(move || counted.replace(counted.get() + 1) == usize::MAX);
        assert!(until(count, || Dependencies::of(&Analysis::of(&tree), &sites)).is_ok());
        // It can be halted at any of these places.
        for after in 0..calls.get() {
            let left = Cell::new(after);
            let halt: Halt = Rc::new(move || left.replace(left.get().saturating_sub(1)) == 0);
            LEFT.set(0);
            let halted = until(halt, || Dependencies::of(&Analysis::of(&tree), &sites));
            assert!(halted.is_err(), "{after} of {}", calls.get());
        }
        assert!(calls.get() > 5, "{}", calls.get());
    }

    #[test]
    fn work_that_is_waited_for_is_done() {
        assert_eq!(asked(Rc::new(|| false)), (transforms().count(), Ok(())));
    }

    #[test]
    fn what_is_halted_inside_leaves_what_is_around() {
        let outer = until(Rc::new(|| false), || (asked(Rc::new(|| true)).1, asked(Rc::new(|| false)).1));
        assert_eq!(outer, Ok((Err(Halted), Ok(()))));
    }
}
