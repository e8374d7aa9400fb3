//! The proposals of a search.

use mcve_transforms::{named, transforms};

use super::*;
use crate::check::limits::Limits;
use crate::check::testing::{Events, checker};
use crate::search::best::name;
use mcve_dd::outcome::Outcome;

const INPUT: &str = "fn f() { loop {} } fn g() { f(); }";

#[test]
fn what_is_remembered_is_proposed_again_for_the_same_program_by_the_same_transforms_only() {
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let checker = checker(1, Limits::default(), |_| Outcome::Fail);
    let input = Program::new("a.rs", INPUT);
    let enabled = transforms().collect();
    let mut search = Search::new(input.clone(), enabled, checker, &mut events, &mut keep);
    let [items, bodies] = ["items", "bodies"].map(named);
    let steps = |search: &mut Search<'_>, transforms: &[&'static Transform]| {
        let reductions = search.reductions(transforms).expect("nothing stops it");
        reductions.iter().map(|reduction| name(search.best(), reduction)).collect::<Vec<_>>()
    };
    let first = steps(&mut search, &items);
    assert!(!first.is_empty());
    assert_ne!(steps(&mut search, &bodies), first);
    assert!(search.proposed(&items, false).expect("nothing stops it").is_empty());
    search.replace(input.with_text("fn f() {}".to_owned()));
    assert_ne!(steps(&mut search, &items), first);
    search.replace(input);
    assert_eq!(steps(&mut search, &items), first);
}
