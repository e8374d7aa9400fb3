//! mcve's side of the protocol with a fork server ([`mcve_preload::protocol`]).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use mcve_preload::protocol::{LONGEST, MOST};

use crate::exec::shim::Changes;

/// Prefixes of variables that are read before `main`: a running server has read them already.
const EARLY: [&str; 4] = ["GLIBC_", "LD_", "MALLOC_", "_RJEM_"];

/// The changes to the environment with which a server must be started.
pub(super) fn early(env: &[(OsString, Option<OsString>)]) -> Changes {
    env.iter().filter(|(name, _)| is_early(name)).cloned().collect()
}

fn is_early(name: &OsStr) -> bool {
    EARLY.iter().any(|early| name.as_bytes().starts_with(early.as_bytes()))
}

/// Encodes the request for a process in `folder` with these words, the program's name first, and these changes to the
/// environment except those that are [`early`]. None if it is too long, or no process could have such words.
pub(super) fn request(folder: &Path, words: &[OsString], env: &[(OsString, Option<OsString>)]) -> Option<Vec<u8>> {
    if words.len() > MOST || env.len() > MOST {
        return None;
    }
    let mut request = Vec::with_capacity(1 << 10);
    let env: Vec<_> = env.iter().filter(|(name, _)| !is_early(name)).collect();
    for count in [words.len(), env.len()] {
        request.extend(u32::try_from(count).ok()?.to_ne_bytes());
    }
    push(&mut request, &[folder.as_os_str()])?;
    for word in words {
        push(&mut request, &[word])?;
    }
    for (name, value) in env {
        if name.is_empty() || name.as_bytes().contains(&b'=') {
            return None;
        }
        match value {
            Some(value) => push(&mut request, &[name, OsStr::new("="), value])?,
            None => push(&mut request, &[name])?,
        }
    }
    (request.len() <= LONGEST).then_some(request)
}

/// Adds a text of several parts with a zero byte behind it; none if it contains one.
fn push(request: &mut Vec<u8>, parts: &[&OsStr]) -> Option<()> {
    for part in parts {
        let bytes = part.as_bytes();
        if bytes.contains(&0) {
            return None;
        }
        request.extend_from_slice(bytes);
    }
    request.push(0);
    Some(())
}

/// The number in a server's answer: that of a process, or its exit status.
pub(super) fn number(answer: &[u8]) -> Option<i32> {
    Some(i32::from_ne_bytes(answer.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use mcve_preload::protocol::HEAD;

    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn a_request_is_two_counts_and_texts_that_end_with_a_zero() {
        let env = [("A".into(), Some("1=2".into())), ("B".into(), None), ("C".into(), Some("".into()))];
        let request = request(Path::new("/f"), &words(&["rustc", "", "x y"]), &env).expect("it can be said");
        let (head, texts) = request.split_at(HEAD);
        assert_eq!(head, [3_u32.to_ne_bytes(), 3_u32.to_ne_bytes()].concat());
        assert_eq!(texts, b"/f\0rustc\0\0x y\0A=1=2\0B\0C=\0");
    }

    #[test]
    fn what_cannot_be_said_is_not_asked_for() {
        let folder = Path::new("/f");
        assert_eq!(request(folder, &words(&["a\0b"]), &[]), None);
        assert_eq!(request(folder, &words(&[&"x".repeat(LONGEST)]), &[]), None);
        assert_eq!(request(folder, &vec![OsString::new(); MOST + 1], &[]), None);
        for (name, value) in [("", Some("x")), ("a=b", Some("x")), ("a=b", None), ("a", Some("\0"))] {
            assert_eq!(request(folder, &[], &[(name.into(), value.map(OsString::from))]), None, "{name}");
        }
        let longest = words(&[&"x".repeat(LONGEST - HEAD - 3 - 1)]);
        assert_eq!(request(folder, &longest, &[]).map(|request| request.len()), Some(LONGEST));
    }

    #[test]
    fn an_answer_is_a_number() {
        assert_eq!(number(&(-7_i32).to_ne_bytes()), Some(-7));
        for answer in [&b""[..], b"123", b"12345"] {
            assert_eq!(number(answer), None);
        }
    }

    #[test]
    fn early_variables_are_for_the_start_of_a_server() {
        let [plain, early] = ["A", "LD_LIBRARY_PATH"].map(|name| (OsString::from(name), Some(OsString::from("x"))));
        let env = [plain.clone(), early.clone()];
        assert_eq!(super::early(&env), [early]);
        assert_eq!(request(Path::new("/"), &[], &env), request(Path::new("/"), &[], &[plain]));
    }
}
