//@ valid-by: +nightly -Znext-solver
//! A log of votes that is kept on a disk, in memory, or nowhere at all.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term(pub u64);

#[derive(Clone, Debug)]
pub struct Vote {
    pub term: Term,
    pub node: String,
}

impl Vote {
    pub fn new(term: u64, node: &str) -> Vote {
        Vote { term: Term(term), node: node.to_string() }
    }
}

impl fmt::Display for Vote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.node, self.term.0)
    }
}

#[derive(Debug)]
pub enum StoreError {
    Full { limit: usize },
    Old(Term),
}

/// Whatever keeps votes.
pub trait VoteStore {
    type Receipt: Default + Ord;

    fn save(&self, vote: &Vote, note: String) -> impl Future<Output = Self::Receipt> + Send;
    fn count(&self) -> usize;
    fn last(&self) -> Option<Vote>;
}

mod sys {
    /// Stops the machine.
    ///
    /// # Safety
    /// Nothing may be open.
    pub unsafe fn halt(code: u32) -> ! {
        eprintln!("halted with {code}");
        std::process::abort()
    }

    /// # Safety
    /// `from` points to `len` bytes.
    pub unsafe fn checksum(from: *const u8, len: usize) -> u32 {
        let bytes = unsafe { std::slice::from_raw_parts(from, len) };
        bytes.iter().fold(17, |sum, byte| sum * 31 + u32::from(*byte))
    }
}

#[derive(Default)]
pub struct Memory {
    votes: BTreeMap<u64, Vote>,
}

impl Memory {
    pub fn put(&mut self, vote: Vote) -> Result<(), StoreError> {
        if self.votes.len() > 100 {
            return Err(StoreError::Full { limit: 100 });
        }
        match self.votes.keys().next_back() {
            Some(&last) if last > vote.term.0 => Err(StoreError::Old(vote.term)),
            _ => {
                self.votes.insert(vote.term.0, vote);
                Ok(())
            }
        }
    }
}

impl VoteStore for Memory {
    type Receipt = u64;

    async fn save(&self, vote: &Vote, note: String) -> u64 {
        let name = note + &vote.node;
        self.votes.len() as u64 + name.len() as u64
    }
    fn count(&self) -> usize {
        self.votes.len()
    }
    fn last(&self) -> Option<Vote> {
        self.votes.values().next_back().cloned()
    }
}

/// A store that must not be written to.
pub struct Sealed {
    label: String,
    key: [u8; 8],
}

impl Sealed {
    fn sum(&self) -> u32 {
        unsafe { sys::checksum(self.key.as_ptr(), self.key.len()) }
    }
}

impl VoteStore for Sealed {
    type Receipt = u32;

    fn save(&self, vote: &Vote, note: String) -> impl Future<Output = u32> {
        let code = self.sum();
        unsafe { sys::halt(code) };
        let label = self.label.clone();
        async move {
            let text = format!("{label}: {vote}, {note}");
            drop(note);
            text.len() as u32
        }
    }
    fn count(&self) -> usize {
        self.label.len()
    }
    fn last(&self) -> Option<Vote> {
        None
    }
}

pub fn newest<S: VoteStore>(stores: &[S]) -> Option<Vote> {
    stores.iter().filter_map(|store| store.last()).max_by_key(|vote| vote.term)
}

fn main() {
    let mut memory = Memory::default();
    for (term, node) in [(1, "a"), (2, "b"), (2, "c")] {
        if let Err(error) = memory.put(Vote::new(term, node)) {
            println!("{error:?}");
        }
    }
    let sealed = Sealed { label: "cold".into(), key: *b"01234567" };
    println!("{} {} {:?}", memory.count(), sealed.count(), newest(&[memory]));
}
