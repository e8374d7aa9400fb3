//! What a compiler says of itself, and the toolchain that `cargo +NAME mcve` chose: rustup hands it on by a variable, which is not
//! there when the result is looked at.

use std::process::Command;

use mcve_reduce::failure::tool::Tool;

/// The variable by which rustup hands on a toolchain.
const VARIABLE: &str = "RUSTUP_TOOLCHAIN";

/// The text before the target triple in the compiler's version output.
const HOST: &str = "host: ";

/// The name of the toolchain that was handed on, if its compiler is another one than that of a shell in no folder of a package.
pub(super) fn of_rustup() -> Option<String> {
    let name = std::env::var(VARIABLE).ok().filter(|name| !name.contains(std::path::is_separator))?;
    let own = said_by(Command::new("rustc").env(VARIABLE, &name))?;
    let usual = said_by(Command::new("rustc").env_remove(VARIABLE).current_dir("/"));
    (usual.as_ref() != Some(&own)).then(|| without_host(&name, &own).to_owned())
}

/// The version output of the compiler of this toolchain, or of the usual one; empty if there is none.
pub(super) fn version(toolchain: Option<&str>) -> String {
    let toolchain = toolchain.map(|name| format!("+{name}"));
    said_by(Command::new("rustc").args(toolchain)).unwrap_or_default()
}

/// The version output of another tool of this toolchain, or of the usual one; empty if there is none.
pub(super) fn version_of_tool(tool: Tool, toolchain: Option<&str>) -> String {
    let name = match tool {
        Tool::Clippy => "clippy-driver",
        Tool::Rustdoc => "rustdoc",
        Tool::Rustfmt => "rustfmt",
        Tool::Miri => "miri",
        Tool::RustAnalyzer => "rust-analyzer",
    };
    let output = Command::new(name).args(toolchain.map(|name| format!("+{name}"))).arg("--version").output();
    output
        .ok()
        .filter(|output| output.status.success())
        .map_or_else(String::new, |output| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The repository of rust-lang in whose tracker the crashes of a tool, or else of rustc, are.
pub(super) fn repository(tool: Option<Tool>) -> &'static str {
    match tool {
        Some(Tool::Clippy) => "rust-clippy",
        Some(Tool::Rustfmt) => "rustfmt",
        Some(Tool::Miri) => "miri",
        Some(Tool::RustAnalyzer) => "rust-analyzer",
        Some(Tool::Rustdoc) | None => "rust",
    }
}

/// The version output of a compiler.
fn said_by(rustc: &mut Command) -> Option<String> {
    let output = rustc.arg("-vV").output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The name of a toolchain as it is commonly said: without the triple of the compiler that says this of itself.
pub(super) fn without_host<'n>(name: &'n str, version: &str) -> &'n str {
    let host = version.lines().find_map(|line| line.strip_prefix(HOST)).unwrap_or_default();
    name.strip_suffix(host).and_then(|name| name.strip_suffix('-')).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_goes_without_saying() {
        let version = "rustc 1.99.0\nhost: x86_64-unknown-linux-gnu\nrelease: 1.99.0\n";
        assert_eq!(without_host("nightly-2026-01-02-x86_64-unknown-linux-gnu", version), "nightly-2026-01-02");
        assert_eq!(without_host("stage1", version), "stage1");
        assert_eq!(without_host("beta-aarch64-apple-darwin", version), "beta-aarch64-apple-darwin");
    }
}
