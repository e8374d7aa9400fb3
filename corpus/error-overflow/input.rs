//@ edition: 2021
// An append-only event log for a small warehouse, with a hand-written binary
// encoding and schema migrations that are described in the type system.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Everything that can go wrong between bytes and events.
pub mod error {
    use std::fmt;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Error {
        /// The input ended `missing` bytes too early.
        Eof { missing: usize },
        /// A variable-length integer with more than ten bytes.
        VarintTooLong,
        Utf8(std::str::Utf8Error),
        Tag { expected: &'static str, found: u8 },
        Checksum { stored: u32, computed: u32 },
        UnknownStream(String),
    }

    impl fmt::Display for Error {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Error::Eof { missing } => write!(f, "{missing} bytes are missing"),
                Error::VarintTooLong => f.write_str("integer is too long"),
                Error::Utf8(e) => write!(f, "text: {e}"),
                Error::Tag { expected, found } => {
                    write!(f, "expected {expected}, found the tag {found:#04x}")
                }
                Error::Checksum { stored, computed } => {
                    write!(f, "checksum {computed:08x} is not {stored:08x}")
                }
                Error::UnknownStream(name) => write!(f, "no stream `{name}`"),
            }
        }
    }

    impl std::error::Error for Error {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            match self {
                Error::Utf8(e) => Some(e),
                _ => None,
            }
        }
    }

    impl From<std::str::Utf8Error> for Error {
        fn from(e: std::str::Utf8Error) -> Self {
            Error::Utf8(e)
        }
    }

    pub type Result<T, E = Error> = std::result::Result<T, E>;
}

/// Growable output and borrowed input.
pub mod buffer {
    use crate::error::{Error, Result};

    #[derive(Debug, Default, Clone)]
    pub struct Writer {
        bytes: Vec<u8>,
    }

    impl Writer {
        pub fn with_capacity(n: usize) -> Self {
            Writer {
                bytes: Vec::with_capacity(n),
            }
        }

        pub fn put(&mut self, byte: u8) {
            self.bytes.push(byte);
        }

        pub fn extend(&mut self, bytes: &[u8]) {
            self.bytes.extend_from_slice(bytes);
        }

        /// LEB128: seven bits per byte, low bits first.
        pub fn varint(&mut self, mut value: u64) {
            while value >= 0x80 {
                self.put(value as u8 | 0x80);
                value >>= 7;
            }
            self.put(value as u8);
        }

        pub fn len(&self) -> usize {
            self.bytes.len()
        }

        pub fn is_empty(&self) -> bool {
            self.bytes.is_empty()
        }

        pub fn as_slice(&self) -> &[u8] {
            &self.bytes
        }

        pub fn into_bytes(self) -> Vec<u8> {
            self.bytes
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Reader<'a> {
        rest: &'a [u8],
    }

    impl<'a> Reader<'a> {
        pub fn new(bytes: &'a [u8]) -> Self {
            Reader { rest: bytes }
        }

        pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
            if self.rest.len() < n {
                return Err(Error::Eof {
                    missing: n - self.rest.len(),
                });
            }
            let (head, tail) = self.rest.split_at(n);
            self.rest = tail;
            Ok(head)
        }

        pub fn byte(&mut self) -> Result<u8> {
            self.take(1).map(|b| b[0])
        }

        pub fn varint(&mut self) -> Result<u64> {
            let mut value = 0u64;
            for shift in (0..64).step_by(7) {
                let byte = self.byte()?;
                value |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Ok(value);
                }
            }
            Err(Error::VarintTooLong)
        }

        pub fn is_empty(&self) -> bool {
            self.rest.is_empty()
        }
    }
}

/// A CRC-32 with a table that is computed at compile time.
pub mod crc {
    const fn table() -> [u32; 256] {
        let mut table = [0u32; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 == 1 {
                    0xedb8_8320 ^ (c >> 1)
                } else {
                    c >> 1
                };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    }

    static TABLE: [u32; 256] = table();

    pub fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |c, &b| {
            TABLE[((c ^ u32::from(b)) & 0xff) as usize] ^ (c >> 8)
        })
    }
}

/// Encoding and decoding of plain values.
pub mod codec {
    use crate::buffer::{Reader, Writer};
    use crate::error::{Error, Result};
    use std::collections::BTreeMap;

