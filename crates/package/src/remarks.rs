//! What a user has to do before a failing call of the compiler says anything about the package: what is not installed, what is no
//! dependency.

use super::call::Call;
use super::spec::Verb;
use mcve_reduce::oracle::diagnostics::{Diagnostic, Stderr};

/// The words of the compiler before the name of a crate that is no dependency.
const ADD: &str = "use `cargo add ";

/// Why a call that fails shows nothing to reduce: its target is not installed, or it needs another toolchain.
pub(super) fn hindrance(call: &Call, verb: Verb) -> Option<String> {
    Stderr::read(call.said.as_bytes()).diagnostics.iter().find_map(|said| match code(said)? {
        "E0463" => {
            let missing = said.children.iter().find(|note| note.message.ends_with("target may not be installed"))?;
            let help = said.children.iter().find(|note| note.message.contains("rustup target add"));
            let help = help.map_or(String::new(), |help| format!("; {}", help.message));
            Some(format!("{}{help}", missing.message))
        }
        "E0554" if verb == Verb::Bench => Some(format!(
            "the benchmark `{}` is one of the compiler's own (`#[bench]`), which need nightly: `cargo +nightly mcve bench`",
            call.name
        )),
        _ => None,
    })
}

/// The remark on the first crate that a call names and that is no dependency of its package.
pub(super) fn missing_crate(call: &Call) -> Option<String> {
    let diagnostics = Stderr::read(call.said.as_bytes()).diagnostics;
    let mut notes = diagnostics.iter().flat_map(|said| &said.children);
    let name = notes.find_map(|note| Some(note.message.split_once(ADD)?.1.split('`').next()?.to_owned()))?;
    let (what, option) = if call.is_test { ("dev-dependency", "--dev ") } else { ("dependency", "") };
    Some(format!("`{name}` is no {what} of the package: where it is missing, `cargo add {option}{name}` adds it"))
}

fn code(said: &Diagnostic) -> Option<&str> {
    said.code.as_ref().map(|code| code.code.as_str())
}
