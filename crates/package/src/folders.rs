//! The folders that mcve uses for a package, below cargo's target folder.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::build::{BUILD, CALLS, Workspace};

/// The folder for all files of mcve below cargo's target folder.
const FOLDER: &str = "mcve";

pub(super) struct Folders {
    /// The parent of the other folders.
    pub(super) own: PathBuf,
    /// The folders that code of the package may write to.
    pub(super) open: Vec<PathBuf>,
}

impl Folders {
    /// Creates the folders of a workspace, also for builds by these other toolchains. It rejects links, which could lead anywhere.
    /// Fails when a folder cannot be created, or is a link.
    pub(super) fn new(workspace: &Workspace, toolchains: &[String]) -> io::Result<Self> {
        let own = target(workspace).join(FOLDER);
        let mut folders = Self { open: Vec::new(), own };
        let targets = toolchains.iter().map(|name| folders.of_toolchain(name)).chain([folders.own.clone()]);
        folders.open = targets.flat_map(|target| [target.join(BUILD), target.join(CALLS)]).collect();
        folders.make().map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write to {}: {error}", folders.own.display()))
        })?;
        Ok(folders)
    }

    /// The folder of builds by another toolchain.
    pub(super) fn of_toolchain(&self, name: &str) -> PathBuf {
        let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-._".contains(c), "_");
        self.own.join(format!("with-{name}"))
    }

    fn make(&self) -> io::Result<()> {
        let target = self.own.parent().filter(|_| !is_target_named());
        let mut all = self.open.iter().chain([&self.own]).map(PathBuf::as_path).chain(target);
        if let Some(link) = all.find(|path| path.is_symlink()) {
            let why = "is a link, which mcve does not follow; to build elsewhere, set CARGO_TARGET_DIR";
            return Err(io::Error::other(format!("{} {why}", link.display())));
        }
        std::fs::create_dir_all(self.own.parent().unwrap_or(Path::new("")))?;
        let mut own = DirBuilder::new();
        own.recursive(true).mode(0o700);
        self.open.iter().try_for_each(|path| own.create(path))?;
        // An earlier version let other users read it.
        std::fs::set_permissions(&self.own, Permissions::from_mode(0o700))
    }
}

/// The target folder: the one that the user names, or that of the package. The package's own configuration could name
/// any folder.
fn target(workspace: &Workspace) -> PathBuf {
    if is_target_named() { workspace.target_directory.clone() } else { workspace.workspace_root.join("target") }
}

/// Whether the user set the target folder.
fn is_target_named() -> bool {
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"].iter().any(|name| std::env::var_os(name).is_some())
}
