//! Delta debugging over indices. Knows neither Rust nor processes.
//!
//! | algorithm | use it when | tests |
//! | --- | --- | --- |
//! | [`ddmin`](ddmin::ddmin) | many of the elements are likely to go together | `O(n log n)` typically, `O(n²)` at worst |
//! | [`binary_reduction`](binary_reduction::binary_reduction) | it is known what elements need of each other | `log2 n + 2` an element that is needed for itself |
//! | [`ddmin`](ddmin::ddmin) over [`Closed`](closed::Closed) | the same, and more than a few are needed | as ddmin |
//! | [`groups`](groups::groups) | it is likely which elements go together, and what does not go is tried elsewhere | `1 + 7 g` for `g` groups at most |
//! | [`one_by_one`](one_by_one::one_by_one) | few will go, and 1-minimality is to be shown | `n` |

pub mod binary_reduction;
pub mod closed;
pub mod ddmin;
pub mod groups;
pub mod keep_list;
pub mod one_by_one;
pub mod outcome;
pub mod tester;
