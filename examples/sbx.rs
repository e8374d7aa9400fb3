//! x
use mcve::exec::{job::*, limits::Memory, process::*};
fn main() {
    let t = std::time::Instant::now();
    let p = Processes::confined(Memory::default(), &Confinement::default()).unwrap();
    eprintln!("{:?} {:?}", p.held(), t.elapsed());
    let w = |s: &str| Word::Text(s.into());
    for script in std::env::args().skip(1) {
        let job = Job { files: vec![], argv: vec![w("bash"), w("-c"), w(&script)], env: vec![], answers_by: None };
        let r = p.run(&job, std::time::Duration::from_secs(20), &Cancel::default()).unwrap();
        println!(
            "== {script}\n{:?} {:?}\n{}{}",
            r.end,
            r.wall,
            String::from_utf8_lossy(&r.stdout),
            String::from_utf8_lossy(&r.stderr)
        );
    }
}
