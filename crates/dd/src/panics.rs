//! Catches panics with their message and place, without printing them.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

/// The properties that distinguish panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    cause: Cause,
    /// File, line and column, if the hook that this module installs was called.
    place: Option<(String, u32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Message(String),
    Payload(TypeId),
}

impl Panic {
    /// The message, or that there is none.
    pub fn message(&self) -> String {
        match &self.cause {
            Cause::Message(message) => message.clone(),
            Cause::Payload(_) => "a panic without a message".to_owned(),
        }
    }
}

/// What a thread does with its panics.
enum Watch {
    /// As the hook before this one.
    Off,
    /// Keeps the place of the last.
    On(Option<(String, u32, u32)>),
}

thread_local! {
    static WATCH: RefCell<Watch> = const { RefCell::new(Watch::Off) };
}

/// The result of `function`, or its panic. The panic is not printed, unless the program sets another panic hook after the
/// first call of this function; then its place is unknown. Only later calls of the function can see state that it leaves
/// broken.
pub fn caught<R>(function: impl FnOnce() -> R) -> Result<R, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_watched(info) {
                before(info);
            }
        }));
    });
    let outer = WATCH.replace(Watch::On(None));
    let result = catch_unwind(AssertUnwindSafe(function));
    let Watch::On(place) = WATCH.replace(outer) else { unreachable!("calls are nested") };
    result.map_err(|payload| {
        let message = payload.downcast_ref::<String>().cloned();
        let message = message.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        let cause = message.map_or_else(|| Cause::Payload(Any::type_id(&*payload)), Cause::Message);
        Panic { cause, place }
    })
}

/// Whether this thread is watched; keeps the place if so.
fn is_watched(info: &PanicHookInfo<'_>) -> bool {
    WATCH.with_borrow_mut(|watch| match watch {
        Watch::Off => false,
        Watch::On(place) => {
            *place = info.location().map(|at| (at.file().to_owned(), at.line(), at.column()));
            true
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_no_value() {
        assert_eq!(caught(|| 1).ok(), Some(1));
        assert_eq!(caught(|| -> u8 { panic!("nobody reads this") }).ok(), None);
        assert_eq!(caught(|| caught(|| -> u8 { panic!("nor this") }).ok()).ok(), Some(None));
        assert!(WATCH.with_borrow(|watch| matches!(watch, Watch::Off)));
    }
}
