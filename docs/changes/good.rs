fn remove_html_markup(s: &str) -> String {
    let mut tag = false;
    let mut out = String::new();

    for c in s.chars() {
        if c == '<' {
            // start of markup
            tag = true;
        } else if c == '>' {
            // end of markup
            tag = false;
        } else if !tag {
            out.push(c);
        }
    }

    out
}

fn main() {
    assert_eq!(remove_html_markup("\"foo\""), "\"foo\"");
}
