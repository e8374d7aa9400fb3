//! Code in huge pages.

use core::ptr;

use crate::system::*;

const HUGE_PAGE: usize = 1 << 21;
/// A library with less code than so many huge pages keeps its own.
const FEWEST: usize = 4;

/// To move the code costs as much as so many forks lose by small pages.
const PAYS: usize = 48;

/// The most pieces of code that are moved.
const PIECES: usize = 8;

/// How many forks are to come before the code is moved; never, if that is zero.
static mut LEFT: usize = 0;

/// Code that is to be moved.
static mut CODE: [Piece; PIECES] = [NOTHING; PIECES];

const NOTHING: Piece = Piece { base: ptr::null_mut(), length: 0 };

/// There are huge pages.
pub unsafe fn allow() {
    LEFT = PAYS;
}

/// Is called before each fork. When it pays, a thread begins to move the code.
///
/// A fork does not take along which pages of a file are mapped, so that each child would meet a thousand of them anew.
/// Huge pages it takes along, and there are few. Meanwhile nobody here runs that code, and a child has it as it was or as it
/// will be, each with the same bytes.
pub unsafe fn before_fork() {
    if LEFT > 0 {
        LEFT -= 1;
        if LEFT == 0 {
            dl_iterate_phdr(find, 0);
            let mut thread = 0;
            // Without it the code stays where it is.
            pthread_create(&mut thread, ptr::null(), move_all, ptr::null_mut());
        }
    }
}

/// Takes notice of the code of a library.
unsafe extern "C" fn find(object: *const Object, _: usize, _: usize) -> i32 {
    let segments = core::slice::from_raw_parts((*object).segments, usize::from((*object).segments_count));
    let is_code = |segment: &&Segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0;
    // Where a library was laid out by profiles, what is used stands in a segment that is made for huge pages.
    let is_made_for_it = |segment: &&Segment| is_code(segment) && segment.alignment >= HUGE_PAGE;
    let all = !segments.iter().any(|segment| is_made_for_it(&segment));
    let code: *mut Piece = ptr::addr_of_mut!(CODE).cast();
    for segment in segments.iter().filter(|segment| is_made_for_it(segment) || all && is_code(segment)) {
        let begin = (*object).address + segment.address;
        let (first, end) = ((begin + HUGE_PAGE - 1) / HUGE_PAGE, (begin + segment.size) / HUGE_PAGE);
        let free = (0..PIECES).find(|&index| (*code.add(index)).length == 0);
        // A smaller one may be the one that runs here; it would not pay, either.
        if let (Some(index), true) = (free, end >= first + FEWEST) {
            *code.add(index) = Piece { base: (first * HUGE_PAGE) as *mut u8, length: (end - first) * HUGE_PAGE };
        }
    }
    0
}

unsafe extern "C" fn move_all(_: *mut u8) -> *mut u8 {
    let code: *const Piece = ptr::addr_of!(CODE).cast();
    for index in 0..PIECES {
        let piece = &*code.add(index);
        if piece.length > 0 {
            move_code(piece.base, piece.length);
        }
    }
    ptr::null_mut()
}

/// Puts a copy in huge pages in the place of the code there. Where that cannot be, it stays as it is.
unsafe fn move_code(code: *mut u8, length: usize) {
    let (room, access) = (length + HUGE_PAGE, PROT_READ | PROT_WRITE);
    let mapped = mmap(ptr::null_mut(), room, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if mapped as isize == -1 {
        return;
    }
    let before = (HUGE_PAGE - mapped as usize % HUGE_PAGE) % HUGE_PAGE;
    let copy = mapped.add(before);
    if madvise(copy, length, MADV_HUGEPAGE) == 0 {
        ptr::copy_nonoverlapping(code, copy, length);
        if mprotect(copy, length, PROT_READ | PROT_EXEC) == 0 {
            mremap(copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, code);
        }
    }
    // Of what was moved there is nothing left to unmap.
    munmap(mapped, room);
}
