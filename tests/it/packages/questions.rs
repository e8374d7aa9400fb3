//! Questions that people ask about the crates of others, in small crates of the same shape. What the result must still say was written
//! before any of them was reduced.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief, is_thorough};
use regex::Regex;

use super::{package, run};

/// The manifest of a dependency in a folder.
const PART: &str = "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// A package with this library that depends on one with that.
fn with_part(library: &str, part: &str) -> TestFolder {
    let place = package(&[("src/lib.rs", library), ("part/Cargo.toml", PART), ("part/src/lib.rs", part)]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    place
}

/// Reduces a package a little, and checks that each regex of `errors` matches what the command of the result prints, and each of `code` its text.
#[track_caller]
fn check(place: &TestFolder, options: &[&str], errors: &[&str], code: &[&str]) {
    let said = run(place, &[&["check", "--runs", "1", "--offline"], brief(), options].concat(), Exit::Done);
    let command = said.see_it().expect("it is shown").to_owned();
    let seen = Said::by(place.command("sh").args(["-c", &command]));
    let single = place.path("walk_mcve.rs");
    let text = if single.is_file() {
        place.read("walk_mcve.rs")
    } else {
        let folder = mcve_testing::names(&place.path("walk_mcve"));
        let files = folder.iter().filter(|name| name.ends_with(".rs"));
        files.map(|name| place.read(format!("walk_mcve/{name}"))).collect()
    };
    for (regexes, shown) in [(errors, &seen.stderr), (code, &text)] {
        for regex in regexes {
            let found = Regex::new(regex).expect("it is one").is_match(shown);
            assert!(found, "`{regex}` does not match {shown}\nof {text}\n{}", said.stderr);
        }
    }
    assert_eq!(seen.stderr.matches("\nerror[").count() + usize::from(seen.stderr.starts_with("error[")), 1, "{text}");
}

/// A trait, and a macro that implements it as a derive does: field by field.
const SERIAL: &str = "pub trait Serialize { fn serialize(&self, out: &mut String); }\nimpl Serialize for u64 { fn serialize(&self, out: &mut String) { out.push_str(&self.to_string()) } }\nimpl Serialize for String { fn serialize(&self, out: &mut String) { out.push_str(self) } }\nimpl<T: Serialize> Serialize for Vec<T> { fn serialize(&self, out: &mut String) { for one in self { one.serialize(out) } } }\n#[macro_export]\nmacro_rules! serialize { ($(#[$attribute:meta])* $visibility:vis struct $name:ident { $($field:ident: $type:ty),* $(,)? }) => { $(#[$attribute])* $visibility struct $name { $($field: $type),* } impl $crate::Serialize for $name { fn serialize(&self, out: &mut String) { $($crate::Serialize::serialize(&self.$field, out);)* } } } }\npub fn to_string<T: Serialize>(value: &T) -> String { let mut out = String::new(); value.serialize(&mut out); out }\n";

#[test]
fn a_field_whose_type_lacks_the_trait_that_a_macro_implements() {
    let library = "use std::collections::BTreeMap;\npub struct Stamp { pub seconds: u64 }\nimpl Stamp { pub fn now() -> Self { Self { seconds: 1 } } }\npart::serialize! {\n    pub struct Event { id: u64, name: String, at: Stamp, tags: Vec<String> }\n}\npub struct Log { events: BTreeMap<u64, Event> }\nimpl Log {\n    pub fn add(&mut self, id: u64, name: &str) { self.events.insert(id, Event { id, name: name.to_owned(), at: Stamp::now(), tags: Vec::new() }); }\n    pub fn all(&self) -> Vec<String> { self.events.values().map(part::to_string).collect() }\n}\n";
    let errors = [r"the trait bound `(\w+): [\w:]*\w+` is not satisfied", "the trait `[^`]+` is not implemented for `"];
    check(&with_part(library, SERIAL), &[], &errors, &[r"struct \w+", r"trait \w+|use part|part::"]);
}

/// A trait that async functions of no and of one argument implement, as handlers of web frameworks.
const WEB: &str = "use std::future::Future;\npub struct Json<T>(pub T);\npub struct Status(pub u16);\npub trait IntoResponse { fn into_response(self) -> Status; }\nimpl IntoResponse for Status { fn into_response(self) -> Status { self } }\nimpl IntoResponse for () { fn into_response(self) -> Status { Status(200) } }\npub trait FromRequest { fn from_request(body: &str) -> Self; }\nimpl FromRequest for String { fn from_request(body: &str) -> Self { body.to_owned() } }\npub trait Handler<T>: Clone + Send + Sized + 'static { fn call(self, body: &str) -> impl Future<Output = Status> + Send; }\nimpl<F, R, O> Handler<()> for F where F: FnOnce() -> R + Clone + Send + 'static, R: Future<Output = O> + Send, O: IntoResponse { fn call(self, _: &str) -> impl Future<Output = Status> + Send { let made = self(); async move { made.await.into_response() } } }\nimpl<F, R, O, A> Handler<(A,)> for F where F: FnOnce(A) -> R + Clone + Send + 'static, R: Future<Output = O> + Send, O: IntoResponse, A: FromRequest { fn call(self, body: &str) -> impl Future<Output = Status> + Send { let made = self(A::from_request(body)); async move { made.await.into_response() } } }\n#[derive(Default)]\npub struct Router { paths: Vec<String> }\nimpl Router { pub fn route<H: Handler<T>, T>(mut self, path: &str, _: H) -> Self { self.paths.push(path.to_owned()); self } }\n";

/// rustc says nothing of the guard until it is asked whether the future is `Send`.
#[test]
fn a_handler_that_holds_a_guard_across_an_await() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let library = "use std::collections::HashMap;\nuse std::sync::Mutex;\nuse part::{Json, Router, Status};\nstatic USERS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);\nasync fn notify(name: &str) { let _ = name.len(); }\nasync fn list() -> Status { Status(200) }\nmod users {\n    use super::*;\n    pub async fn create(name: String) -> Status {\n        let mut users = USERS.lock().unwrap();\n        notify(&name).await;\n        users.get_or_insert_default().insert(name, 1);\n        Status(201)\n    }\n}\npub fn app() -> Router { Router::default().route(\"/\", list).route(\"/create\", users::create) }\n";
    let errors = [r"the trait bound `fn\([^`]*\) -> impl Future<[^`]*> \{[\w:]+\}: [\w:]*\w+(<_>)?` is not satisfied"];
    let code = [r"async (fn|move|\{)", r"(?s)let (mut )?_?\w+ = .*lock.*\.await"];
    check(&with_part(library, WEB), &[], &errors, &code);
}

