//! Texts of others on a terminal, which obeys some characters and hides others.

/// Whether a terminal obeys or hides a character, or lets it move others. The end of a line and the tabulator are what they are.
pub fn is_hidden(c: char) -> bool {
    let is_shown = |c: char| matches!(c, '\n' | '\t');
    let moves = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    moves
        || c.is_control() && !is_shown(c)
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The text with escapes for these characters.
pub fn visible(text: &str) -> String {
    let shown = |c: char| if is_hidden(c) { c.escape_default().to_string() } else { c.into() };
    text.replace("\r\n", "\n").chars().map(shown).collect()
}

/// The text as one line with escapes for these characters.
pub fn visible_line(text: &str) -> String {
    visible(&text.replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_hide_is_shown() {
        for (text, shown, line) in [
            ("mcve 'a b'.rs \u{e4}", "mcve 'a b'.rs \u{e4}", "mcve 'a b'.rs \u{e4}"),
            ("a\u{1b}[2K\r\u{202e}b", r"a\u{1b}[2K\r\u{202e}b", r"a\u{1b}[2K\r\u{202e}b"),
            ("a\tb\r\nc", "a\tb\nc", r"a\tb\r\nc"),
            (
                "\u{9b}31m\u{7f}\0\u{e0041}\u{2066}",
                r"\u{9b}31m\u{7f}\u{0}\u{e0041}\u{2066}",
                r"\u{9b}31m\u{7f}\u{0}\u{e0041}\u{2066}",
            ),
        ] {
            assert_eq!((&*visible(text), &*visible_line(text)), (shown, line));
        }
    }
}
