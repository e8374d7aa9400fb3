//! What transforms propose for a program grows with the program, not with its square.
//!
//! Time depends on the machine; the number of edits does not, and what takes a quadratic time mostly has so many. The
//! sweep (`xtask/src/sweep.rs`) measures the time that the same programs take.

mod shapes;

use std::collections::BTreeMap;

use mcve_transforms::{Analysis, STACK, Source, Tree, enumerate, transforms};
use shapes::SHAPES;

/// How many repetitions a shape has, and how many more to compare with. Few of them are all that some transforms try.
const COUNT: usize = 120;
const TIMES: usize = 4;

/// How many edits a transform may have besides those that grow with the program.
const FEW: usize = 1_000;

/// How many edits each transform has in all for `text`.
fn edits(text: &str) -> BTreeMap<&'static str, usize> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let edits = |transform| enumerate(&names, transform).iter().map(|reduction| reduction.edits.len()).sum();
    transforms().map(|transform| (transform.name, edits(transform))).collect()
}

/// The transforms that change all of a program for each part of it, as all slots behind one are counted down. There is a most
/// that they propose.
const BOUNDED: &[&str] = &["delete-field-everywhere"];

#[test]
fn edits_grow_with_the_program() {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let mut broken = Vec::new();
        for shape in SHAPES {
            let (small, large) = (edits(&shape.text(COUNT)), edits(&shape.text(COUNT * TIMES)));
            for (name, count) in large {
                let most = small[name] * TIMES * 3 / 2 + FEW;
                if count > most && !BOUNDED.contains(&name) {
                    broken.push(format!(
                        "{name}: {count} edits for {TIMES} times the {}, {} for one",
                        shape.name, small[name]
                    ));
                }
            }
        }
        broken
    });
    let broken = worker.expect("threads can be had").join().expect("no transform panics");
    assert!(broken.is_empty(), "these grow faster than the program: {broken:#?}");
}

#[test]
fn no_transform_proposes_more_than_there_is_room_for() {
    for name in ["lets of one name", "slots", "tuple"] {
        let shape = SHAPES.iter().find(|shape| shape.name == name).expect("there is such a shape");
        let text = shape.text(1_500);
        let tokens = mcve_transforms::tokens(&text).len();
        for (name, edits) in edits(&text) {
            assert!(edits < 120_000 + 5 * tokens, "{name} has {edits} edits for {tokens} tokens");
        }
    }
}
