//! Assertions about strings, of which one does not tell enough.

/// Whether a character begins or ends a quotation.
fn is_quote(c: char) -> bool { c == '"' || c == '\'' }

/// Whether a character begins or ends a tag.
fn is_bracket(c: char) -> bool { c == '<' || c == '>' }

/// Whether both are the same.
fn is_pair(open: char, close: char) -> bool { open == close && open != ' ' }

/// The text without its markup, not quite.
fn remove_html_markup(s: &str) -> String {
    let mut tag = false;
    let mut quote = false;
    let mut out = String::new();

    for c in s.chars() {
        if c == '<' && !quote {
            tag = true;
        } else if c == '>' && !quote {
            tag = false;
        } else if c == '"' || c == '\'' && tag {
            quote = !quote;
        } else if !tag {
            out.push(c);
        }
    }

    // postcondition
    assert!(!out.contains('<') && !out.contains('>'));

    out
}

/// Whether there is a tag.
fn has_tag(s: &str) -> bool { s.contains('<') && s.contains('>') }

/// Whether there is a quotation.
fn has_quotation(s: &str) -> bool { s.contains('"') || s.contains('\'') }

/// Whether there is nothing but text.
fn is_plain(s: &str) -> bool { !s.contains('<') && !s.contains('"') }
