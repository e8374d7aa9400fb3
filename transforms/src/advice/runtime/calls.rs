//! Becomes a module of a program that reports the calls of its functions, with arguments and results as Rust. It uses only names of
//! the standard library.

extern crate std;
use self::std::boxed::Box;
use self::std::cell::{Cell, RefCell};
use self::std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use self::std::format;
use self::std::prelude::v1::*;
use self::std::rc::Rc;
use self::std::sync::Arc;
use self::std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls are reported.
const MOST: usize = 20000;

/// The longest value, in bytes.
const LONGEST: usize = 300;

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// A value that can be written as Rust.
pub trait Literal {
    fn literal(&self) -> Option<String>;
}

/// A value that a call takes or returns.
pub struct Value<'a, T: ?Sized>(pub &'a T);

pub trait Written {
    fn written(&self) -> Option<String>;
}

pub trait Unwritten {
    fn written(&self) -> Option<String>;
}

impl<T: Literal + ?Sized> Written for Value<'_, T> {
    fn written(&self) -> Option<String> {
        self.0.literal().filter(|text| text.len() <= LONGEST)
    }
}

impl<T: ?Sized> Unwritten for &Value<'_, T> {
    fn written(&self) -> Option<String> {
        None
    }
}

/// Reports a call; its number.
pub fn call(function: &str, arguments: &[Option<String>]) -> usize {
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let arguments: Option<Vec<String>> = arguments.iter().cloned().collect();
    if let (true, Some(arguments)) = (number < MOST, arguments) {
        crate::mcve_reports::write(format!("call\t{number}\t{function}\t{}\n", arguments.join("\t")));
    }
    number
}

/// Reports what a call returns, and what it leaves in its arguments.
pub fn returned(number: usize, values: &[Option<String>]) {
    if number < MOST {
        let values: Vec<String> = values.iter().map(|value| value.clone().unwrap_or_default()).collect();
        crate::mcve_reports::write(format!("return\t{number}\t{}\n", values.join("\t")));
    }
}

macro_rules! plain {
    ($($ty:ty),*) => { $(impl Literal for $ty { fn literal(&self) -> Option<String> { Some(format!("{self:?}")) } })* };
}
plain!(bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, ());

macro_rules! float {
    ($($ty:ident)*) => { $(impl Literal for $ty {
        fn literal(&self) -> Option<String> {
            Some(match *self {
                value if value.is_nan() => format!("{}::NAN", stringify!($ty)),
                value if value.is_infinite() => format!("{}1.0 / 0.0", if value < 0.0 { "-" } else { "" }),
                value => format!("{value:?}"),
            })
        }
    })* };
}
float!(f32 f64);

impl Literal for str {
    fn literal(&self) -> Option<String> {
        // What is borrowed stands behind a `&`.
        Some(format!("*{self:?}"))
    }
}

impl Literal for String {
    fn literal(&self) -> Option<String> {
        Some(format!("{self:?}.to_string()"))
    }
}

impl<T: Literal + ?Sized> Literal for &T {
    fn literal(&self) -> Option<String> {
        let text = (**self).literal()?;
        Some(text.strip_prefix("*\"").map_or_else(|| format!("&{text}"), |text| format!("\"{text}")))
    }
}

impl<T: Literal + ?Sized> Literal for &mut T {
    fn literal(&self) -> Option<String> {
        Some(format!("&mut {}", (**self).literal()?))
    }
}

macro_rules! wrapped {
    ($($ty:ident $path:literal),*) => { $(impl<T: Literal> Literal for $ty<T> {
        fn literal(&self) -> Option<String> { Some(format!("{}::new({})", $path, (**self).literal()?)) }
    })* };
}
wrapped!(Box "Box", Rc "std::rc::Rc", Arc "std::sync::Arc");

impl<T: Literal> Literal for RefCell<T> {
    fn literal(&self) -> Option<String> {
        Some(format!("std::cell::RefCell::new({})", self.try_borrow().ok()?.literal()?))
    }
}

impl<T: Literal + Copy> Literal for Cell<T> {
    fn literal(&self) -> Option<String> {
        Some(format!("std::cell::Cell::new({})", self.get().literal()?))
    }
}

impl<T: Literal> Literal for Option<T> {
    fn literal(&self) -> Option<String> {
        match self {
            Some(value) => Some(format!("Some({})", value.literal()?)),
            None => Some("None".to_owned()),
        }
    }
}

impl<T: Literal, E: Literal> Literal for Result<T, E> {
    fn literal(&self) -> Option<String> {
        match self {
            Ok(value) => Some(format!("Ok({})", value.literal()?)),
            Err(error) => Some(format!("Err({})", error.literal()?)),
        }
    }
}

/// The values between these brackets.
fn list<'a, T: Literal + 'a>(values: impl Iterator<Item = &'a T>) -> Option<String> {
    let values: Option<Vec<String>> = values.map(Literal::literal).collect();
    Some(format!("[{}]", values?.join(", ")))
}

impl<T: Literal> Literal for [T] {
    fn literal(&self) -> Option<String> {
        list(self.iter())
    }
}

impl<T: Literal, const N: usize> Literal for [T; N] {
    fn literal(&self) -> Option<String> {
        list(self.iter())
    }
}

impl<T: Literal> Literal for Vec<T> {
    fn literal(&self) -> Option<String> {
        Some(format!("vec!{}", list(self.iter())?))
    }
}

macro_rules! collection {
    ($($ty:ident)*) => { $(impl<T: Literal> Literal for $ty<T> {
        fn literal(&self) -> Option<String> { Some(format!("std::collections::{}::from({})", stringify!($ty), list(self.iter())?)) }
    })* };
}
collection!(BTreeSet HashSet VecDeque);

macro_rules! map {
    ($($ty:ident)*) => { $(impl<K: Literal, V: Literal> Literal for $ty<K, V> {
        fn literal(&self) -> Option<String> {
            let pair = |(key, value): (&K, &V)| Some(format!("({}, {})", key.literal()?, value.literal()?));
            let pairs: Option<Vec<String>> = self.iter().map(pair).collect();
            Some(format!("std::collections::{}::from([{}])", stringify!($ty), pairs?.join(", ")))
        }
    })* };
}
map!(BTreeMap HashMap);

macro_rules! tuple {
    ($($name:ident $at:tt),*) => { impl<$($name: Literal),*> Literal for ($($name,)*) {
        fn literal(&self) -> Option<String> {
            let values = [$(self.$at.literal()?),*];
            Some(format!("({},)", values.join(", ")))
        }
    } };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
