//! The grammars that mcve brings along.

/// Their names and texts, in EBNF.
pub const SHIPPED: [(&str, &str); 7] = [
    ("arithmetic", include_str!("shipped/arithmetic.ebnf")),
    ("cgi", include_str!("shipped/cgi.ebnf")),
    ("csv", include_str!("shipped/csv.ebnf")),
    ("json", include_str!("shipped/json.ebnf")),
    ("sql", include_str!("shipped/sql.ebnf")),
    ("toml", include_str!("shipped/toml.ebnf")),
    ("url", include_str!("shipped/url.ebnf")),
];

/// The text of the grammar of this name.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests;
