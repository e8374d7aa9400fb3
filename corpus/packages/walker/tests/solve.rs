//! Solves a map as a user would.

#[test]
fn a_flat_map_is_crossed() {
    let report = walker::solve("000\n000\n").expect("there is a way");
    assert!(report.ends_with("cost 2"), "{report}");
}

#[test]
fn a_wall_stops_the_walker() {
    assert_eq!(walker::solve("070\n070\n"), Err(walker::Error::NoWay));
}