    pub trait Encode {
        fn encode(&self, out: &mut Writer);

        /// A guess, used to reserve space.
        fn size_hint(&self) -> usize {
            8
        }
    }

    pub trait Decode: Sized {
        fn decode(input: &mut Reader<'_>) -> Result<Self>;
    }

    macro_rules! unsigned {
        ($($ty:ident),+ $(,)?) => {
            $(
                impl Encode for $ty {
                    fn encode(&self, out: &mut Writer) {
                        out.varint(u64::from(*self));
                    }

                    fn size_hint(&self) -> usize {
                        std::mem::size_of::<$ty>() + 1
                    }
                }

                impl Decode for $ty {
                    fn decode(input: &mut Reader<'_>) -> Result<Self> {
                        Ok(input.varint()? as $ty)
                    }
                }
            )+
        };
    }

    unsigned!(u8, u16, u32, u64);

    impl Encode for i64 {
        fn encode(&self, out: &mut Writer) {
            // Zigzag: small magnitudes become short.
            out.varint(((self << 1) ^ (self >> 63)) as u64);
        }
    }

    impl Decode for i64 {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            let raw = input.varint()?;
            Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
        }
    }

    impl Encode for bool {
        fn encode(&self, out: &mut Writer) {
            out.put(u8::from(*self));
        }
    }

    impl Decode for bool {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            match input.byte()? {
                0 => Ok(false),
                1 => Ok(true),
                found => Err(Error::Tag {
                    expected: "a boolean",
                    found,
                }),
            }
        }
    }

    impl Encode for str {
        fn encode(&self, out: &mut Writer) {
            out.varint(self.len() as u64);
            out.extend(self.as_bytes());
        }

        fn size_hint(&self) -> usize {
            self.len() + 2
        }
    }

    impl Encode for String {
        fn encode(&self, out: &mut Writer) {
            self.as_str().encode(out);
        }

        fn size_hint(&self) -> usize {
            self.as_str().size_hint()
        }
    }

    impl Decode for String {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            let n = input.varint()? as usize;
            Ok(std::str::from_utf8(input.take(n)?)?.to_owned())
        }
    }

    impl<T: Encode> Encode for Vec<T> {
        fn encode(&self, out: &mut Writer) {
            out.varint(self.len() as u64);
            self.iter().for_each(|item| item.encode(out));
        }

        fn size_hint(&self) -> usize {
            2 + self.iter().map(Encode::size_hint).sum::<usize>()
        }
    }

    impl<T: Decode> Decode for Vec<T> {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            let n = input.varint()?;
            (0..n).map(|_| T::decode(input)).collect()
        }
    }

    impl<T: Encode> Encode for Option<T> {
        fn encode(&self, out: &mut Writer) {
            match self {
                None => out.put(0),
                Some(value) => {
                    out.put(1);
                    value.encode(out);
                }
            }
        }
    }

    impl<T: Decode> Decode for Option<T> {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            Ok(if bool::decode(input)? {
                Some(T::decode(input)?)
            } else {
                None
            })
        }
    }

    impl<K: Encode, V: Encode> Encode for BTreeMap<K, V> {
        fn encode(&self, out: &mut Writer) {
            out.varint(self.len() as u64);
            for (key, value) in self {
                key.encode(out);
                value.encode(out);
            }
        }
    }

    impl<A: Encode, B: Encode> Encode for (A, B) {
        fn encode(&self, out: &mut Writer) {
            self.0.encode(out);
            self.1.encode(out);
        }
    }
}

/// Schema versions and the steps between them.
pub mod schema {
    use std::marker::PhantomData;

    /// A numbered layout of an event.
    pub trait Schema {
        const NAME: &'static str;
        const VERSION: u16;
    }

    /// What an event of this layout turns into when it is read by newer code.
    pub trait Upgrade {
        /// The next newer layout.
        type Next;

        fn upgrade(self) -> Self::Next;
    }

