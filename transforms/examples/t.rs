use mcve_transforms::*;
use std::time::Instant;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(p).unwrap();
    for _ in 0..3 {
        let t = Instant::now();
        let n = tokens(&text).len();
        let t1 = t.elapsed();
        let s = Source::parse(text.clone());
        let t2 = t.elapsed();
        let tree = Tree::new(&s);
        let t3 = t.elapsed();
        let r: usize = transforms().map(|t| enumerate(&tree, t).len()).sum();
        println!(
            "{} lines {n} tokens: lex {t1:?} parse {:?} tree {:?} ({} nodes) enumerate {:?} ({r})",
            text.lines().count(),
            t2 - t1,
            t3 - t2,
            tree.nodes().count(),
            t.elapsed() - t3
        );
    }
}
