//! The command `cargo mcve`: cargo calls it with its own name as the first argument.

fn main() -> std::process::ExitCode {
    mcve::cli::package::start(std::env::args_os().collect())
}
