//! Jobs as actions: a folder with the job and its files, in which `mcve worker` runs it.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::command::EnvironmentVariable;
use bazel_remote_apis::build::bazel::remote::execution::v2::platform::Property;
use bazel_remote_apis::build::bazel::remote::execution::v2::{Action as Message, Command, Digest, Platform};
use bazel_remote_apis::google::protobuf;
use data_encoding::BASE64;

use crate::arguments::Arguments;
use crate::lines::Job;
use crate::tree::{Blob, Tree};

/// The folder of the job in that of the action.
const FOLDER: &str = "job";

/// The time that an action may take longer than its job, which has a limit of its own.
const GRACE: Duration = Duration::from_secs(30);

/// The time that a worker may take to say that it is ready.
const GREETING: Duration = Duration::from_secs(60);

/// An action with all that a service needs for it.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) digest: Digest,
    pub(crate) blobs: Vec<Blob>,
    /// How long the service may take.
    pub(crate) timeout: Duration,
}

/// Makes actions.
#[derive(Debug)]
pub(crate) struct Actions {
    hello: String,
    /// The folder that all actions share.
    common: Tree,
    command: Blob,
    platform: Option<Platform>,
    salt: Vec<u8>,
    /// The files that came with earlier jobs, by their hashes.
    files: Mutex<HashMap<String, Blob>>,
}

impl Actions {
    /// Makes actions for the client that says `hello`. Fails if the program of the checks cannot be read.
    pub(crate) fn new(arguments: &Arguments, hello: &str) -> io::Result<Self> {
        let mut common = Tree::default();
        // Where the folder becomes the root, programs look for this one.
        common.folder("tmp");
        let program = match &arguments.installed {
            Some(path) => path.clone(),
            None => {
                let beside = || Ok::<_, io::Error>(std::env::current_exe()?.with_file_name("mcve"));
                let path = arguments.program.clone().map_or_else(beside, Ok)?;
                common.add("mcve", Blob::new(std::fs::read(path)?), true);
                "./mcve".to_owned()
            }
        };
        let mut env = arguments.env.clone();
        if !env.iter().any(|(name, _)| name == "PATH") {
            env.extend(std::env::var("PATH").map(|path| ("PATH".to_owned(), path)));
        }
        env.sort();
        let mut properties = arguments.platform.clone();
        properties.sort();
        let properties = properties.into_iter().map(|(name, value)| Property { name, value }).collect::<Vec<_>>();
        let platform = (!properties.is_empty()).then_some(Platform { properties });
        let command = Blob::of(&Command {
            arguments: vec![program, "worker".to_owned(), "--folder".to_owned(), FOLDER.to_owned()],
            environment_variables: env.into_iter().map(|(name, value)| EnvironmentVariable { name, value }).collect(),
            ..Command::default()
        });
        let (hello, salt, files) = (hello.to_owned(), arguments.salt.clone().into(), Mutex::default());
        Ok(Self { hello, common, command, platform, salt, files })
    }

    /// The action of a worker that only says whether it is ready.
    pub(crate) fn greeting(&self) -> Action {
        self.of(self.common.clone(), format!("{}\n", self.hello), GREETING)
    }

    /// The action of a job; none if the bytes of a file are missing.
    pub(crate) fn action(&self, job: Job) -> Option<Action> {
        let mut known = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = HashMap::new();
        for (hash, text) in &job.blobs {
            own.insert(hash.clone(), Blob::new(BASE64.decode(text.as_bytes()).ok()?));
        }
        let (files, outside) = (job.files("files")?, job.files("outside")?);
        let mut tree = self.common.clone();
        for file in &files {
            let blob = own.get(&file.hash).or(known.get(&file.hash))?;
            tree.add(&format!("{FOLDER}/blobs/{}", file.hash), blob.clone(), false);
        }
        for file in &outside {
            let blob = own.get(&file.hash).or(known.get(&file.hash))?;
            tree.add(&format!("{FOLDER}/outside/{}", file.path), blob.clone(), false);
        }
        // A client sends a small file with each of its jobs.
        let is_sent_once =
            |hash: &String| job.blobs[hash].len() >= 1 << 16 || outside.iter().any(|file| file.hash == *hash);
        known.extend(own.into_iter().filter(|(hash, _)| is_sent_once(hash)));
        let timeout = Duration::from_millis(job.timeout_ms);
        Some(self.of(tree, format!("{}\n{}\n", self.hello, job.line()), timeout))
    }

    fn of(&self, mut tree: Tree, lines: String, timeout: Duration) -> Action {
        tree.add(&format!("{FOLDER}/lines"), Blob::new(lines.into_bytes()), false);
        let mut blobs = vec![self.command.clone()];
        let root = tree.digest(&mut blobs);
        let timeout = timeout.saturating_add(GRACE);
        let seconds = i64::try_from(timeout.as_secs()).unwrap_or(i64::MAX);
        let nanos = i32::try_from(timeout.subsec_nanos()).expect("a second has fewer");
        let action = Blob::of(&Message {
            command_digest: Some(self.command.digest.clone()),
            input_root_digest: Some(root),
            timeout: Some(protobuf::Duration { seconds, nanos }),
            salt: self.salt.clone(),
            platform: self.platform.clone(),
            ..Message::default()
        });
        let digest = action.digest.clone();
        blobs.push(action);
        Action { digest, blobs, timeout }
    }
}
