//! A build script that fails when cargo runs it, as a program of its own.

use super::build::Built;
use super::call::Call;

/// The words of cargo before the package of a build script that failed.
const FAILED: &str = "failed to run custom build command for `";

/// The words of cargo after the errors that a build script logged by `cargo::error=`.
const LOGGED: &str = "\nerror: build script logged errors";

/// The variables that cargo sets for a run, with values that do for any target.
const VARIABLES: [(&str, &str); 5] =
    [("OUT_DIR", "."), ("PROFILE", "debug"), ("OPT_LEVEL", "0"), ("DEBUG", "true"), ("NUM_JOBS", "1")];

/// The variables that name the target of a build.
const TARGETS: [&str; 2] = ["HOST", "TARGET"];

/// The call that compiled the build script that failed in this run of cargo, with the variables of its run, and the end of the line by
/// which it logged an error, if that is why it failed.
pub(super) fn failed(built: &Built) -> Option<(Call, Option<String>)> {
    let printed = built.printed();
    let exited = || Some((printed.split_once(FAILED)?.1.split(' ').next()?, None));
    let (package, line) = exited().or_else(|| {
        let errors = printed.split_once(LOGGED)?.0;
        let named = errors.lines().find_map(|line| line.strip_prefix("error: ")?.split_once(": "));
        named.and_then(|(package, error)| Some((package.split_once('@')?.0, Some(format!("error={error}")))))
    })?;
    let is_of_package = |call: &Call| call.environment.get("CARGO_PKG_NAME").is_some_and(|name| name == package);
    let mut call = built.calls.iter().rev().find(|call| call.is_build_script() && is_of_package(call))?.clone();
    let set = VARIABLES.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let system = match (cfg!(target_os = "macos"), cfg!(target_env = "musl")) {
        (true, _) => "apple-darwin",
        (false, true) => "unknown-linux-musl",
        (false, false) => "unknown-linux-gnu",
    };
    let host = format!("{}-{system}", std::env::consts::ARCH);
    call.environment.extend(set.into_iter().chain(TARGETS.map(|name| (name.to_owned(), host.clone()))));
    Some((call, line))
}
