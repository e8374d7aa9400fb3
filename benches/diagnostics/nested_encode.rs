// A list of values cannot be sent, and the reason is that the type inside the containers is not `Encode`.
//@ error: the trait bound `(\w+): (\w+)` is not satisfied(?s:.*)required for `[^`]*<[^`]*\b\1\b[^`]*>` to implement `\2`
//@ error: required by a bound in|required by this bound in
trait Encode {
    fn encode(&self, out: &mut Vec<u8>);
}

impl Encode for u16 {
    fn encode(&self, out: &mut Vec<u8>) { out.extend(self.to_be_bytes()); }
}
impl Encode for str {
    fn encode(&self, out: &mut Vec<u8>) { (self.len() as u16).encode(out); out.extend(self.bytes()); }
}
impl<T: Encode> Encode for Option<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.is_some() as u8);
        if let Some(value) = self { value.encode(out); }
    }
}
impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        (self.len() as u16).encode(out);
        for value in self { value.encode(out); }
    }
}

#[derive(Debug, Clone)]
struct Position { x: u16, y: u16 }

fn send<M: Encode + ?Sized>(message: &M) -> usize {
    let mut out = Vec::new();
    message.encode(&mut out);
    out.len()
}

fn main() {
    let player = Position { x: 3, y: 4 };
    println!("{}", send("hello") + send(&player.x) + send(&vec![Some(player.y), None]));
    let track: Vec<Option<Position>> = vec![Some(player.clone()), None];
    println!("{} {:?}", send(&track), player);
}
