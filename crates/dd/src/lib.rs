//! Delta debugging over indices. Knows neither Rust nor processes.
//!
//! [`Debugger`](debugger::Debugger) is the way in for any sequence and a closure: it minimises, maximises and isolates.
//! Below it an [`Algorithm`](algorithm::Algorithm) shrinks a [`KeepList`](keep_list::KeepList) by asking a [`Tester`](tester::Tester).
//!
//! | algorithm | use it when | tests |
//! | --- | --- | --- |
//! | [`ddmin`](ddmin::ddmin) | many of the elements are likely to go together | `O(n log n)` typically, `O(n²)` at worst |
//! | [`binary_reduction`](binary_reduction::binary_reduction) | it is known what elements need of each other | `log2 n + 2` an element that is needed for itself |
//! | [`ddmin`](ddmin::ddmin) over [`Closed`](closed::Closed) | the same, and more than a few are needed | as ddmin |
//! | [`groups`](groups::groups) | it is likely which elements go together, and what does not go is tried elsewhere | `1 + 7 g` for `g` groups at most |
//! | [`one_by_one`](one_by_one::one_by_one) | few will go, and 1-minimality is to be shown | `n` |
//! | [`iterative_ddmin`](iterative::iterative_ddmin), [`even_ddmin`](iterative::even_ddmin) | a run is to be compared with a textbook's | `k log n` typically, `O(n²)` at worst |
//! | [`by_fragments`](fragments::by_fragments) | many elements go, all over the list, and the result is to be 1-minimal | `2n` typically, `O(n²)` at worst |
//! | [`by_fragments_once`](fragments::by_fragments_once) | tests are slow and the result need not be 1-minimal | less than `2n + log2 n` |
//! | [`recursive_ddmin`](recursive::recursive_ddmin) | a part may fail alone though it does not with one more | `k log² n` typically, `O(n²)` at worst |
//! | [`dd`](general::dd) with [`Minimise`](general::Mode::Minimise) | as iterative ddmin, with the work spread over the list | `k log n` typically, `O(n²)` at worst |
//! | [`dd`](general::dd) with [`Maximise`](general::Mode::Maximise) | as much as possible is to stay without the failure | the same |
//! | [`dd`](general::dd) with [`Isolate`](general::Mode::Isolate) | the difference between passing and failing says more than a minimum, or tests are dear | `2 log2 n` at best, `O(n²)` at worst |
//! | [`isolate`](isolating::isolate) | the same, and many lists are unresolved | `log2 n + 2` at best, `O(n²)` at worst |
//! | [`with_context`](with_context::with_context) | few are needed and what fails also fails with more around it | `2 k log2 (n / k)`, at most `2n` |
//! | [`cdd`](cdd::cdd) | what is needed stands all over the list, about one in ten | `n / 9` to `2.2n + 5` |
//! | [`probdd`](probdd::probdd) | the same, with tests one after the other and what was learned of each element in use | `n / 9` to about `2n` |
//! | [`hdd`](hdd::hdd) with another of these | the elements are a tree, and go with what they stand below | those of the other for each level |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) | there is a derivation, and few of its parts are needed | a few a level typically, `O(n²)` at worst |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) depth by depth | the same, and many symbols of a kind stand below each other | the same, with large parts first |
//! | [`GrammarReducer`](grammar_reducer::GrammarReducer) that is generating | what is needed need not come from the input | one more for each node |
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
