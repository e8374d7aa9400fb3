//! Files that jobs name by the paths that they have on the machine of the client, such as the dependencies of a package.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::file::{SentFile, is_inside};
use crate::exec::job::{Job, Word};
use crate::locked::lock;

/// Folders of the system: what is there is expected to be the same on all machines.
const SYSTEM: [&str; 8] = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/dev", "/proc"];

/// The ends of the names of libraries, as which a folder of `-L` is sent.
const LIBRARIES: [&str; 5] = ["rlib", "rmeta", "so", "a", "dylib"];

/// The variable with the folder of what a build script made.
const MADE: &str = "OUT_DIR";

/// Finds such files. Each is read once, as dependencies stay what they are.
#[derive(Default)]
pub(super) struct Outside {
    toolchain: PathBuf,
    known: Mutex<HashMap<PathBuf, Arc<[SentFile]>>>,
}

impl Outside {
    /// Finds the files of jobs of this compiler.
    pub(super) fn of(compiler: &Path) -> Self {
        Self { toolchain: sysroot(compiler).unwrap_or(compiler).to_owned(), ..Self::default() }
    }

    /// The files that a job names, without those of its toolchain and of the system, in the order of their paths. Fails if one
    /// cannot be read.
    pub(super) fn files(&self, job: &Job) -> io::Result<Vec<SentFile>> {
        let words = job.argv.iter().chain(job.steps.iter().flat_map(|step| &step.argv)).filter_map(|word| match word {
            Word::Text(text) => text.to_str(),
            Word::File { .. } => None,
        });
        let made = job.env.iter().filter(|(name, _)| name == MADE).filter_map(|(_, value)| value.as_deref()?.to_str());
        let mut found = BTreeMap::new();
        for (path, is_made) in words.flat_map(paths).map(|path| (path, false)).chain(made.map(|path| (path, true))) {
            let path = Path::new(path);
            if path.starts_with(&self.toolchain) || SYSTEM.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            let known = lock(&self.known).get(path).cloned();
            let files = match known {
                Some(files) => files,
                None => {
                    let files: Arc<[SentFile]> = read(path, is_made)?.into();
                    lock(&self.known).insert(path.to_owned(), Arc::clone(&files));
                    files
                }
            };
            found.extend(files.iter().map(|file| (file.path.clone(), file.clone())));
        }
        Ok(found.into_values().collect())
    }
}

/// The file at a path, the libraries of a folder, or all that is in it.
fn read(path: &Path, is_whole: bool) -> io::Result<Vec<SentFile>> {
    if path.is_file() {
        return Ok(vec![SentFile::new(path.to_owned(), &fs::read(path)?)]);
    }
    let Ok(entries) = fs::read_dir(path) else { return Ok(Vec::new()) };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_library = path.extension().and_then(OsStr::to_str).is_some_and(|end| LIBRARIES.contains(&end));
        if is_whole || is_library && path.is_file() {
            files.extend(read(&path, is_whole)?);
        }
    }
    Ok(files)
}

/// Where in a word an absolute path begins: `/a`, `-L/a`, `--extern=name=/a`.
fn begins(word: &str, at: usize) -> bool {
    at == 0 || word.as_bytes()[at - 1] == b'=' || at == 2 && word.starts_with("-L")
}

/// The absolute paths in a word.
fn paths(word: &str) -> impl Iterator<Item = &str> {
    word.match_indices('/').filter(|(at, _)| begins(word, *at)).map(|(at, _)| &word[at..])
}

/// Where things of the client are on the machine of a worker.
pub(super) struct Places<'p> {
    /// The folder of the toolchain there and here.
    pub(super) toolchain: &'p [String; 2],
    /// The folder that has the files, each by its path there.
    pub(super) folder: &'p Path,
    pub(super) files: &'p [SentFile],
}

