//! Where the compiler of another toolchain finds the libraries of a package.

use std::sync::Arc;

use super::build::Built;
use super::call::Call;
use mcve_reduce::failure::config::CompilerConfig;

/// The endings of built libraries.
const ENDINGS: [&str; 3] = ["rmeta", "rlib", "so"];

/// What a toolchain made of the libraries that the failing crate uses.
#[derive(Debug)]
pub(super) struct OtherBuild {
    pub(super) toolchain: String,
    /// The path of each library and folder of the failing build, and that of the same in this one.
    pub(super) libraries: Arc<[(String, String)]>,
}

impl OtherBuild {
    /// A configuration that finds the libraries of its toolchain, if this is the build by that.
    pub(super) fn complete(&self, config: &CompilerConfig) -> Option<CompilerConfig> {
        (config.toolchain() == Some(&*self.toolchain)).then(|| config.with_libraries(Arc::clone(&self.libraries)))
    }
}

/// The paths of what `calls` made, each with the path of the same library or folder in another build.
pub(super) fn libraries(calls: &[Call], built: &Built) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for call in calls {
        let Some(other) = built.calls.iter().rev().find(|other| is_same(call, other)) else { continue };
        let of = |call: &Call, end| format!("{}/lib{}{}.{end}", call.made_in.display(), call.name, call.suffix);
        all.extend(ENDINGS.map(|end| (of(call, end), of(other, end))));
        all.push((call.made_in.display().to_string(), other.made_in.display().to_string()));
    }
    all.sort();
    all.dedup();
    all
}

/// Whether two toolchains build the same by these calls.
fn is_same(call: &Call, other: &Call) -> bool {
    let key = |call: &Call| {
        let is_of_crate = |argument: &&String| argument.starts_with("--cfg=") || argument.starts_with("--target=");
        let mut options: Vec<String> = call.arguments.iter().filter(is_of_crate).cloned().collect();
        options.sort();
        (call.root.clone(), call.name.clone(), call.form.clone(), call.is_test, call.is_checked, options)
    };
    key(call) == key(other)
}
