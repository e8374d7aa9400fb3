//! Reads the input file, and says clearly what is wrong with one that cannot be used.

use std::path::Path;

use anyhow::{Context, anyhow};

use super::exit::{Exit, Failed};
use crate::program::Program;

/// Reads the file that is to be reduced.
///
/// # Errors
/// When it is missing, a directory, empty, or no UTF-8 text.
pub fn read(path: &Path) -> Result<Program, Failed> {
    let failed = |error| Failed::new(Exit::Input, error);
    let shown = path.display();
    let name = path.file_name().ok_or_else(|| failed(anyhow!("{shown} is not the name of a file")))?;
    let metadata = std::fs::metadata(path).with_context(|| format!("cannot read {shown}")).map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(anyhow!("{shown} is a directory; name the Rust file in it")));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}")).map_err(failed)?;
    if bytes.contains(&0) {
        return Err(failed(anyhow!("{shown} is a binary file")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        failed(anyhow!("{shown} is not UTF-8 text: the byte at offset {offset} is not part of a character"))
    })?;
    if text.trim().is_empty() {
        return Err(failed(anyhow!("{shown} is empty")));
    }
    Ok(Program::new(name, text))
}
