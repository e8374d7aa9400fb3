//! The options of the commands for results, and for files that fail.

use std::path::PathBuf;

use clap::Args;

use super::oracle_args::OracleArgs;
use super::rustc_version::Version;
use crate::report::issue::Form;

/// The options of `mcve why`.
#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// The result, or a log that `--log` wrote.
    pub(super) file: PathBuf,

    /// One line, with all changes of it that were refused; of several files, that of one of them.
    #[arg(long, value_name = "[FILE:]N")]
    pub(super) line: Option<String>,

    /// What this transform, family or pass tried, there or anywhere.
    #[arg(long, value_name = "NAME")]
    pub(super) transform: Option<String>,

    /// Also asks which parts may be any of their kind: any type, any integer, any body. The answer is kept.
    #[arg(long)]
    pub(super) any: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve verify`.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// The result: a file, or the folder of a package.
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve report`.
#[derive(Args, Debug)]
pub(super) struct ReportArgs {
    /// The result: a file, or the folder of a package.
    pub(super) file: PathBuf,

    /// The form of the issue; by default the one for the failure.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(super) form: Option<Form>,

    /// Also tries all installed toolchains: does the program fail in the same way?
    #[arg(long)]
    pub(super) channels: bool,

    /// Installs these toolchains first with rustup, such as `nightly,beta`.
    #[arg(long, value_name = "TOOLCHAIN", value_delimiter = ',', requires = "channels")]
    pub(super) install: Vec<String>,

    /// Also looks for the first version with the failure, as `mcve bisect` does.
    #[arg(long)]
    pub(super) bisect: bool,

    /// Files, or folders of files, with known failures: is it one of these?
    #[arg(long, value_name = "DIR|FILE")]
    pub(super) known: Vec<PathBuf>,

    /// Where the text goes; by default to standard output.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,

    /// Also copies the text to the clipboard, through the terminal (OSC 52).
    #[arg(long)]
    pub(super) copy: bool,

    /// Prints all facts as one JSON object, instead of the text.
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve bisect`.
#[derive(Args, Debug)]
pub(super) struct BisectArgs {
    /// What fails, best a reduced file or package; of a package, the arguments of `cargo mcve` follow `--`.
    pub(super) file: PathBuf,

    /// In a package: looks for the first version of this dependency, instead of the compiler.
    #[arg(long = "crate", value_name = "NAME", conflicts_with_all = ["start", "end", "keep_toolchains"])]
    pub(super) crate_name: Option<String>,

    /// A version without the failure, such as `2026-01-31` or `1.90`; by default mcve looks for one.
    #[arg(long, value_name = "DATE|RELEASE")]
    pub(super) start: Option<Version>,

    /// A version with the failure; by default that of the toolchain.
    #[arg(long, value_name = "DATE|RELEASE")]
    pub(super) end: Option<Version>,

    /// Keeps the toolchains that it installs.
    #[arg(long)]
    pub(super) keep_toolchains: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve fingerprint`.
#[derive(Args, Debug)]
pub(super) struct FingerprintArgs {
    /// The files, or folders of files.
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,

    /// Files, or folders of files, with known failures.
    #[arg(long, value_name = "DIR|FILE")]
    pub(super) known: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve test-file`.
#[derive(Args, Debug)]
pub(super) struct TestFileArgs {
    /// The files that fail, best reduced ones. They are never changed.
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,

    /// The numbers of their issues, in the order of the files; by default those with which the names of the files begin.
    #[arg(long, value_name = "NUMBER", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) issue: Vec<u32>,

    /// The folder of the tests, such as `tests/crashes`.
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: PathBuf,

    /// Makes the tests stand without the library `core`: they define the few items of it that the failure needs.
    #[arg(long)]
    pub(super) no_core: bool,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}

/// The options of `mcve llvm`.
#[derive(Args, Debug)]
pub(super) struct LlvmArgs {
    /// The file that fails, best a reduced one. It is never changed.
    pub(super) file: PathBuf,

    /// Where the result goes; by default FILE with the extension `.ll`.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,

    /// A folder with `opt` and `llc` of the same version of LLVM; by default they are looked for in the toolchain and in PATH.
    #[arg(long, value_name = "DIR")]
    pub(super) llvm: Option<PathBuf>,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,
}
