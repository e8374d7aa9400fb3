// bug: `high` is never brought below the modulus as `low` is, so it grows past the end of its type.
// run: main
// fails: attempt to add with overflow
// fixed: self.high += self.low; => self.high = (self.high + self.low) % MODULUS;
// keeps: \+=
const MODULUS: u16 = 251;

trait Digest {
    fn feed(&mut self, data: &[u8]);
    fn value(&self) -> u32;
}

#[derive(Default)]
struct Adler {
    low: u16,
    high: u16,
}

impl Digest for Adler {
    fn feed(&mut self, data: &[u8]) {
        for byte in data {
            self.low = (self.low + *byte as u16) % MODULUS;
            self.high += self.low;
        }
    }

    fn value(&self) -> u32 {
        (self.high as u32) << 16 | self.low as u32
    }
}

fn digest<D: Digest + Default>(parts: &[&[u8]]) -> u32 {
    let mut state = D::default();
    for part in parts {
        state.feed(part);
    }
    state.value()
}

fn main() {
    println!("{:08x}", digest::<Adler>(&[b"a few", b"words"]));
    let page: Vec<u8> = (0..1500u32).map(|i| (i * 7 % 256) as u8).collect();
    println!("{:08x}", digest::<Adler>(&[&page]));
}
