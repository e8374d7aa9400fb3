//! *The Debugging Book*, chapter *Reducing Failure-Inducing Inputs*: what a debugger prints while it runs.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_dd::debugger::Debugger;
use mcve_dd::log::{Detail, log_to};
use mcve_dd::same_failure::same_panic;

use super::{FUZZED, python};

/// A text that is written to and read later.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The log of a minimisation of the chapter's input.
fn log(detail: Detail) -> Vec<String> {
    let out = Shared::default();
    let input = FUZZED.to_owned();
    let test = same_panic(&input, |text: &String| python::mystery(text)).expect("it panics");
    let debugger = Debugger::new(input, test).arranged_by(python::set_order);
    let mut debugger = debugger.observed_by(log_to(out.clone(), "mystery", detail));
    assert_eq!(debugger.minimal_call("mystery").as_deref(), Ok("mystery(\"()\")"));
    String::from_utf8(out.0.take()).expect("it is text").lines().map(str::to_owned).collect()
}

#[test]
fn the_first_level_has_the_tests_of_the_book() {
    let lines = log(Detail::Tests);
    let first = [
        r#"Test #1 mystery("V\"/+!aF-(V4EOz*+s/Q,7)2@0_"): FAIL (Invalid input)"#,
        "Processing argument 1...",
        r#"Test #2 mystery(""): PASS"#,
        r#"Test #3 mystery("V\"/+!aF-(V4EO"): PASS"#,
        r#"Test #4 mystery("z*+s/Q,7)2@0_"): PASS"#,
        r#"Test #5 mystery("-(V4EOz*+s/Q,7)2@0_"): FAIL (Invalid input)"#,
    ];
    assert_eq!(lines[..6], first);
    assert_eq!(lines.len(), 24 + 1);
}

#[test]
fn the_second_level_has_the_rounds_of_the_book() {
    let lines = log(Detail::Rounds);
    let round = [
        r#"Passing input: """#,
        r#"Failing input: "V\"/+!aF-(V4EOz*+s/Q,7)2@0_""#,
        "Granularity:   4",
        r#"Test #5 mystery("-(V4EOz*+s/Q,7)2@0_"): FAIL (Invalid input)"#,
        "Reduce to complement",
        r#"Passing input: """#,
        r#"Failing input: "-(V4EOz*+s/Q,7)2@0_""#,
        "Granularity:   3",
    ];
    let before = ["No reduction found", "Increase granularity"];
    let at = lines.iter().position(|line| line == before[0]).expect("the first halves do not fail");
    assert_eq!(lines[at..at + 2], before);
    assert_eq!(lines[at + 2..at + 10], round);
    assert_eq!(lines.last().map(String::as_str), Some("No reduction found"));
}
