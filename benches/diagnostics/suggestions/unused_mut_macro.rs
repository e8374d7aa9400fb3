// A `mut` in a macro is said to be unneeded because of one call, and another call needs it (rust-lang/rust#105149).
//@ tool: rustc
//@ lint: unused_mut
//@ new-error: cannot assign twice to immutable variable
use std::collections::BTreeMap;

macro_rules! total {
    ($base:expr $(, $extra:expr)?) => {{
        let mut sum = $base;
        $(sum += $extra;)?
        sum
    }};
}

#[derive(Debug)]
struct Order { pieces: u32, price: u32, shipping: u32 }

impl Order {
    fn goods(&self) -> u32 { total!(self.pieces * self.price) }
    fn full(&self) -> u32 { total!(self.goods(), self.shipping) }
}

fn by_size(orders: &[Order]) -> BTreeMap<u32, usize> {
    let mut sizes = BTreeMap::new();
    for order in orders { *sizes.entry(order.pieces).or_insert(0) += 1; }
    sizes
}

fn main() {
    let mut orders = vec![Order { pieces: 2, price: 30, shipping: 5 }];
    let mut first = &orders[0];
    println!("{} {}", first.goods(), first.full());
    orders.push(Order { pieces: 2, price: 10, shipping: 0 });
    println!("{:?}", by_size(&orders));
}
