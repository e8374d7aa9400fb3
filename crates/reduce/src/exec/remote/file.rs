//! Files by the hashes of what they hold.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::program::{ContentHash, File, FileKind};

/// A file as it is sent. Its bytes come beside it, or came before.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct SentFile {
    pub(super) path: PathBuf,
    kind: Kind,
    pub(super) hash: String,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Plain,
    Executable,
    Link,
}

impl SentFile {
    pub(super) fn new(path: PathBuf, bytes: &[u8]) -> Self {
        Self { path, kind: Kind::Plain, hash: ContentHash::of(bytes).into() }
    }

    pub(super) fn of(path: &Path, file: &File) -> Self {
        let kind = match file.kind {
            FileKind::Plain => Kind::Plain,
            FileKind::Executable => Kind::Executable,
            FileKind::Link => Kind::Link,
        };
        Self { kind, ..Self::new(path.to_owned(), &file.bytes) }
    }

    /// The file of a job, with the bytes that `blob` has for its hash. None if there are none, or the path leads out of the folder.
    pub(super) fn here(self, blob: impl Fn(&str) -> Option<Arc<[u8]>>) -> Option<(PathBuf, File)> {
        let kind = match self.kind {
            Kind::Plain => FileKind::Plain,
            Kind::Executable => FileKind::Executable,
            Kind::Link => FileKind::Link,
        };
        is_inside(&self.path).then_some(())?;
        Some((self.path, File { kind, bytes: blob(&self.hash)? }))
    }
}

/// Whether a path stays below the folder that it is joined to.
pub(super) fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}
