//! What a service does otherwise than it should.

use std::collections::VecDeque;

use tonic::Code;

/// The faults of a service, in the order in which they come. After them it does what it should.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) executes: VecDeque<Deed>,
    /// In place of what comes after those.
    pub(crate) always: Option<Deed>,
    pub(crate) waits: VecDeque<Wait>,
    pub(crate) finds: VecDeque<Code>,
    pub(crate) batches: VecDeque<Batch>,
    pub(crate) writes: VecDeque<Write>,
    pub(crate) reads: VecDeque<Read>,
}

/// What becomes of an action.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    /// The worker answers.
    Works,
    /// The call fails.
    Rejects(Code),
    /// The operation ends with a response of this status.
    Ends(Code),
    /// The operation ends with this error.
    Errs(Code),
    /// The operation ends with a response without a result.
    Lacks,
    /// The operation ends with bytes that are no response.
    Garbles,
    /// The stream ends after the name of the operation. The action goes on.
    Breaks,
    /// The stream ends with this status after the name of the operation. The action goes on.
    BreaksBy(Code),
    /// The stream ends before it has a name.
    BreaksUnnamed,
    /// The worker answers once the gate is open.
    Waits,
    /// The operation is named once the gate is open. It does not end by itself.
    NamesLate,
    /// All blobs are gone before it begins.
    Evicts,
    /// The action ends with this exit code, and printed this.
    Prints(i32, String),
    /// The cache says that an action of this kind ended with this exit code, and printed this.
    Cached(i32, String),
    /// The answer is one to another job.
    Misleads,
    /// The answer ends after so many bytes of hundred.
    Cuts(usize),
    /// The answer is in the store.
    Stores,
}

/// What becomes of a wait for an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    Rejects(Code),
    /// The stream ends before the action.
    Breaks,
}

/// What becomes of several blobs in one message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Batch {
    Rejects(Code),
    /// The last of them is not taken.
    Spoils(Code),
}

/// What becomes of a large blob.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Rejects(Code),
    /// It is not stored, and one byte less is said to be.
    Shortens,
    /// Nothing is read of it after the first part: somebody else has sent it.
    Has(Vec<u8>),
}

/// What becomes of an output in the store.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Read {
    Rejects(Code),
    /// A byte of it is another one.
    Corrupts,
    /// Its last byte is not sent.
    Shortens,
}

impl Script {
    pub(crate) fn executes(deeds: impl IntoIterator<Item = Deed>) -> Self {
        Self { executes: deeds.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn always(deed: Deed) -> Self {
        Self { always: Some(deed), ..Self::default() }
    }
}