    /// An event together with a patch note of the type `P`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Patched<M, P = ()> {
        pub event: M,
        pub notes: Vec<String>,
        marker: PhantomData<P>,
    }

    impl<M, P> Patched<M, P> {
        pub fn new(event: M) -> Self {
            Patched {
                event,
                notes: Vec::new(),
                marker: PhantomData,
            }
        }

        pub fn note(mut self, note: impl Into<String>) -> Self {
            self.notes.push(note.into());
            self
        }
    }

    impl<M: Schema, P> Schema for Patched<M, P> {
        const NAME: &'static str = M::NAME;
        const VERSION: u16 = M::VERSION + 1;
    }

    impl<M, P> Upgrade for Patched<M, P> {
        type Next = Patched<Patched<M, P>, P>;

        fn upgrade(self) -> Self::Next {
            Patched::new(self).note("upgraded")
        }
    }
}

/// Checksummed records.
pub mod record {
    use crate::buffer::Writer;
    use crate::codec::Encode;
    use crate::crc::crc32;
    use crate::migrate::{Migrate, Track};
    use crate::schema::Upgrade;

    /// An event that goes to the log with a checksum behind it. `S` is the
    /// type of the sequence number.
    #[derive(Debug, Clone)]
    pub struct Sealed<M, S> {
        pub body: M,
        pub sequence: S,
    }

    impl<M, S> Sealed<M, S> {
        pub fn new(body: M, sequence: S) -> Self {
            Sealed { body, sequence }
        }
    }

    impl<M, S> Encode for Sealed<M, S>
    where
        M: Upgrade + Encode,
        S: Encode + Copy,
        Track<M::Next, S>: Migrate<S>,
    {
        fn encode(&self, out: &mut Writer) {
            let mut inner = Writer::with_capacity(self.size_hint());
            self.sequence.encode(&mut inner);
            self.body.encode(&mut inner);
            let checksum = crc32(inner.as_slice());
            out.varint(inner.len() as u64);
            out.extend(inner.as_slice());
            out.extend(&checksum.to_le_bytes());
        }

        fn size_hint(&self) -> usize {
            12 + self.body.size_hint()
        }
    }
}

/// Migration of stored events.
pub mod migrate {
    use crate::codec::Encode;
    use crate::record::Sealed;
    use std::marker::PhantomData;

    /// The way of one event through the versions.
    pub struct Track<M, S> {
        marker: PhantomData<fn(M) -> S>,
    }

    pub trait Migrate<S> {
        /// Whether the newer layout can be written back.
        fn writable() -> bool;
    }

    impl<M, S> Migrate<S> for Track<M, S>
    where
        Sealed<M, S>: Encode,
    {
        fn writable() -> bool {
            true
        }
    }
}

/// The log: named streams of encoded records.
pub mod log {
    use crate::buffer::{Reader, Writer};
    use crate::codec::Encode;
    use crate::crc::crc32;
    use crate::error::{Error, Result};
    use std::collections::HashMap;

    #[derive(Debug, Default)]
    pub struct Log {
        streams: HashMap<String, Writer>,
        appended: u64,
    }

    impl Log {
        pub fn new() -> Self {
            Self::default()
        }

        /// Appends one record and returns its position in the stream.
        pub fn append<R>(&mut self, stream: &str, record: &R) -> usize
        where
            R: Encode + ?Sized,
        {
            let out = self.streams.entry(stream.to_owned()).or_default();
            let at = out.len();
            record.encode(out);
            self.appended += 1;
            at
        }

        /// The bodies of all records of a stream, with checked checksums.
        pub fn bodies(&self, stream: &str) -> Result<Vec<&[u8]>> {
            let bytes = self
                .streams
                .get(stream)
                .ok_or_else(|| Error::UnknownStream(stream.to_owned()))?;
            let mut reader = Reader::new(bytes.as_slice());
            let mut bodies = Vec::new();
            while !reader.is_empty() {
                let n = reader.varint()? as usize;
                let body = reader.take(n)?;
                let stored = reader
                    .take(4)?
                    .iter()
                    .rev()
                    .fold(0, |sum, &b| sum << 8 | u32::from(b));
                let computed = crc32(body);
                if stored != computed {
                    return Err(Error::Checksum { stored, computed });
                }
                bodies.push(body);
            }
            Ok(bodies)
        }

        pub fn appended(&self) -> u64 {
            self.appended
        }
    }
}

/// The events of the warehouse itself.
pub mod warehouse {
    use crate::buffer::{Reader, Writer};
    use crate::codec::{Decode, Encode};
    use crate::error::{Error, Result};
    use crate::schema::{Patched, Schema};

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Sku(pub u32);

