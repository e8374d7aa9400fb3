//! Catches panics of libraries: their messages are not printed, and their results are missing.

use std::cell::Cell;
use std::panic::{self, UnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// The value that `work` returns; none if it panics, without printing anything.
pub(crate) fn catch<T>(work: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                usual(info);
            }
        }));
    });
    let before = IS_QUIET.replace(true);
    let done = panic::catch_unwind(work).ok();
    IS_QUIET.set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_no_value() {
        assert_eq!(catch(|| 1), Some(1));
        assert_eq!(catch(|| -> u8 { panic!("nobody reads this") }), None);
        assert_eq!(catch(|| catch(|| -> u8 { panic!("nor this") })), Some(None));
        assert!(!IS_QUIET.get());
    }
}
