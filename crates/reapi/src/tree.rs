//! Input trees: folders and files by their digests, as a Merkle tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2::{Digest, Directory, DirectoryNode, FileNode};
use data_encoding::HEXLOWER;
use prost::Message;
use sha2::{Digest as _, Sha256};

/// Bytes and their digest.
#[derive(Clone, Debug)]
pub(crate) struct Blob {
    pub(crate) digest: Digest,
    pub(crate) bytes: Arc<[u8]>,
}

impl Blob {
    pub(crate) fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        let hash = HEXLOWER.encode(&Sha256::digest(&bytes));
        let digest = Digest { hash, size_bytes: i64::try_from(bytes.len()).unwrap_or(i64::MAX) };
        Self { digest, bytes }
    }

    pub(crate) fn of(message: &impl Message) -> Self {
        Self::new(message.encode_to_vec())
    }
}

/// A folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, (Blob, bool)>,
    folders: BTreeMap<String, Tree>,
}

impl Tree {
    /// Adds a file at a path, whose parts are separated by `/`.
    pub(crate) fn add(&mut self, path: &str, blob: Blob, is_executable: bool) {
        match path.split_once('/') {
            Some(("" | ".", rest)) => self.add(rest, blob, is_executable),
            Some((folder, rest)) => self.folder(folder).add(rest, blob, is_executable),
            None => _ = self.files.insert(path.to_owned(), (blob, is_executable)),
        }
    }

    /// The folder of this name, which is added if there is none.
    pub(crate) fn folder(&mut self, name: &str) -> &mut Self {
        self.folders.entry(name.to_owned()).or_default()
    }

    /// The digest of the tree. Its blobs go to `blobs`.
    pub(crate) fn digest(&self, blobs: &mut Vec<Blob>) -> Digest {
        let files = self.files.iter().map(|(name, (blob, is_executable))| {
            blobs.push(blob.clone());
            let (digest, is_executable) = (Some(blob.digest.clone()), *is_executable);
            FileNode { name: name.clone(), digest, is_executable, node_properties: None }
        });
        let files = files.collect();
        let node = |(name, tree): (&String, &Tree)| {
            let digest = Some(tree.digest(blobs));
            DirectoryNode { name: name.clone(), digest }
        };
        let directories = self.folders.iter().map(node).collect();
        let own = Blob::of(&Directory { files, directories, ..Directory::default() });
        blobs.push(own.clone());
        own.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_addressed_by_their_content_whatever_the_order() {
        // The digest of the empty message, as the specification has it.
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Tree::default().digest(&mut Vec::new()).hash, empty);
        let digest = |paths: &[&str]| {
            let (mut tree, mut blobs) = (Tree::default(), Vec::new());
            paths.iter().for_each(|path| tree.add(path, Blob::new(path.as_bytes()), false));
            (tree.digest(&mut blobs), blobs.len())
        };
        let (one, count) = digest(&["b", "a/c", "a/b/d"]);
        assert_eq!(count, 6, "three files and three folders");
        assert_eq!(digest(&["a/b/d", "a/c", "b"]).0, one);
        assert_ne!(digest(&["a/b/d", "a/e", "b"]).0, one);
    }

    #[test]
    fn a_path_without_a_folder_is_one_of_the_root() {
        let (mut one, mut two) = (Tree::default(), Tree::default());
        one.add("/a/./b", Blob::new(*b"x"), true);
        two.add("a/b", Blob::new(*b"x"), true);
        assert_eq!(one.digest(&mut Vec::new()), two.digest(&mut Vec::new()));
    }
}
