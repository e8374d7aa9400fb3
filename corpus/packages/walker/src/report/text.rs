//! Pieces of text.

/// A cell of the map; the way goes over it or not.
pub fn cell(height: u8, is_on_way: bool) -> String {
    if is_on_way { "*".to_owned() } else { height.to_string() }
}

/// So many of something, in words.
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
