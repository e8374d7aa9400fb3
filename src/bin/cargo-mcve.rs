//! The command `cargo mcve`: cargo calls it with its own name as the first argument.

fn main() -> std::process::ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "mcve") {
        words.remove(1);
    }
    mcve::cli::start(words)
}
