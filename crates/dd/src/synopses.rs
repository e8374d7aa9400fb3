//! The examples that chapters of the books begin with, in Rust. This module has no code.
//!
//! *The Debugging Book*, chapter *Reducing Failure-Inducing Inputs*: `DeltaDebugger` is [`Debugger`](crate::Debugger). The call
//! that fails, its least and its greatest argument, and the difference of two:
//!
//! ```
//! use mcve_dd::{Debugger, same_error};
//!
//! fn product(text: &str) -> Result<f64, String> {
//!     let number = |text: &str| text.trim().parse::<f64>().map_err(|error| error.to_string());
//!     match text.rsplit_once(['*', '/']) {
//!         None => number(text),
//!         Some((left, right)) if text[left.len()..].starts_with('*') => Ok(product(left)? * number(right)?),
//!         Some((left, right)) => match (product(left)?, number(right)?) {
//!             (_, 0.0) => Err("division by zero".to_owned()),
//!             (left, right) => Ok(left / right),
//!         },
//!     }
//! }
//! let eval = |text: &String| text.split('+').map(product).sum::<Result<f64, String>>().map_err(std::io::Error::other);
//!
//! let input = "1 + 2 * 3 / 0".to_owned();
//! let mut dd = Debugger::new(input.clone(), same_error(&input, eval)?);
//! assert_eq!(dd.minimise()?, "3/0");
//! assert_eq!(dd.minimal_call("eval")?, "eval(\"3/0\")");
//! let least = dd.isolate()?;
//! assert_eq!(least.difference, "/0");
//! assert_eq!(eval(&dd.maximise()?).ok(), Some(7.0));
//! # Ok::<(), mcve_dd::Precondition>(())
//! ```
//!
//! *The Fuzzing Book*, chapter *Reducing Failure-Inducing Inputs*: `DeltaDebuggingReducer` is [`even_ddmin`](crate::even_ddmin),
//! and a runner is a closure. The book looks for a division by zero in what Python says; `mcve FILE --test SCRIPT` does that.
//!
//! ```
//! use mcve_dd::{Debugger, Outcome, even_ddmin};
//!
//! let mystery = |text: &String| Outcome::fail_if(text.find('(') < text.find(')') && text.contains('('));
//! let mut reducer = Debugger::new("7:,>((/$$-/->.;.=;(.%!:50#7*8=$&60)2/+;+<7".to_owned(), mystery);
//! assert_eq!(reducer.minimise_with(even_ddmin)?, "()");
//! # Ok::<(), mcve_dd::Precondition>(())
//! ```
//!
//! *The Debugging Book*, chapter *Isolating Failure-Inducing Changes*: `ChangeDebugger` is `mcve_changes::debugger::ChangeDebugger`,
//! which has its example.
