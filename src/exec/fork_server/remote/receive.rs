//! How a server is asked for a process.

use core::ptr;

use crate::request::{CONTROL, HEAD, LONGEST, MOST};
use crate::system::*;

/// The request that is served. What a child makes its environment of stays here.
static mut REQUEST: [u8; LONGEST] = [0; LONGEST];
/// The words of the request, with a null behind the last one.
static mut WORDS: [*mut u8; MOST + 1] = [ptr::null_mut(); MOST + 1];

/// A request. Its texts are good until the next one is received.
pub struct Request {
    /// The folder of the process.
    pub folder: *mut u8,
    /// How many words there are.
    pub argc: i32,
    /// The words.
    pub argv: *mut *mut u8,
    /// The variables.
    pub variables: Texts,
    /// Standard output and standard error.
    pub descriptors: [i32; 2],
}

/// The next request. None if there is none any more, or it is no good.
pub unsafe fn receive(socket: i32) -> Option<Request> {
    let mut piece = Piece { base: ptr::addr_of_mut!(REQUEST).cast(), length: LONGEST };
    let mut control = Control { length: 0, level: 0, kind: 0, descriptors: [-1; 2] };
    let mut message = Message {
        name: ptr::null_mut(),
        name_length: 0,
        pieces: &mut piece,
        pieces_count: 1,
        control: &mut control,
        control_length: core::mem::size_of::<Control>(),
        flags: 0,
    };
    let length = recvmsg(socket, &mut message, MSG_CMSG_CLOEXEC);
    let whole = message.flags & (MSG_TRUNC | MSG_CTRUNC) == 0;
    let as_told = control.length == CONTROL + 4 * 2 && control.level == SOL_SOCKET && control.kind == SCM_RIGHTS;
    if length > 0 && whole && as_told {
        read(length as usize, control.descriptors)
    } else {
        None
    }
}

/// Takes the request apart.
unsafe fn read(length: usize, descriptors: [i32; 2]) -> Option<Request> {
    let request: *mut u8 = ptr::addr_of_mut!(REQUEST).cast();
    if length <= HEAD || *request.add(length - 1) != 0 {
        return None;
    }
    let words = ptr::read_unaligned(request.cast::<u32>()) as usize;
    let variables = ptr::read_unaligned(request.add(4).cast::<u32>()) as usize;
    if words > MOST || variables > MOST {
        return None;
    }
    let mut texts = Texts { next: request.add(HEAD), end: request.add(length), left: 1 + words };
    let folder = texts.next()?;
    let argv: *mut *mut u8 = ptr::addr_of_mut!(WORDS).cast();
    for index in 0..words {
        *argv.add(index) = texts.next()?;
    }
    *argv.add(words) = ptr::null_mut();
    texts.left = variables;
    Some(Request { folder, argc: words as i32, argv, variables: texts, descriptors })
}

/// Texts with a zero behind each.
#[derive(Clone, Copy)]
pub struct Texts {
    next: *mut u8,
    end: *mut u8,
    left: usize,
}

impl Iterator for Texts {
    type Item = *mut u8;

    fn next(&mut self) -> Option<*mut u8> {
        if self.left == 0 || self.next >= self.end {
            return None;
        }
        self.left -= 1;
        let text = self.next;
        // SAFETY: It is below the end, and the last byte before the end is a zero.
        unsafe {
            self.next = self.next.add(strlen(text) + 1);
        }
        Some(text)
    }
}

/// Sends a whole message; whether that went well.
pub unsafe fn tell(socket: i32, message: &[u8]) -> bool {
    send(socket, message.as_ptr(), message.len(), MSG_NOSIGNAL) == message.len() as isize
}
