//! Input trees in a store, and the worker that runs in them.

use std::collections::{BTreeMap, HashMap};

use bazel_remote_apis::build::bazel::remote::execution::v2::{Action, Command, Digest, Directory};
use prost::Message;
use serde_json::{Value, json};

use crate::job::{HELLO, done, hash};

/// Blobs by their hashes.
pub(crate) type Blobs = HashMap<String, Vec<u8>>;

/// An action with all that it names.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) action: Action,
    pub(crate) command: Command,
    /// The bytes of all files by their paths, and whether they are executable.
    pub(crate) files: BTreeMap<String, (Vec<u8>, bool)>,
    pub(crate) folders: Vec<String>,
    /// The hashes of all blobs.
    pub(crate) hashes: Vec<String>,
    /// What is not as the specification has it.
    pub(crate) complaints: Vec<String>,
}

/// The action of this digest. Fails with the hash of a blob that is not there.
pub(crate) fn input(blobs: &Blobs, digest: &Digest) -> Result<Input, String> {
    let mut input = Input {
        action: Action::default(),
        command: Command::default(),
        files: BTreeMap::new(),
        folders: Vec::new(),
        hashes: Vec::new(),
        complaints: Vec::new(),
    };
    input.action = input.message(blobs, Some(digest))?;
    let (command, root) = (input.action.command_digest.clone(), input.action.input_root_digest.clone());
    input.command = input.message(blobs, command.as_ref())?;
    input.walk(blobs, root.as_ref(), "")?;
    Ok(input)
}

impl Input {
    fn blob<'b>(&mut self, blobs: &'b Blobs, digest: Option<&Digest>) -> Result<&'b [u8], String> {
        let digest = digest.ok_or("no digest")?;
        let bytes = blobs.get(&digest.hash).ok_or_else(|| digest.hash.clone())?;
        if i64::try_from(bytes.len()) != Ok(digest.size_bytes) {
            self.complaints.push(format!("the digest {} has the size {}", digest.hash, digest.size_bytes));
        }
        self.hashes.push(digest.hash.clone());
        Ok(bytes)
    }

    fn message<M: Message + Default>(&mut self, blobs: &Blobs, digest: Option<&Digest>) -> Result<M, String> {
        let bytes = self.blob(blobs, digest)?;
        Ok(M::decode(bytes).unwrap_or_else(|error| {
            self.complaints.push(format!("{error}"));
            M::default()
        }))
    }

    fn walk(&mut self, blobs: &Blobs, digest: Option<&Digest>, path: &str) -> Result<(), String> {
        let folder: Directory = self.message(blobs, digest)?;
        let files = folder.files.iter().map(|file| &file.name);
        let folders = folder.directories.iter().map(|folder| &folder.name);
        if !files.clone().is_sorted_by(|one, two| one < two) || !folders.clone().is_sorted_by(|one, two| one < two) {
            self.complaints.push(format!("the names in `{path}` are not in order"));
        }
        for name in files.chain(folders) {
            if name.is_empty() || name == "." || name == ".." || name.contains('/') {
                self.complaints.push(format!("`{path}` has the name `{name}`"));
            }
        }
        for file in &folder.files {
            let bytes = self.blob(blobs, file.digest.as_ref())?.to_owned();
            self.files.insert(format!("{path}{}", file.name), (bytes, file.is_executable));
        }
        for folder in &folder.directories {
            let path = format!("{path}{}/", folder.name);
            self.walk(blobs, folder.digest.as_ref(), &path)?;
            self.folders.push(path);
        }
        Ok(())
    }

    /// The lines that the worker reads.
    pub(crate) fn lines(&self) -> Vec<&str> {
        let bytes = self.files.get("job/lines").map(|(bytes, _)| &**bytes).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default().lines().collect()
    }

    /// What `mcve worker --folder job` prints.
    pub(crate) fn output(&self) -> String {
        let lines = self.lines();
        if lines.first() != Some(&HELLO) {
            return json!({ "refused": "it is of another version of mcve" }).to_string() + "\n";
        }
        let answers = lines[1..].iter().map(|line| self.answer(line).to_string());
        std::iter::once(json!({ "ready": { "slots": 1 } }).to_string()).chain(answers).map(|line| line + "\n").collect()
    }

    fn answer(&self, line: &str) -> Value {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        let run = &line["run"];
        let (job, id) = (&run["job"], run["id"].as_u64().unwrap_or_default());
        let named = |field: &str| job[field].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let own = named("files").into_iter().map(|file| format!("job/blobs/{}", text(&file["hash"])));
        let outside = named("outside").into_iter().map(|file| format!("job/outside{}", text(&file["path"])));
        let hashes = named("files").into_iter().chain(named("outside")).map(|file| text(&file["hash"]));
        let mut n = job["seed"].as_u64().unwrap_or_default();
        for (path, expected) in own.chain(outside).zip(hashes) {
            match self.files.get(&path).filter(|(bytes, _)| hash(bytes) == expected) {
                Some((bytes, _)) => n += u64::try_from(bytes.len()).unwrap_or_default(),
                None => return json!({ "missing": id }),
            }
        }
        done(id, &text(&run["token"]), n)
    }
}
