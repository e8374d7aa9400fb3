//! The command `mcve`.

fn main() -> std::process::ExitCode {
    mcve::cli::start(std::env::args_os().collect())
}
