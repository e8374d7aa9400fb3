// bug: the recursion ends only at an amount of exactly 0, so a coin that jumps over it never stops.
// run: main
// fails: has overflowed its stack
// fixed: if amount == 0 { => if amount < 0 { return 0; } if amount == 0 {
// keeps: ==\d|\d=>
// keeps: -[\w*&(]
struct Purse {
    coins: Vec<i64>,
}

impl Purse {
    fn new(coins: &[i64]) -> Purse {
        let mut coins = coins.to_vec();
        coins.retain(|coin| *coin > 0);
        coins.sort();
        Purse { coins }
    }

    fn ways(&self, amount: i64, from: usize) -> u64 {
        if amount == 0 {
            return 1;
        }
        if from == self.coins.len() {
            return 0;
        }
        let with = self.ways(amount - self.coins[from], from);
        let without = self.ways(amount, from + 1);
        with + without
    }
}

fn main() {
    println!("{}", Purse::new(&[]).ways(7, 0));
    println!("{}", Purse::new(&[2]).ways(0, 0));
    println!("{}", Purse::new(&[2, 5, 0]).ways(10, 0));
}
