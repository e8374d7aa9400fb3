//! Macros.

/// What lies in these directions from a place.
#[macro_export]
macro_rules! neighbours {
    ($place:expr, $directions:expr) => {
        $directions.iter().filter_map(|(columns, rows)| $place.offset(*columns, *rows))
    };
}

/// What is so many steps on.
#[macro_export]
macro_rules! advance {
    ($from:expr, $steps:expr) => {
        $crate::advance!(@by $from, $steps)
    };
    (@by $from:expr, $steps:expr) => {
        $from + $steps
    };
}
