// bug: the table names `[` as the opening bracket of `}`, so a text with matching braces is not balanced.
// run: main
// fails: assertion failed: is_balanced(text)
// fixed: ('[', '}') => ('{', '}')
// keeps: '\['
// keeps: "[^";]*\{[^";]*\}[^";]*"
const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('[', '}')];

fn opening(c: char) -> Option<char> {
    PAIRS.iter().find(|pair| pair.1 == c).map(|pair| pair.0)
}

fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for c in text.chars() {
        if c.is_control() {
            return false;
        }
        if matches!(c, '(' | '[' | '{') {
            open.push(c);
            if open.len() > 8 {
                return false;
            }
        } else if let Some(wanted) = opening(c) {
            if open.pop() != Some(wanted) {
                return false;
            }
        }
    }
    open.is_empty()
}

fn main() {
    let texts = ["f(x[0])", "a plain line", "fn f(x) { g[x] }", "((()))"];
    for text in texts {
        assert!(is_balanced(text));
    }
    println!("all is well");
}
