//! Messages with descriptors over `SOCK_SEQPACKET` sockets.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, recv, recvmsg, send, sendmsg, socketpair,
};

/// The maximum number of descriptors in a message.
pub(crate) const MOST: usize = 5;

/// Two connected sockets. Fails when no descriptor is left.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Sends a byte with these descriptors. Fails when the other end is closed.
pub(crate) fn pass(socket: impl AsFd, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(descriptors));
    retry_on_intr(|| sendmsg(&socket, &[IoSlice::new(b"l")], &mut control, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives a byte with descriptors; none when the other end is closed.
pub(crate) fn take(socket: impl AsFd) -> io::Result<Option<Vec<OwnedFd>>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = retry_on_intr(|| recvmsg(&socket, &mut [IoSliceMut::new(&mut byte)], &mut control, flags))?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let messages = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => Some(descriptors),
        _ => None,
    });
    Ok(Some(messages.flatten().collect()))
}

/// Sends numbers. Fails when the other end is closed.
pub(crate) fn tell<const N: usize>(socket: impl AsFd, numbers: [i32; N]) -> io::Result<()> {
    let bytes = numbers.map(i32::to_ne_bytes);
    retry_on_intr(|| send(&socket, bytes.as_flattened(), SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives `N` numbers; none when the other end is closed.
pub(crate) fn hear<const N: usize>(socket: impl AsFd) -> io::Result<Option<[i32; N]>> {
    let mut bytes = [[0; 4]; N];
    let (_, length) = retry_on_intr(|| recv(&socket, bytes.as_flattened_mut(), RecvFlags::empty()))?;
    Ok((length == 4 * N).then(|| bytes.map(i32::from_ne_bytes)))
}

/// Whether data or the end can be read immediately.
pub(crate) fn is_readable(descriptor: impl AsFd) -> io::Result<bool> {
    let mut waited = [PollFd::new(&descriptor, PollFlags::IN)];
    match poll(&mut waited, Some(&Timespec::default())) {
        Err(Errno::INTR) => Ok(false),
        ready => Ok(ready? > 0),
    }
}
