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

    out
}

fn main() {
    assert_eq!(remove_html_markup("\"foo\""), "\"foo\"");
}