impl Places<'_> {
    /// A word of a command as it is here.
    pub(super) fn word(&self, word: &str) -> String {
        let is_sent = |path: &str| self.files.iter().any(|file| file.path.starts_with(path));
        let mut moved = String::new();
        for (at, c) in word.char_indices() {
            if c == '/' && begins(word, at) && is_sent(&word[at..]) {
                moved.push_str(&self.folder.to_string_lossy());
            }
            moved.push(c);
        }
        moved.replace(&self.toolchain[0], &self.toolchain[1])
    }

    /// The value of a variable as it is here.
    pub(super) fn value(&self, name: &str, value: &str) -> String {
        if name == MADE { self.word(value) } else { value.replace(&self.toolchain[0], &self.toolchain[1]) }
    }

    /// What a job printed, as it would have been there.
    pub(super) fn printed(&self, bytes: &[u8]) -> Vec<u8> {
        if self.files.is_empty() {
            return bytes.to_owned();
        }
        String::from_utf8_lossy(bytes).replace(&*self.folder.to_string_lossy(), "").into()
    }

    /// The path here of a file that was sent.
    pub(super) fn path(&self, file: &SentFile) -> Option<PathBuf> {
        let path = file.path.strip_prefix("/").ok()?;
        is_inside(path).then(|| self.folder.join(path))
    }
}

/// The folder of a toolchain, of which this is the compiler.
pub(super) fn sysroot(compiler: &Path) -> Option<&Path> {
    compiler.parent()?.parent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_commands_are_found_and_moved() {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let at = |path: &str| folder.path().join(path).to_string_lossy().into_owned();
        for path in ["deps/liba.rlib", "deps/a.d", "out/b/c.rs", "native/libn.a", "sysroot/lib/libstd.rlib"] {
            fs::create_dir_all(Path::new(&at(path)).parent().expect("it is in a folder")).expect("it is made");
            fs::write(at(path), path).expect("it is written");
        }
        let words = [
            at("sysroot/bin/rustc"),
            format!("--extern=a={}", at("deps/liba.rlib")),
            format!("dependency={}", at("deps")),
            format!("-L{}", at("native")),
            "/usr".to_owned(),
            at("sysroot/lib/libstd.rlib"),
            "--cfg=feature=\"a/b\"".to_owned(),
        ];
        let job = Job {
            argv: words.iter().map(|word| Word::Text(word.into())).collect(),
            env: vec![(MADE.into(), Some(at("out").into())), ("HOME".into(), Some(at("").into()))],
            ..Job::default()
        };
        let files = Outside::of(Path::new(&words[0])).files(&job).expect("all can be read");
        let found: Vec<_> = files.iter().map(|file| file.path.to_string_lossy().into_owned()).collect();
        assert_eq!(found, ["deps/liba.rlib", "native/libn.a", "out/b/c.rs"].map(at));

        let toolchain = [at("sysroot"), "/tools".to_owned()];
        let places = Places { toolchain: &toolchain, folder: Path::new("/here"), files: &files };
        let moved = |path: &str| format!("/here{}", at(path));
        let expected = [
            "/tools/bin/rustc".to_owned(),
            format!("--extern=a={}", moved("deps/liba.rlib")),
            format!("dependency={}", moved("deps")),
            format!("-L{}", moved("native")),
            "/usr".to_owned(),
            "/tools/lib/libstd.rlib".to_owned(),
            words[6].clone(),
        ];
        assert_eq!(words.map(|word| places.word(&word)), expected);
        assert_eq!(places.value(MADE, &at("out")), moved("out"));
        assert_eq!(places.value("CARGO_MANIFEST_DIR", &at("out")), at("out"));
        assert_eq!(places.printed(moved("deps/liba.rlib").as_bytes()), at("deps/liba.rlib").as_bytes());
        assert_eq!(places.path(&files[0]), Some(moved("deps/liba.rlib").into()));
        let leads_out = SentFile::new("/a/../../etc/passwd".into(), b"");
        assert_eq!(places.path(&leads_out), None);
    }
}
