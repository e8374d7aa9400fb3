//! Keys that are made, used, and refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};

use tempfile::TempDir;

use super::*;

fn config() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn key_of(config: &TempDir) -> PathBuf {
    config.path().join("mcve/key")
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

/// A folder with a key, and what is refused after a change to it.
#[track_caller]
fn check_refused(change: impl Fn(&Path), why: &str) {
    let config = config();
    UserKey::load_from(config.path()).expect("it can be made");
    change(&key_of(&config));
    let error = UserKey::load_from(config.path()).expect_err("it is no key to be trusted");
    assert!(format!("{error:#}").contains(why), "{error:#}");
}

#[test]
fn a_key_is_made_once_and_for_its_user_alone() {
    let config = config();
    let key = UserKey::load_from(&config.path().join("a/b")).expect("it can be made");
    let again = UserKey::load_from(&config.path().join("a/b")).expect("it is there");
    assert_eq!(key.0, again.0);
    assert_ne!(key.0, UserKey::load_from(config.path()).expect("it can be made").0);
    let mode = |path: &str| fs::metadata(config.path().join(path)).expect("it is there").mode() & 0o777;
    assert_eq!((mode("a/b/mcve"), mode("a/b/mcve/key")), (0o700, 0o600));
    assert_eq!(fs::read_dir(config.path().join("a/b/mcve")).expect("it is there").count(), 1);
}

#[test]
fn processes_that_begin_at_once_have_the_same_key() {
    let config = config();
    let load = || UserKey::load_from(config.path()).expect("it can be made").0;
    let keys: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[test]
fn a_code_is_of_one_message_one_purpose_and_one_key() {
    let (one, other) = (UserKey([1; LENGTH]), UserKey([2; LENGTH]));
    let code = one.sign("a", b"b");
    assert!(one.has_signed("a", b"b", &code) && one.has_signed("a", b"b", &format!("{code}\n")));
    assert!(!other.has_signed("a", b"b", &code));
    assert!(
        !one.has_signed("a", b"c", &code) && !one.has_signed("ab", b"", &code) && !one.has_signed("", b"ab", &code)
    );
    for wrong in ["", "0", "zz", "\u{e4}", &code[2..], &code[..62], &format!("{code}00"), &code.replace('7', "8")] {
        assert!(!one.has_signed("a", b"b", wrong), "{wrong}");
    }
    // By `hmac` and `hashlib.sha256` of Python, of b"a\0b".
    assert_eq!(code, "a77debbbd6ce22adea19a11fe55699cd1c3350caeb96dbbe63512ea0c6673b0c");
}

#[test]
fn a_key_that_others_may_know_is_refused() {
    for mode in [0o640, 0o604, 0o620, 0o666] {
        check_refused(|key| set_mode(key, mode), "others can read or write it");
    }
    check_refused(|key| set_mode(key.parent().expect("it has one"), 0o770), "others can write the folder");
    check_refused(|key| fs::write(key, [0; 31]).expect("it is ours"), "31 bytes");
    check_refused(|key| fs::write(key, []).expect("it is ours"), "0 bytes");
    check_refused(
        |key| {
            fs::rename(key, key.with_extension("real")).expect("it is ours");
            symlink("key.real", key).expect("it can be made");
        },
        "cannot use the key",
    );
    check_refused(
        |key| {
            fs::remove_file(key).expect("it is ours");
            fs::create_dir(key).expect("it can be made");
        },
        "it is no file",
    );
    check_refused(
        |key| {
            fs::remove_file(key).expect("it is ours");
            let made = std::process::Command::new("mkfifo").args(["-m", "600"]).arg(key).status();
            assert!(made.expect("there is such a command").success());
        },
        "it is no file",
    );
}

#[test]
fn a_key_of_somebody_else_is_refused() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can give a file away");
        return;
    }
    check_refused(|key| chown(key, Some(12345), None).expect("root can"), "somebody else's");
    check_refused(
        |key| chown(key.parent().expect("it has one"), Some(12345), None).expect("root can"),
        "somebody else's",
    );
    let config = config();
    chown(config.path(), Some(12345), None).expect("root can");
    let error = UserKey::load_from(config.path()).expect_err("it would not be the owner's");
    assert!(format!("{error:#}").contains("belongs to somebody else"), "{error:#}");
}

#[test]
fn where_none_can_be_made_there_is_none() {
    let config = config();
    fs::write(config.path().join("mcve"), "in the way").expect("it can be written");
    UserKey::load_from(config.path()).expect_err("there is no folder");
    UserKey::load_from(Path::new("/proc/self/no-such-folder")).expect_err("there is no folder");
}
