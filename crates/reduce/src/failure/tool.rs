//! Tools besides rustc that can fail.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::exec::shim::{Changes, TOOLCHAIN};
use crate::exec::{programs, tool};

/// A tool that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// clippy's compiler.
    Clippy,
    /// rustdoc, which reads the program as documentation.
    Rustdoc,
    /// rustfmt: it crashes, or its output is unstable, does not compile, or behaves differently.
    Rustfmt,
    /// The interpreter Miri, on `main`.
    Miri,
    /// rust-analyzer, which parses and highlights the file.
    RustAnalyzer,
}

impl Tool {
    /// The name of its program.
    pub fn program(self) -> &'static str {
        match self {
            Self::Clippy => "clippy-driver",
            Self::Rustdoc => "rustdoc",
            Self::Rustfmt => "rustfmt",
            Self::Miri => "miri",
            Self::RustAnalyzer => "rust-analyzer",
        }
    }

    /// Whether it takes the arguments of rustc and reports in the same form.
    pub fn is_compiler(self) -> bool {
        matches!(self, Self::Clippy | Self::Rustdoc | Self::Miri)
    }

    /// Its program: that of the toolchain, or else one in `PATH`.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn find(self, toolchain: Option<&str>) -> anyhow::Result<PathBuf> {
        let name = self.program();
        let beside = programs::rustc(None, toolchain)?.with_file_name(name);
        if beside.is_file() {
            return Ok(beside);
        }
        let component = match self {
            Self::Clippy => "clippy",
            Self::Rustdoc => "rustc",
            Self::Rustfmt | Self::Miri | Self::RustAnalyzer => name,
        };
        let missing = || format!("{name} is not installed: `rustup component add {component}`");
        programs::installed(name.as_ref()).with_context(missing)
    }
}

/// The option that names the standard library for Miri.
pub(super) fn miri_sysroot(toolchain: Option<&str>) -> anyhow::Result<OsString> {
    let cargo = programs::find("cargo".as_ref())?;
    let compiler = programs::rustc(None, toolchain)?;
    let changes: Changes =
        compiler.ancestors().nth(2).map(|sysroot| (TOOLCHAIN.into(), Some(sysroot.into()))).into_iter().collect();
    // In the user's folder, an alias of a package could stand for any command.
    let place = tool::Setup { folder: Some(Path::new("/")), ..tool::Setup::default() };
    let words = ["miri", "setup", "--print-sysroot"].map(OsString::from);
    let output = tool::output(place, &cargo, &words, &changes).context("cannot run `cargo miri setup`")?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(format!("--sysroot={path}").into())
}
