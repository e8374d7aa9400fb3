//! Reads from what may be a pipe. It may never get a writer: reading ends when the run does.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use super::tool::proceed;

/// The wait before checking whether the run has to end.
const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The number of bytes read at once.
const READ: usize = 1 << 16;

/// The content of the file, pipe or device at `path`, up to `most` bytes.
///
/// # Errors
/// When it cannot be read, or the run has to end before all of it was read: interrupted, or out of time.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    // Otherwise opening a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(open(path, flags, Mode::empty())?);
    let mut bytes = Vec::new();
    while bytes.len() < most {
        proceed()?;
        match poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&PATIENCE)) {
            Ok(0) | Err(Errno::INTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut buffer = [0; READ];
        let wanted = READ.min(most - bytes.len());
        match file.read(&mut buffer[..wanted]) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    #[test]
    fn a_file_and_a_pipe_are_read_to_their_end() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("file");
        std::fs::write(&path, "x".repeat(READ + 1)).expect("it can be written");
        assert_eq!(read(&path, usize::MAX).expect("it can be read").len(), READ + 1);
        assert_eq!(read(&path, 3).expect("it can be read"), b"xxx");
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("it can be made");
        let written = std::thread::scope(|threads| {
            threads.spawn(|| {
                let mut end = OpenOptions::new().write(true).open(&pipe).expect("somebody reads");
                ["a", "b"].iter().for_each(|text| end.write_all(text.as_bytes()).expect("somebody reads"));
            });
            read(&pipe, usize::MAX).expect("it can be read")
        });
        assert_eq!(written, b"ab");
        assert!(read(&folder.path().join("none"), 1).is_err() && read(folder.path(), 1).is_err());
    }
}
