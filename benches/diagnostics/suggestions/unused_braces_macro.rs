// The braces that are said to be unneeded are what ends the statement in the macro (rust-lang/rust#88104).
//@ tool: rustc
//@ lint: unused_braces
//@ new-error: expected (`;`|one of .*), found
macro_rules! stage {
    ($name:ident, $before:expr) => {
        fn $name(input: &str) -> String {
            $before
            finish(stringify!($name), input)
        }
    };
}

fn finish(stage: &str, input: &str) -> String { format!("{stage}({input})") }

fn log(text: &str) { eprintln!("stage: {text}"); }

stage!(parse, { log("parse") });

fn width(text: &str) -> usize {
    let longest = text.lines().map(str::len).max();
    usize::max({ 2 }, longest.unwrap_or_default())
}

fn check(text: &str) -> Result<&str, String> {
    if text.is_empty() { return Err("nothing to do".to_string()); }
    Ok(text)
}

fn main() {
    match check("a + b") {
        Ok(text) => println!("{} {}", parse(text), width(text)),
        Err(why) => println!("{why}"),
    }
}