    #[derive(Debug, Clone, PartialEq)]
    pub enum Event {
        Received { sku: Sku, count: u32 },
        Shipped { sku: Sku, count: u32, to: String },
        Counted { sku: Sku, difference: i64 },
    }

    impl Schema for Event {
        const NAME: &'static str = "warehouse.event";
        const VERSION: u16 = 3;
    }

    impl Encode for Sku {
        fn encode(&self, out: &mut Writer) {
            self.0.encode(out);
        }
    }

    impl Decode for Sku {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            u32::decode(input).map(Sku)
        }
    }

    impl Encode for Event {
        fn encode(&self, out: &mut Writer) {
            match self {
                Event::Received { sku, count } => {
                    out.put(b'r');
                    sku.encode(out);
                    count.encode(out);
                }
                Event::Shipped { sku, count, to } => {
                    out.put(b's');
                    sku.encode(out);
                    count.encode(out);
                    to.encode(out);
                }
                Event::Counted { sku, difference } => {
                    out.put(b'c');
                    (*sku, *difference).encode(out);
                }
            }
        }
    }

    impl Decode for Event {
        fn decode(input: &mut Reader<'_>) -> Result<Self> {
            let tag = input.byte()?;
            let sku = Sku::decode(input)?;
            Ok(match tag {
                b'r' => Event::Received {
                    sku,
                    count: u32::decode(input)?,
                },
                b's' => Event::Shipped {
                    sku,
                    count: u32::decode(input)?,
                    to: String::decode(input)?,
                },
                b'c' => Event::Counted {
                    sku,
                    difference: i64::decode(input)?,
                },
                found => {
                    return Err(Error::Tag {
                        expected: "an event",
                        found,
                    })
                }
            })
        }
    }

    impl<M: Encode + Schema, P> Encode for Patched<M, P> {
        fn encode(&self, out: &mut Writer) {
            <Self as Schema>::VERSION.encode(out);
            self.event.encode(out);
            self.notes.encode(out);
        }
    }
}

use error::Result;
use warehouse::{Event, Sku};

/// Current amounts, computed by replaying events.
#[derive(Debug, Default)]
struct Stock {
    amounts: BTreeMap<Sku, i64>,
    shipped_to: HashMap<String, u32>,
}

impl Stock {
    fn apply(&mut self, event: &Event) -> &mut Self {
        let (sku, difference) = match event {
            Event::Received { sku, count } => (*sku, i64::from(*count)),
            Event::Shipped { sku, count, to } => {
                *self.shipped_to.entry(to.clone()).or_insert(0) += count;
                (*sku, -i64::from(*count))
            }
            Event::Counted { sku, difference } => (*sku, *difference),
        };
        *self.amounts.entry(sku).or_default() += difference;
        self
    }

    fn negative(&self) -> impl Iterator<Item = Sku> + '_ {
        self.amounts
            .iter()
            .filter(|(_, &amount)| amount < 0)
            .map(|(&sku, _)| sku)
    }
}

impl fmt::Display for Stock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (Sku(number), amount) in &self.amounts {
            writeln!(f, "{number:>8} {amount:>6}")?;
        }
        for (to, count) in &self.shipped_to {
            writeln!(f, "{to}: {count}")?;
        }
        Ok(())
    }
}

fn sample() -> Vec<Event> {
    vec![
        Event::Received {
            sku: Sku(17),
            count: 40,
        },
        Event::Shipped {
            sku: Sku(17),
            count: 12,
            to: "Bergen".to_owned(),
        },
        Event::Counted {
            sku: Sku(17),
            difference: -1,
        },
    ]
}

fn main() -> Result<()> {
    let mut stock = Stock::default();
    let mut log = log::Log::new();
    for (sequence, event) in sample().into_iter().enumerate() {
        stock.apply(&event);
        let patched = schema::Patched::<_, ()>::new(event).note("imported");
        let record = record::Sealed::new(patched, sequence as u64);
        log.append("warehouse", &record);
    }
    let bodies = log.bodies("warehouse")?;
    println!("{} records of {}", bodies.len(), log.appended());
    print!("{stock}");
    for Sku(number) in stock.negative() {
        eprintln!("negative amount of {number}");
    }
    Ok(())
}
