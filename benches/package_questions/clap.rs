// An option of a type that clap cannot read, in a program whose version is that of its package.
//@ dependency: clap = { version = "4", features = ["derive"] }
//@ error: the method `\w+` exists for [^`]*`[^`]*_infer_ValueParser_for<\w+>`, but its trait bounds were not satisfied
//@ error: `\w+: FromStr`
//@ not-error: environment variable|unresolved|cannot find
//@ code: (struct|enum) \w+
use clap::Parser;

#[derive(Clone, Copy, Debug)]
enum Level {
    Low,
    High,
}

/// Does something.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Options {
    /// Says more.
    #[arg(short, long)]
    verbose: bool,
    /// How much.
    #[arg(long)]
    level: Level,
    files: Vec<String>,
}

fn main() {
    let options = Options::parse();
    match options.level {
        Level::Low => println!("{:?}", options.files),
        Level::High => println!("{}", options.verbose),
    }
}
