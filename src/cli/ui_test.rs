//! `--as-ui-test`: whether the failure can be one of rustc's own tests. Asked before the search, which may take long.

use anyhow::anyhow;

use super::args::ReduceArgs;
use super::exit::{Exit, Failed};
use super::kind_args::Tool;
use crate::oracle::Oracle;

/// What to say of a test that cannot say all that has to hold, if a test is asked for.
///
/// # Errors
/// When rustc's suite has no tests for the failure.
pub(super) fn as_ui_test(args: &ReduceArgs, oracle: &dyn Oracle) -> Result<Option<String>, Failed> {
    if !args.as_ui_test {
        return Ok(None);
    }
    let no_test = |error| Err(Failed::new(Exit::Usage, error));
    if let Some(tool @ (Tool::Rustfmt | Tool::RustAnalyzer)) = args.oracle.failure.kinds.tool {
        return no_test(anyhow!(
            "--as-ui-test cannot be used with --tool {}: rustc's suite does not run it",
            tool.program()
        ));
    }
    if oracle.advice().as_ui_test().is_none() {
        return no_test(anyhow!(
            "--as-ui-test cannot be used here: rustc's suite has no test for {}",
            oracle.failure().words
        ));
    }
    let conditions: Vec<String> = oracle.advice().conditions().iter().map(ToString::to_string).collect();
    let is_whole = conditions.is_empty();
    Ok((!is_whole).then(|| format!("the test shows the failure only, as it cannot say: {}", conditions.join("; "))))
}
