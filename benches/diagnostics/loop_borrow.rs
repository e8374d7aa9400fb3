// Why can a loop not gather mutable references that a method of the pool returns?
//@ error: cannot borrow `[^`]+` as mutable more than once at a time
//@ error: was mutably borrowed here in the previous iteration of the loop
//@ code: \b(for|while|loop)\b
#[derive(Debug, Default)]
struct Buffer { data: Vec<u8>, is_dirty: bool }

#[derive(Default)]
struct Pool { buffers: Vec<Buffer>, spare: Vec<Buffer> }

impl Pool {
    fn with(count: usize) -> Pool {
        let mut pool = Pool::default();
        for _ in 0..count { pool.buffers.push(Buffer::default()); }
        pool
    }
    fn buffer(&mut self, index: usize) -> &mut Buffer {
        if index >= self.buffers.len() { self.buffers.resize_with(index + 1, Buffer::default); }
        &mut self.buffers[index]
    }
    fn recycle(&mut self, buffer: Buffer) -> &mut Vec<Buffer> { self.spare.push(buffer); &mut self.spare }
}

fn write_all(pool: &mut Pool, parts: &[&str]) -> usize {
    let first = pool.buffer(0);
    first.is_dirty = false;
    let mut targets = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if !part.is_empty() { targets.push(pool.buffer(index)); }
    }
    for (target, part) in targets.iter_mut().zip(parts) { target.data.extend(part.bytes()); }
    targets.len()
}

fn main() {
    let mut pool = Pool::with(2);
    println!("{}", pool.recycle(Buffer::default()).len());
    println!("{}", write_all(&mut pool, &["ab", "c"]));
}
