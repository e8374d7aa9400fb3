// The copy is said to be unneeded, but the function keeps what it gets for longer than the borrow lives (rust-clippy#15252).
//@ tool: clippy
//@ lint: clippy::unnecessary_to_owned
//@ new-error: does not live long enough
struct Packet { payload: Box<dyn AsRef<[u8]>>, channel: u8 }

fn packet(channel: u8, payload: impl AsRef<[u8]> + 'static) -> Packet {
    Packet { payload: Box::new(payload), channel }
}

fn checksum(bytes: impl AsRef<[u8]>) -> u8 { bytes.as_ref().iter().fold(0, |sum, byte| sum ^ byte) }

fn read(text: &str) -> Vec<u8> { text.split(',').filter_map(|part| part.trim().parse().ok()).collect() }

fn first_packet(text: &str) -> Packet {
    let bytes = read(text);
    let head = &bytes;
    packet(1, head.to_vec())
}

fn sum(text: &str) -> u8 {
    let bytes = read(text);
    let tail = &bytes[1..];
    checksum(tail.to_vec())
}

fn main() {
    let first = first_packet("7, 9, 200");
    let size = (*first.payload).as_ref().len();
    println!("{} {size} {}", first.channel, sum("7, 9, 200"));
}
