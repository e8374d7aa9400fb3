//! A key of the user, by which mcve recognises its own files: command lines in journals, objects in the cache.
//!
//! Another user who can write a file there cannot read the key, so files from others are not taken for mcve's.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hmac::{Hmac, KeyInit, Mac};
use rustix::fs::{Mode, OFlags};
use sha2::Sha256;

/// The length of a key in bytes.
const LENGTH: usize = 32;

/// The name of its file, and of the folder that this is in.
const NAME: [&str; 2] = ["mcve", "key"];

/// The permissions of others, and those of others to write.
const OTHERS: u32 = 0o077;
const OTHERS_WRITE: u32 = 0o022;

/// Makes and checks message authentication codes (HMAC-SHA256).
#[derive(Clone)]
pub struct UserKey([u8; LENGTH]);

/// The user's folder for settings.
fn config() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
}

fn path(config: &Path) -> PathBuf {
    config.join(NAME[0]).join(NAME[1])
}

impl std::fmt::Debug for UserKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UserKey")
    }
}

impl UserKey {
    /// The key of the user, which is made if there is none: `mcve/key` in `$XDG_CONFIG_HOME` or `~/.config`.
    ///
    /// # Errors
    /// When there is no place for it, when it cannot be made, and when others may have read or written it.
    pub fn load() -> anyhow::Result<Self> {
        Self::load_from(&config().context("neither XDG_CONFIG_HOME nor HOME is set")?)
    }

    /// The file of the key of the user, if it is known where that is.
    #[must_use]
    pub fn path() -> Option<PathBuf> {
        Some(path(&config()?))
    }

    /// Like [`UserKey::load`], but in another folder than `~/.config`.
    ///
    /// # Errors
    /// As of [`UserKey::load`].
    pub fn load_from(config: &Path) -> anyhow::Result<Self> {
        let path = path(config);
        let shown = path.display();
        match Self::read(&path) {
            Err(error) if is_missing(&error) => {}
            read => return read.with_context(|| format!("cannot use the key {shown}")),
        }
        make(&path).with_context(|| format!("cannot make the key {shown}"))?;
        Self::read(&path).with_context(|| format!("cannot use the key {shown}"))
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let folder = path.parent().context("it is in no folder")?;
        let about = folder.metadata()?;
        if !only_user_writes(&about) {
            bail!("others can write the folder {}, or it is somebody else's", folder.display());
        }
        let mut file = open(path)?;
        let about = file.metadata()?;
        if !about.is_file() {
            bail!("it is no file");
        }
        if !is_own(&about, OTHERS) {
            bail!("others can read or write it, or it is somebody else's: remove it");
        }
        let mut key = [0; LENGTH];
        if about.len() != LENGTH as u64 {
            bail!("it has {} bytes and not {LENGTH}: remove it", about.len());
        }
        file.read_exact(&mut key)?;
        Ok(Self(key))
    }

    /// The code of a message, in hexadecimal digits. The purpose keeps messages of one kind from being taken for another.
    #[must_use]
    pub fn sign(&self, purpose: &str, message: &[u8]) -> String {
        let bytes = self.mac(purpose, message).finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether `code` is that of the message.
    #[must_use]
    pub fn has_signed(&self, purpose: &str, message: &[u8], code: &str) -> bool {
        let digits = code.trim_end().as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let code: Option<Vec<u8>> = digits.map(byte).collect();
        code.is_some_and(|code| self.mac(purpose, message).verify_slice(&code).is_ok())
    }

    fn mac(&self, purpose: &str, message: &[u8]) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("keys may be of any length");
        mac.chain_update(purpose.as_bytes()).chain_update([0]).chain_update(message)
    }
}

/// Opens a file for reading that is not a link, without waiting for the writer of a pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Whether a file or folder belongs to the user that this process runs as, and no other user can write it.
pub(crate) fn only_user_writes(about: &std::fs::Metadata) -> bool {
    is_own(about, OTHERS_WRITE)
}

/// Whether it belongs to that user, and no other user has one of the permissions `others`.
fn is_own(about: &std::fs::Metadata, others: u32) -> bool {
    about.uid() == rustix::process::geteuid().as_raw() && about.mode() & others == 0
}

fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Makes a key at `path` if no other process does at the same time.
fn make(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().context("it is in no folder")?;
    let stands = folder.ancestors().find_map(|folder| folder.metadata().ok()).context("there is no folder")?;
    if !is_own(&stands, 0) {
        // As with `sudo` and the variables of another user, who could not use the key.
        bail!("the folder that is there belongs to somebody else");
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key).map_err(|error| anyhow::anyhow!("there are no random numbers: {error}"))?;
    // With a mode of 0600.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists => Err(failed.error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
