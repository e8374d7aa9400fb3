//! Delta debugging of lists, texts and trees, for any test.
//!
//! A test says of an input whether it fails. Delta debugging looks for a small input that still fails, a large one that
//! passes, or a small difference between both.
//!
//! ```
//! use mcve_dd::{Debugger, Outcome};
//!
//! // A parser that cannot read two closing brackets in a row.
//! let test = |text: &String| Outcome::fail_if(text.contains("))"));
//! let mut debugger = Debugger::new("f(a, g(b)) + h(c)".to_owned(), test);
//! assert_eq!(debugger.minimise()?, "))"); // a smallest that fails
//! assert_eq!(debugger.maximise()?, "f(a, g(b) + h(c)"); // a largest that passes
//! assert_eq!(debugger.isolate()?.difference, ")"); // what tells a failing input from a passing one
//! # Ok::<(), mcve_dd::Precondition>(())
//! ```
//!
//! | task | take |
//! | --- | --- |
//! | minimise a text, a list, or several arguments of a function | [`Debugger::minimise`], or [`Debugger::minimise_with`]`(`[`ddmin`](ddmin::ddmin)`)` for fewer tests |
//! | minimise within a number of tests | [`Debugger::at_most`] |
//! | minimise the input of a function that panics or returns an error | [`Debugger`] with [`same_panic`] or [`same_error`] |
//! | see the tests while they run | [`Debugger::observed_by`] with [`log_to`](log::log_to); the book's own with [`arranged_by`](Debugger::arranged_by)`(`[`set_order`](set_order::set_order)`)` |
//! | find why one input fails and a part of it passes | [`Debugger::isolate`], [`Debugger::isolate_from`] |
//! | find why one of two versions fails | [`Debugger::isolate`] over the changes, as in [`difference`] |
//! | find the largest part that passes | [`Debugger::maximise`] |
//! | minimise a text with a grammar | [`Debugger::minimise_tree`] with [`GrammarReducer`] or [`tree_reduction`](tree_reduction::tree_reduction) |
//! | minimise a tree of your own | [`hdd`](hdd::hdd) over the parents of its nodes, or [`GrammarReducer`] over a [`Derivation`](grammar::derivation::Derivation) |
//! | minimise elements that need others | [`binary_reduction`](binary_reduction::binary_reduction), or [`ddmin`](ddmin::ddmin) over [`Closed`] |
//! | minimise with a test that returns errors, or runs in parallel | an algorithm below with a [`Tester`] |
//!
//! [`Debugger`] takes sequences and a closure. Below it, each algorithm shortens a [`KeepList`], the indices that are
//! kept, by asking a [`Tester`], which may be a closure as well. Those that shrink a list are of one type, [`Shrink`]. In
//! this table, `n` is the number of elements and `k` the number of needed ones.
//!
//! | algorithm | use it when | tests |
//! | --- | --- | --- |
//! | [`ddmin`](ddmin::ddmin) | many elements can probably be removed together | `k log n` typically, at most `2n` |
//! | [`binary_reduction`](binary_reduction::binary_reduction) | the dependencies between elements are known | at most `⌈log2 n⌉ + 2` for each root element needed |
//! | [`ddmin`](ddmin::ddmin) over [`Closed`] | likewise, and more than a few are needed | as ddmin |
//! | [`groups`](groups::groups) | likely removable groups are known, and another algorithm handles the rest | at most `1 + 7 g` for `g` groups |
//! | [`levels`](levels::levels) | elements are levels of nested parts, of which a number may be needed, whichever these are | 1, or `2 log2 n + k log n` and a few for each chain |
//! | [`one_by_one`](one_by_one::one_by_one) | few can be removed, and the result has to be 1-minimal | `n` at best, `O(n²)` at worst |
//! | [`iterative_ddmin`], [`even_ddmin`] | comparing a run with a textbook | `k log n` typically, `O(n²)` at worst |
//! | [`by_fragments`] | many elements can be removed, all over the list, and the result has to be 1-minimal | `2n` typically, `O(n²)` at worst |
//! | [`by_fragments_once`] | tests are slow and the result need not be 1-minimal | less than `2n + log2 n` |
//! | [`recursive_ddmin`] | a part may fail alone though it does not with one more element | `k log² n` typically, `O(n²)` at worst |
//! | [`dd`] with [`Minimise`](Mode::Minimise) | as iterative ddmin, with the work spread over the list | `k log n` typically, `O(n²)` at worst |
//! | [`dd`] with [`Maximise`](Mode::Maximise) | finding as much as possible that passes | likewise |
//! | [`dd`] with [`Isolate`](Mode::Isolate) | comparing a run with a textbook | `2 ⌈log2 n⌉ + 2` if all is resolved, `O(n²)` at worst |
//! | [`isolate`] | a difference explains more than a minimum, or tests are expensive | `⌈log2 n⌉ + 2` if all is resolved, `O(n²)` at worst |
//! | [`with_context`](with_context::with_context) | few are needed and the outcome is monotonic | `2 k log2 (n / k)`, at most `2n` |
//! | [`hdd`](hdd::hdd) with another of these | the elements form a tree, and are removed with their parents | those of the other for each level |
//! | [`hdd_tree`] with another of these | there is a derivation, and its shape has to stay | those of the other for each level |
//! | [`GrammarReducer`] | there is a derivation, and few of its parts are needed | a few a level typically, `O(n²)` at worst |
//! | [`GrammarReducer`] depth by depth | likewise, and symbols of a kind are deeply nested | likewise, with large parts first |
//! | [`GrammarReducer`] that is generating | needed parts may be generated | one more for each node |
//! | [`chains`](chains::chains) | symbols are nested in themselves, as in brackets and in lists by recursion | those of ddmin for each chain |
//! | [`by_symbol`](by_symbol::by_symbol) | blanks are many, or names have to agree | at most one for each symbol |
//! | [`tree_reduction`](tree_reduction::tree_reduction), [`repeated_tree_reduction`] | there is a derivation, and it has long lists | those of ddmin for each level, and one for each subtree of the same kind |

