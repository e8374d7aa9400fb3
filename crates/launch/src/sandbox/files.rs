//! Landlock: which files can be written and read, and which processes and sockets can be reached.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope,
};

/// The newest interface that is made use of. Of an older kernel, what it has. The next one holds sockets in files, which the filter of
/// calls does.
const NEWEST: ABI = ABI::V8;

/// Devices that hold nothing.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Lets this process and its descendants write only to these paths, or below them, not read what is `hidden`, send signals to and
/// trace only each other, and where it is said so, use no TCP. Whether the kernel can do that.
///
/// # Errors
/// When it can, and fails.
pub(super) fn confine(writable: &[PathBuf], hidden: &[PathBuf], forbids_tcp: bool) -> io::Result<bool> {
    let writable: Vec<&Path> = writable.iter().map(PathBuf::as_path).collect();
    restrict(&writable, hidden, forbids_tcp)
}

/// The same as a further layer, for a process of the sandbox: of what may be written, only these paths.
///
/// # Errors
/// When the kernel can do that, and fails.
pub(crate) fn confine_to(writable: &[&Path]) -> io::Result<()> {
    restrict(writable, &[], false).map(drop)
}

fn restrict(writable: &[&Path], hidden: &[PathBuf], forbids_tcp: bool) -> io::Result<bool> {
    let hidden: BTreeSet<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut rules = Ruleset::default().handle_access(writing()).map_err(io::Error::other)?;
    if !hidden.is_empty() {
        rules = rules.handle_access(AccessFs::ReadFile).map_err(io::Error::other)?;
    }
    if forbids_tcp {
        rules = rules.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp).map_err(io::Error::other)?;
    }
    let rules = rules.scope(Scope::from_all(NEWEST)).and_then(Ruleset::create).map_err(io::Error::other)?;
    // What is not there cannot be opened, and need not be allowed.
    let folders = writable.iter().filter_map(|path| beneath(path));
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

/// All that may be read where `hidden` may not: Landlock can only allow, so these are the entries beside each hidden path and beside
/// each folder above it.
fn readable(hidden: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let is_hidden = |path: &Path| path.ancestors().any(|above| hidden.contains(above));
    let folders: BTreeSet<&Path> = hidden.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let entries = folders.iter().filter(|folder| !is_hidden(folder)).filter_map(|folder| folder.read_dir().ok());
    // A link could lead to what is hidden. Where it leads is allowed by itself.
    let entries = entries.flatten().flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    entries.map(|entry| entry.path()).filter(|path| !is_hidden(path) && !folders.contains(&**path)).collect()
}

/// All kinds of writing.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_write(NEWEST)
}

/// Allows to write at and below a path. No device can be made there: it would be a way to whatever it stands for.
fn beneath(path: &Path) -> Option<PathBeneath<PathFd>> {
    let is_folder = path.is_dir();
    let access = writing() & !(AccessFs::MakeBlock | AccessFs::MakeChar);
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    Some(PathBeneath::new(PathFd::new(path).ok()?, access))
}
