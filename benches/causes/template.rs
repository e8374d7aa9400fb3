// bug: after `%%` the next character is still read as a code, so a plain letter behind it is an unknown code.
// run: main
// fails: unknown code
// fixed: out.push('%') => { out.push('%'); in_code = false; }
// keeps: "[^"]*%%
fn render(format: &str, words: &[&str]) -> String {
    let mut out = String::new();
    let mut words = words.iter();
    let mut in_code = false;
    for c in format.chars() {
        if !in_code {
            match c {
                '%' => in_code = true,
                _ => out.push(c),
            }
            continue;
        }
        match c {
            's' => {
                out.push_str(words.next().unwrap_or(&"?"));
                in_code = false;
            }
            'n' => {
                out.push('\n');
                in_code = false;
            }
            '%' => out.push('%'),
            _ => panic!("unknown code"),
        }
    }
    out
}

macro_rules! say {
    ($format:expr $(, $word:expr)*) => {
        print!("{}", render($format, &[$($word),*]))
    };
}

fn main() {
    say!("hello%n");
    say!("%s has %s files%n", "home", "17");
    say!("%s is 40%%-full, %s is empty%n", "home", "root");
}
