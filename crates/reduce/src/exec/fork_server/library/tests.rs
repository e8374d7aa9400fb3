//! What is taken from the cache, and what is not, for a compiler that cannot make it.

use tempfile::TempDir;

use super::*;
use crate::exec::limits::Memory;

/// A cache, the folder of a run, and a compiler that is none, so that nothing can be made anew.
struct Setup {
    folder: TempDir,
    cache: Cache,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("rustc"), "#!/bin/sh\n").expect("it can be written");
        let cache = Cache::open(&folder.path().join("cache")).expect("it can be made");
        Self { folder, cache }
    }

    fn compiler(&self) -> PathBuf {
        self.folder.path().join("rustc")
    }

    fn name(&self) -> String {
        name(&self.compiler()).expect("it is there")
    }

    fn find(&self, run: &str) -> anyhow::Result<PathBuf> {
        let own = self.folder.path().join(run);
        find_or_build(&self.compiler(), Some(&self.cache), &own, &processes())
    }
}

fn processes() -> Processes {
    Processes::new(Memory::default(), None).expect("a temporary folder can be made")
}

#[test]
fn a_run_has_a_copy_that_nobody_exchanges_in_the_cache() {
    let place = Setup::new();
    place.cache.write(&place.name(), b"content").expect("it can be written");
    let file = place.find("run").expect("it is there");
    assert_eq!(file.parent(), Some(&*place.folder.path().join("run")));
    fs::write(place.cache.path(&place.name()), "other").expect("it can be written");
    assert_eq!(place.find("run").ok(), Some(file.clone()));
    assert_eq!(fs::read(&file).expect("it is there"), b"content");
    assert_eq!(fs::metadata(&file).expect("it is there").mode() & 0o777, 0o700);
    // It is removed, so another run makes it anew, which this compiler cannot do.
    fs::remove_file(place.cache.path(&place.name())).expect("it is there");
    assert!(place.find("other").is_err_and(|error| error.to_string().contains("is a script")));
}

#[test]
fn what_does_not_serve_is_removed_here_and_in_the_cache() {
    let place = Setup::new();
    place.cache.write(&place.name(), b"content").expect("it can be written");
    let file = place.find("run").expect("it is there");
    assert_eq!(discard(&file, &place.folder.path().join("cache"), &anyhow::anyhow!("why")), "why");
    assert!(!file.exists() && !place.cache.path(&place.name()).exists());
}

#[test]
fn without_a_cache_it_is_made_for_the_run() {
    let compiler = crate::exec::programs::rustc(None, None).expect("the tests are compiled by one");
    if can_be_served(&compiler, &processes()).is_err() {
        return;
    }
    let own = tempfile::tempdir().expect("a folder can be made");
    let file = find_or_build(&compiler, None, own.path(), &processes()).expect("it can be made");
    assert!(is_binary(&file) && file.parent() == Some(own.path()));
    assert_eq!(fs::read_dir(own.path()).expect("it is there").count(), 1);
}
