//! The examples that chapters of the books begin with, in Rust: *Reducing Failure-Inducing Inputs*, of *The Debugging Book* and of
//! *The Fuzzing Book*.

use mcve_dd::{Debugger, Outcome, Precondition, even_ddmin, same_error};

/// The call that fails, its least and its greatest argument, and the difference of two: a `DeltaDebugger` is a [`Debugger`].
#[test]
fn the_synopsis_of_the_debugging_book() -> Result<(), Precondition> {
    fn product(text: &str) -> Result<f64, String> {
        let number = |text: &str| text.trim().parse::<f64>().map_err(|error| error.to_string());
        match text.rsplit_once(['*', '/']) {
            None => number(text),
            Some((left, right)) if text[left.len()..].starts_with('*') => Ok(product(left)? * number(right)?),
            Some((left, right)) => match (product(left)?, number(right)?) {
                (_, 0.0) => Err("division by zero".to_owned()),
                (left, right) => Ok(left / right),
            },
        }
    }
    let eval = |text: &String| text.split('+').map(product).sum::<Result<f64, String>>().map_err(std::io::Error::other);

    let input = "1 + 2 * 3 / 0".to_owned();
    let mut dd = Debugger::new(input.clone(), same_error(&input, eval)?);
    assert_eq!(dd.minimise()?, "3/0");
    assert_eq!(dd.minimal_call("eval")?, "eval(\"3/0\")");
    let least = dd.isolate()?;
    assert_eq!(least.difference, "/0");
    assert_eq!(eval(&dd.maximise()?).ok(), Some(7.0));
    Ok(())
}

/// A `DeltaDebuggingReducer` is [`even_ddmin`], and a runner is a closure.
#[test]
fn the_synopsis_of_the_fuzzing_book() -> Result<(), Precondition> {
    let mystery = |text: &String| Outcome::fail_if(text.find('(') < text.find(')') && text.contains('('));
    let mut reducer = Debugger::new("7:,>((/$$-/->.;.=;(.%!:50#7*8=$&60)2/+;+<7".to_owned(), mystery);
    assert_eq!(reducer.minimise_with(even_ddmin)?, "()");
    Ok(())
}
