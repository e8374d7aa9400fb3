//! The environment of scripts and commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::error::FailureError;
use crate::exec::programs;
use crate::exec::shim::{self, Changes};
use crate::session::Session;
use crate::state::invocation::VARIABLES;

pub(super) struct Environment {
    /// Changes that make the `rustc` they call start sooner and belong to the requested toolchain.
    pub(super) changes: Changes,
    /// rustup's proxy with the compiler behind it, if they would call the proxy.
    pub(super) proxied: Option<(PathBuf, PathBuf)>,
    /// Variables that a shell must set to reproduce a check: those of mcve's own environment that another shell may lack.
    pub(super) shown: Vec<(OsString, OsString)>,
}

impl Environment {
    pub(super) fn new(session: &Session) -> Result<Self, FailureError> {
        let toolchain = session.toolchain.as_deref();
        let mut changes = shim::toolchain(toolchain);
        let proxied = programs::proxied(toolchain)?;
        if let Some((proxy, compiler)) = &proxied {
            let folder = session.folder().join("bin");
            // Without the shim checks are slower, but not wrong.
            if let Ok(more) = shim::write(&folder, proxy, compiler, toolchain) {
                changes.extend(more);
            }
        }
        let mut shown = Vec::new();
        let compiler = proxied.as_ref().map(|(_, compiler)| &**compiler);
        // Where the name alone leads to the same compiler, the toolchain need not be named.
        let called = compiler.map(|compiler| programs::called(Some(Path::new("rustc")), toolchain, compiler));
        let named = called.iter().flatten().find_map(|word| word.to_str()?.strip_prefix('+').map(OsString::from));
        shown.extend(named.map(|name| (shim::TOOLCHAIN.into(), name)));
        shown.extend(VARIABLES.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?))));
        Ok(Self { changes, proxied, shown })
    }
}
