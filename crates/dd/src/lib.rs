//! Delta debugging over indices. Independent of Rust programs and processes.
//!
//! [`Debugger`](debugger::Debugger) is the entry point for any sequence with a closure: it minimises, maximises and
//! isolates. Below it, an [`Algorithm`](algorithm::Algorithm) shrinks a [`KeepList`](keep_list::KeepList) by asking a
//! [`Tester`](tester::Tester).
//!
//! | algorithm | use it when | tests |
//! | --- | --- | --- |
//! | [`ddmin`](ddmin::ddmin) | many elements can probably be removed together | `O(n log n)` typically, `O(n²)` at worst |
//! | [`binary_reduction`](binary_reduction::binary_reduction) | the dependencies between elements are known | `log2 n + 2` for each root element needed |
//! | [`ddmin`](ddmin::ddmin) over [`Closed`](closed::Closed) | likewise, and more than a few are needed | as ddmin |
//! | [`groups`](groups::groups) | likely removable groups are known, and another algorithm handles the rest | at most `1 + 7 g` for `g` groups |
//! | [`one_by_one`](one_by_one::one_by_one) | few can be removed, and the result has to be 1-minimal | `n` |
//! | [`iterative_ddmin`](iterative::iterative_ddmin), [`even_ddmin`](iterative::even_ddmin) | comparing a run with a textbook | `k log n` typically, `O(n²)` at worst |
//! | [`by_fragments`](fragments::by_fragments) | many elements can be removed, all over the list, and the result has to be 1-minimal | `2n` typically, `O(n²)` at worst |
//! | [`by_fragments_once`](fragments::by_fragments_once) | tests are slow and the result need not be 1-minimal | less than `2n + log2 n` |
//! | [`recursive_ddmin`](recursive::recursive_ddmin) | a part may fail alone though it does not with one more element | `k log² n` typically, `O(n²)` at worst |
//! | [`dd`](general::dd) with [`Minimise`](general::Mode::Minimise) | as iterative ddmin, with the work spread over the list | `k log n` typically, `O(n²)` at worst |
//! | [`dd`](general::dd) with [`Maximise`](general::Mode::Maximise) | finding as much as possible that passes | likewise |
//! | [`dd`](general::dd) with [`Isolate`](general::Mode::Isolate) | a difference explains more than a minimum, or tests are expensive | `2 log2 n` at best, `O(n²)` at worst |
//! | [`isolate`](isolating::isolate) | likewise, and many lists are unresolved | `log2 n + 2` at best, `O(n²)` at worst |
//! | [`with_context`](with_context::with_context) | few are needed and the outcome is monotonic | `2 k log2 (n / k)`, at most `2n` |
//! | [`cdd`](cdd::cdd) | needed elements are all over the list, about one in ten | `n / 9` to `2.2n + 5` |
//! | [`probdd`](probdd::probdd) | likewise, with sequential tests that learn about each element | `n / 9` to about `2n` |
//! | [`hdd`](hdd::hdd) with another of these | the elements form a tree, and are removed with their parents | those of the other for each level |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) | there is a derivation, and few of its parts are needed | a few a level typically, `O(n²)` at worst |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) depth by depth | likewise, and symbols of a kind are deeply nested | likewise, with large parts first |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) that is generating | needed parts may be generated | one more for each node |
//! | [`tree_reduction`](tree_reduction::tree_reduction), [`repeated_tree_reduction`](tree_reduction::repeated_tree_reduction) | there is a derivation, and it has long lists | those of ddmin for each level, and one for each subtree of the same kind |

pub mod algorithm;
pub mod arguments;
pub mod binary_reduction;
pub mod cdd;
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
pub mod isolating;
pub mod iterative;
pub mod keep_list;
pub mod one_by_one;
pub mod outcome;
pub mod precondition;
pub mod probdd;
pub mod random;
pub mod recursive;
pub mod same_panic;
pub mod tester;
pub mod tree_reduction;
pub mod trees;
pub mod with_context;
