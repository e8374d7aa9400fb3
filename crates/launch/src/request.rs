//! A launch request as bytes in an anonymous file whose descriptor is sent, so that it can have any length.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::fs::{MemfdFlags, memfd_create};

use crate::Launch;

/// The parameters of a process.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) program: CString,
    /// Its working directory.
    pub(crate) folder: CString,
    /// Its memory limit in bytes, if any.
    pub(crate) memory: Option<u64>,
    /// Its limit of processor time, if any.
    pub(crate) processor: Option<Duration>,
    /// How long all its processes may wait, if limited.
    pub(crate) waiting: Option<Duration>,
    /// Its writable paths, if confined.
    pub(crate) confined_to: Vec<CString>,
    /// Its arguments.
    pub(crate) words: Vec<CString>,
    /// Its environment variables, `NAME=VALUE`.
    pub(crate) env: Vec<CString>,
}

impl Request {
    /// Writes the request to a file in memory. Fails if a string contains a zero byte, or the system has no memory left.
    pub(crate) fn write(launch: &Launch<'_>) -> io::Result<OwnedFd> {
        let mut bytes = Vec::with_capacity(1 << 13);
        let confined_to = launch.confined_to.unwrap_or_default();
        let micros =
            |limit: Option<Duration>| limit.map_or(0, |limit| u64::try_from(limit.as_micros()).unwrap_or(u64::MAX));
        let limits = [launch.memory.unwrap_or(0), micros(launch.processor), micros(launch.waiting)];
        let counts = [confined_to.len() as u64, launch.words.len() as u64];
        for number in limits.into_iter().chain(counts) {
            bytes.extend(number.to_ne_bytes());
        }
        push(&mut bytes, &[launch.program.as_os_str()])?;
        push(&mut bytes, &[launch.folder.as_os_str()])?;
        for path in confined_to {
            push(&mut bytes, &[path.as_os_str()])?;
        }
        for word in launch.words {
            push(&mut bytes, &[word])?;
        }
        for (name, value) in launch.env {
            push(&mut bytes, &[name, OsStr::new("="), value])?;
        }
        let mut file = File::from(memfd_create("launch", MemfdFlags::CLOEXEC)?);
        file.write_all(&bytes)?;
        file.rewind()?;
        Ok(file.into())
    }

    /// Reads a request. Fails when the request is incomplete.
    pub(crate) fn read(memory: OwnedFd) -> io::Result<Self> {
        let mut bytes = Vec::new();
        File::from(memory).read_to_end(&mut bytes)?;
        let mut rest = &bytes[..];
        let mut number = || {
            let (head, tail) = rest.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
            rest = tail;
            io::Result::Ok(u64::from_ne_bytes(*head))
        };
        let memory = Some(number()?).filter(|bytes| *bytes > 0);
        let mut time = || io::Result::Ok(Some(number()?).filter(|micros| *micros > 0).map(Duration::from_micros));
        let (processor, waiting) = (time()?, time()?);
        let [paths, words] = [number()?, number()?].map(|count| usize::try_from(count).unwrap_or_default());
        let texts = rest.split_inclusive(|byte| *byte == 0);
        let mut texts = texts.filter_map(|text| CString::from_vec_with_nul(text.into()).ok());
        let (program, folder) = texts.next().zip(texts.next()).ok_or(io::ErrorKind::UnexpectedEof)?;
        let confined_to = texts.by_ref().take(paths).collect();
        let words = texts.by_ref().take(words).collect();
        Ok(Self { program, folder, memory, processor, waiting, confined_to, words, env: texts.collect() })
    }
}

/// Adds a string of several parts and a zero byte.
fn push(bytes: &mut Vec<u8>, parts: &[&OsStr]) -> io::Result<()> {
    for part in parts {
        if part.as_bytes().contains(&0) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a zero byte in an argument"));
        }
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes.push(0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;

    fn launch<'a>(words: &'a [OsString], env: &'a [(OsString, OsString)]) -> Launch<'a> {
        let (stdin, stdout, stderr) = (None, None, None);
        let (program, folder, memory, confined_to) = (Path::new("/p"), Path::new("/f"), Some(7), None);
        let [processor, waiting] = [20, 30].map(|millis| Some(Duration::from_millis(millis)));
        Launch { program, words, env, folder, stdin, stdout, stderr, memory, processor, waiting, confined_to }
    }

    #[test]
    fn what_is_written_is_read() {
        let words: Vec<OsString> = ["p", "", "x y"].map(OsString::from).to_vec();
        let env: Vec<(OsString, OsString)> = [("A", "1=2"), ("B", "")].map(|(a, b)| (a.into(), b.into())).to_vec();
        let confined_to = [Path::new("/g")];
        let launch = Launch { confined_to: Some(&confined_to), ..launch(&words, &env) };
        let memory = Request::write(&launch).expect("it has no zero");
        let request = Request::read(memory).expect("it is whole");
        assert_eq!((request.program.as_bytes(), request.folder.as_bytes()), (&b"/p"[..], &b"/f"[..]));
        assert_eq!((request.memory, request.words.len()), (Some(7), 3));
        let limits = [request.processor, request.waiting];
        assert_eq!(limits, [20, 30].map(|millis| Some(Duration::from_millis(millis))));
        assert_eq!(request.confined_to.iter().map(|text| text.as_bytes()).collect::<Vec<_>>(), [b"/g"]);
        assert_eq!(request.words[2].as_bytes(), b"x y");
        assert_eq!(request.env.iter().map(|text| text.as_bytes()).collect::<Vec<_>>(), [&b"A=1=2"[..], b"B="]);
    }

    #[test]
    fn a_zero_in_a_word_is_an_error() {
        let words = [OsString::from("a\0b")];
        assert_eq!(
            Request::write(&launch(&words, &[])).map_err(|error| error.kind()).err(),
            Some(io::ErrorKind::InvalidInput)
        );
    }
}
