// bug: `next` reads at the offset of `weight` and not of `next`, so a weight is followed as if it were an address.
// run: main
// fails: signal: 11
// fixed: .add(8) => .add(16)
// keeps: \.(byte_)?(add|offset)\(
// keeps: !=|==
#[repr(C)]
struct Node {
    id: u64,
    weight: u64,
    next: *const Node,
}

const END: *const Node = 64 as *const Node;

unsafe fn next(node: *const Node) -> *const Node {
    unsafe { *((node as *const u8).add(8) as *const *const Node) }
}

fn weight(first: *const Node) -> u64 {
    let mut at = first;
    let mut total = 0;
    while at != END {
        unsafe {
            if (*at).id == 0 {
                break;
            }
            total += (*at).weight;
            at = next(at);
        }
    }
    total
}

fn main() {
    println!("{}", weight(END));
    let last = Node { id: 3, weight: 4096, next: END };
    let middle = Node { id: 2, weight: 512, next: &last };
    let first = Node { id: 1, weight: 1024, next: &middle };
    println!("{}", weight(&first));
}