pub mod arguments;
pub mod binary_reduction;
pub mod bisection;
pub mod by_symbol;
pub mod chains;
pub mod closed;
pub mod ddmin;
pub mod debugger;
pub mod difference;
pub mod fragments;
pub mod general;
pub mod grammar;
pub mod grammar_reducer;
pub mod groups;
pub mod hdd;
pub mod hdd_trees;
pub mod isolating;
pub mod iterative;
pub mod keep_list;
pub mod levels;
pub mod log;
pub mod one_by_one;
pub mod outcome;
pub mod panics;
pub mod precondition;
pub mod random;
pub mod recursive;
pub mod same_failure;
pub mod sequence;
pub mod set_order;
pub mod tester;
pub mod tree_reduction;
pub mod trees;
pub mod with_context;

pub use binary_reduction::binary_reduction;
pub use closed::Closed;
pub use ddmin::ddmin;
pub use debugger::{Debugger, Isolated};
pub use difference::Difference;
pub use fragments::{by_fragments, by_fragments_once};
pub use general::{Mode, dd};
pub use grammar_reducer::GrammarReducer;
pub use groups::groups;
pub use hdd::hdd;
pub use hdd_trees::hdd_tree;
pub use isolating::isolate;
pub use iterative::{even_ddmin, iterative_ddmin};
pub use keep_list::KeepList;
pub use levels::levels;
pub use one_by_one::one_by_one;
pub use outcome::{Outcome, Report};
pub use precondition::{Precondition, Stopped};
pub use recursive::recursive_ddmin;
pub use same_failure::{same_error, same_panic};
pub use sequence::Fixed;
pub use set_order::set_order;
pub use tester::{Shrink, Step, Tester};
pub use tree_reduction::{repeated_tree_reduction, tree_reduction};
pub use with_context::with_context;
