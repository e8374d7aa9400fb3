//! Landlock: restricts writing and reading of files, and access to processes and sockets.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope,
};

/// The newest Landlock version that is used; older kernels support less. The next one restricts UNIX sockets, which the seccomp
/// filter does here.
const NEWEST: ABI = ABI::V8;

/// Devices that store no data.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Restricts this process and its descendants: they can only write at or below these paths, not read `hidden` paths,
/// only signal and trace each other, and not use TCP if `forbids_tcp`. Returns whether the kernel supports this. In a sandbox it adds
/// a layer: of the writable paths, only these remain writable. Fails when the kernel supports it, but it fails.
pub(crate) fn confine(writable: &[impl AsRef<Path>], hidden: &[PathBuf], forbids_tcp: bool) -> io::Result<bool> {
    let hidden: BTreeSet<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut rules = Ruleset::default().handle_access(writing()).map_err(io::Error::other)?;
    if !hidden.is_empty() {
        rules = rules.handle_access(AccessFs::ReadFile).map_err(io::Error::other)?;
    }
    if forbids_tcp {
        rules = rules.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp).map_err(io::Error::other)?;
    }
    let rules = rules.scope(Scope::from_all(NEWEST)).and_then(Ruleset::create).map_err(io::Error::other)?;
    // Paths that do not exist cannot be opened, and need no permission.
    let folders = writable.iter().filter_map(|path| beneath(path.as_ref()));
    let devices = DEVICES.iter().filter_map(|path| beneath(Path::new(path)));
    let others = readable(&hidden);
    let others = others.iter().filter_map(|path| Some(PathBeneath::new(PathFd::new(path).ok()?, AccessFs::ReadFile)));
    let rules = folders
        .chain(devices)
        .chain(others)
        .try_fold(rules, |rules, rule| rules.add_rule(rule))
        .map_err(io::Error::other)?;
    let status = rules.restrict_self().map_err(io::Error::other)?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}

/// All readable paths except for `hidden` ones: Landlock can only allow, so these are the siblings of each hidden path and of
/// each of its ancestors.
fn readable(hidden: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let is_hidden = |path: &Path| path.ancestors().any(|above| hidden.contains(above));
    let folders: BTreeSet<&Path> = hidden.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let entries = folders.iter().filter(|folder| !is_hidden(folder)).filter_map(|folder| folder.read_dir().ok());
    // A link could lead to a hidden path. The target of a link has its own permission.
    let entries = entries.flatten().flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    entries.map(|entry| entry.path()).filter(|path| !is_hidden(path) && !folders.contains(&**path)).collect()
}

/// All write permissions.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_write(NEWEST)
}

/// Allows writing at and below a path, but not creating devices, which would give access to the hardware.
fn beneath(path: &Path) -> Option<PathBeneath<PathFd>> {
    let is_folder = path.is_dir();
    let access = writing() & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    Some(PathBeneath::new(PathFd::new(path).ok()?, access))
}