/// The same by a user who says what makes the error go away.
#[test]
fn a_handler_that_a_fix_makes_one() {
    if !is_thorough() {
        return println!("reduced by MCVE_TESTS=all only");
    }
    let library = "use std::collections::HashMap;\nuse std::sync::Mutex;\nuse part::{Router, Status};\nstatic USERS: Mutex<Option<HashMap<String, u32>>> = Mutex::new(None);\nasync fn notify(name: &str) { let _ = name.len(); }\nasync fn list() -> Status { Status(200) }\nasync fn create(name: String) -> Status {\n    let mut users = USERS.lock().unwrap();\n    #[cfg(fixed)]\n    let (guard, mut users) = (users, None::<HashMap<String, u32>>);\n    #[cfg(fixed)]\n    drop(guard);\n    notify(&name).await;\n    users.get_or_insert_default().insert(name, 1);\n    Status(201)\n}\npub fn app() -> Router { Router::default().route(\"/\", list).route(\"/create\", create) }\n";
    let errors = [r"the trait bound `fn\([^`]*\) -> impl Future<[^`]*> \{\w+\}: [\w:]*\w+(<_>)?` is not satisfied"];
    let code = [r"async (fn|move|\{)", r"(?s)let (mut )?_?\w+ = .*\.await"];
    check(&with_part(library, WEB), &["--passes-with", "--cfg fixed"], &errors, &code);
}

/// A macro that makes a parser of a struct, with the version of the package that uses it.
const ARGS: &str = "pub trait ValueEnum: Sized { fn of(text: &str) -> Option<Self>; }\nimpl ValueEnum for bool { fn of(text: &str) -> Option<Self> { text.parse().ok() } }\npub trait Parser: Sized { const VERSION: &'static str; fn parse() -> Option<Self>; }\npub fn value<T: ValueEnum>(name: &str) -> Option<T> { T::of(name) }\n#[macro_export]\nmacro_rules! parser { ($visibility:vis struct $name:ident { $($field:ident: $type:ty),* $(,)? }) => { $visibility struct $name { $($field: $type),* } impl $crate::Parser for $name { const VERSION: &'static str = env!(\"CARGO_PKG_VERSION\"); fn parse() -> Option<Self> { Some(Self { $($field: $crate::value::<$type>(stringify!($field))?),* }) } } } }\n";

#[test]
fn an_option_whose_type_lacks_the_trait_in_a_program_with_a_version() {
    let library = "#[derive(Clone, Copy)]\npub enum Level { Low, High }\npart::parser! {\n    pub struct Options { verbose: bool, level: Level }\n}\nimpl Options { pub fn is_high(&self) -> bool { matches!(self.level, Level::High) && self.verbose } }\npub fn version() -> &'static str { <Options as part::Parser>::VERSION }\n";
    let errors = [r"the trait bound `\w+: [\w:]*\w+` is not satisfied"];
    let place = with_part(library, ARGS);
    check(&place, &[], &errors, &[r"(enum|struct) \w+"]);
}
