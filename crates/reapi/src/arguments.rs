//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Parser;

/// Runs the checks of mcve by services of the Bazel Remote Execution API: `mcve FILE --executor 'mcve-reapi http://host:8980'`.
///
/// The machines of the service need the toolchain that mcve uses here.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// The services: `http://host:port`, `https://host:port`. A job goes to the one with the fewest jobs, and to another one if that
    /// fails.
    #[arg(required = true, value_name = "URL")]
    pub(crate) services: Vec<String>,

    /// How many checks run at once, on all services together.
    #[arg(short, long, value_name = "N", default_value = "8")]
    pub(crate) jobs: NonZeroUsize,

    /// The instance of the services.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) instance: String,

    /// A property that the machine must have, such as `OSFamily=linux`. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) platform: Vec<(String, String)>,

    /// A variable of the checks. May be given several times. `PATH` is that of this process, if it is not among them.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) env: Vec<(String, String)>,

    /// The program that runs the checks there: it is sent. By default the `mcve` beside this program.
    #[arg(long, value_name = "FILE", conflicts_with = "installed")]
    pub(crate) program: Option<PathBuf>,

    /// The path of an `mcve` of this version on the machines of the service, in place of one that is sent.
    #[arg(long, value_name = "PATH")]
    pub(crate) installed: Option<String>,

    /// A file with the token that the services ask for (`authorization: Bearer`).
    #[arg(long, value_name = "FILE")]
    pub(crate) token: Option<PathBuf>,

    /// A file with the certificates of authorities, in place of those of the system.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// A file with the certificate of this client.
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,

    /// A file with the key of that certificate.
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,

    /// A text that separates the cached results of these runs from those of others.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) salt: String,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it has no `=`")?;
    Ok((name.to_owned(), value.to_owned()))
}
