//! The source of a crate as one program: its modules, with generated files and variables of the build put into its text.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use mcve_transforms::{Kind, Source, Syntax, Tree, range, tokens};

use super::call::{Call, Extern};
use super::{manifest, roots};
use mcve_reduce::program::{Program, edited};
use mcve_reduce::project::bounds::Bounds;
use mcve_reduce::project::neighbours;

/// The variable that names the folder of generated files.
const GENERATED: &str = "OUT_DIR";

/// The beginning of the variables that name the programs of a package. They stay variables, as a path in a text says less.
const EXECUTABLE: &str = "CARGO_BIN_EXE_";

/// The program that a call compiles, with its files; none if the root file cannot be read.
pub fn program(call: &Call) -> Option<Program> {
    let text = root(call)?;
    let name = call.root.file_name()?;
    Some(neighbours::gather(&call.root, &text).unwrap_or_else(|| Program::new(name, text)))
}

/// The text of its root file.
fn root(call: &Call) -> Option<String> {
    let text = Bounds::of_file(&call.root).has(&call.root).then(|| std::fs::read_to_string(&call.root).ok())??;
    Some(roots::with_modules(&text, call.root.parent()?))
}

/// The variables of a call that the program's text names, or all of them if a macro of another crate may read them: each as
/// `NAME=VALUE`.
pub fn environment(call: &Call, program: &Program) -> Vec<String> {
    let all = call.externs.iter().any(|used| used.path.is_some());
    let is_needed = |(name, _): &(&String, &String)| all || program.text.contains(&format!("\"{name}\""));
    call.environment.iter().filter(is_needed).map(|(name, value)| format!("{name}={value}")).collect()
}

/// The program with the source of an external crate that it uses: compiled first, under the name that the user has for it, with
/// its own libraries left as they were built. None if that is not possible.
pub fn with_dependency(user: &Program, used: &Extern, call: &Call) -> Option<Program> {
    let text = root(call)?;
    let found = neighbours::with_dependency(user, &call.root, &text, &used.name, &call.as_dependency(&used.name))?;
    // A crate of the program is found by its name only.
    let own = format!("{:?}", format!("--extern={}", used.name));
    let built = used.built().into_iter().map(|path| Extern { path: Some(path), ..used.clone() });
    let text = built.fold(found.text.to_string(), |text, built| text.replace(&format!("{:?}", built.argument()), &own));
    let found = found.with_text(text);
    let start = found.text.find(&format!("--crate-name={}\"", used.name))?;
    Some(inlined(&found, &call.environment, start))
}

/// The program with the sources of the user's own crates that it still needs, as they are. A package of it names no folder of this
/// machine.
pub fn with_own_sources(program: &Program, calls: &[Call]) -> Program {
    let (mut whole, mut tried) = (program.clone(), Vec::new());
    loop {
        let own = manifest::needed(&whole).into_iter().find_map(|used| {
            let path = used.path.clone().filter(|path| !tried.contains(path))?;
            let call = calls.iter().rev().find(|call| call.form != "bin" && call.has_made(&path))?;
            call.is_own().then_some((path, used, call))
        });
        let Some((path, used, call)) = own else { return whole };
        tried.push(path);
        whole = with_dependency(&whole, &used, call).unwrap_or(whole);
    }
}

/// The program without `-L` options: cargo's folders contain other crates of the same names.
pub fn without_search_paths(program: &Program) -> Program {
    let crates = program.crates().into_iter().flat_map(|krate| krate.arguments);
    let mut text = program.text.to_string();
    for argument in program.arguments().into_iter().chain(crates).filter(|argument| argument.starts_with("-L")) {
        let word = format!("{argument:?}");
        for (written, left) in [(format!(", {word}"), ""), (format!("({word}, "), "("), (format!("({word})"), "()")] {
            text = text.replace(&written, left);
        }
    }
    let changed = program.with_text(text);
    if changed.is_whole() { changed } else { program.clone() }
}

/// The program with `env!` of cargo's variables replaced by their values, and `include!` of generated files by their contents, in the
/// last crate where `at` is 0, or else in the crate whose mark is at byte `at`. In a crate that others use, what its macros say to
/// them stays: the variables are those of the user.
pub fn inlined(program: &Program, environment: &BTreeMap<String, String>, at: usize) -> Program {
    let document = program.document();
    let crates = document.iter().flat_map(|document| &document.files).filter(|file| file.arguments.is_some());
    let ranges: Vec<&Range<usize>> = crates.map(|file| &file.range).collect();
    let used = ranges.iter().find(|range| range.contains(&at));
    let last = || 0..ranges.iter().map(|range| range.start).min().unwrap_or_else(|| program.lists());
    let range = used.map_or_else(last, |range| (*range).clone());
    let inside = &program.text[range.clone()];
    let inside = edited(inside, edits(inside, environment, used.is_some()));
    let changed = program.with_text([&program.text[..range.start], &inside, &program.text[range.end..]].concat());
    if changed.is_whole() { changed } else { program.clone() }
}

/// The replacements in a text, in order; `is_used` by other crates.
fn edits(text: &str, environment: &BTreeMap<String, String>, is_used: bool) -> Vec<(Range<usize>, String)> {
    let code = tokens(text).into_iter().filter(|token| token.kind == Kind::Code);
    let words: Vec<(&str, Range<usize>)> = code.map(|token| (&text[token.range.clone()], token.range)).collect();
    let is_at = |at: usize, pattern: &[&str]| {
        pattern.iter().enumerate().all(|(offset, word)| words.get(at + offset).is_some_and(|(own, _)| own == word))
    };
    let literal = |at: usize| {
        let (word, _) = words.get(at)?;
        Some(syn::parse_str::<syn::LitStr>(word).ok()?.value())
    };
    let (mut edits, mut at) = (Vec::new(), 0);
    while at < words.len() {
        if is_used && is_at(at, &["#", "[", "macro_export"]) {
            at = behind_item(&words, at);
            continue;
        }
        let found = generated(&is_at, &literal, at, environment).or_else(|| {
            let name = literal(at + 3).filter(|_| is_at(at, &["env", "!", "("]) && is_at(at + 4, &[")"]))?;
            let name = Some(name).filter(|name| !name.starts_with(EXECUTABLE))?;
            Some((format!("{:?}", environment.get(&name)?), 5))
        });
        let Some((new, mut length)) = found else {
            at += 1;
            continue;
        };
        // An `include!` that is an item ends with a semicolon, which the included text must not have.
        let before = at.checked_sub(1).map_or("", |before| words[before].0);
        let is_item = matches!(before, "" | ";" | "{" | "}" | "]");
        length += usize::from(is_item && is_at(at + length, &[";"]));
        edits.push((words[at].1.start..words[at + length - 1].1.end, new));
        at += length;
    }
    edits
}

/// The word behind the macro whose attribute begins at the word `at`: behind the group that follows its name.
fn behind_item(words: &[(&str, Range<usize>)], at: usize) -> usize {
    let name = words[at..].iter().position(|(word, _)| *word == "macro_rules").map_or(words.len(), |name| at + name);
    let mut depth = 0_usize;
    for (at, (word, _)) in words.iter().enumerate().skip(name) {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth <= 1 => return at + 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    words.len()
}

/// The text of the generated file that is included at a word, and the number of words of the `include!`.
fn generated(
    is_at: &dyn Fn(usize, &[&str]) -> bool,
    literal: &dyn Fn(usize) -> Option<String>,
    at: usize,
    environment: &BTreeMap<String, String>,
) -> Option<(String, usize)> {
    const BEGIN: [&str; 9] = ["include", "!", "(", "concat", "!", "(", "env", "!", "("];
    if !is_at(at, &BEGIN) || literal(at + BEGIN.len())? != GENERATED {
        return None;
    }
    let name = at + BEGIN.len() + 3;
    let mut end = name + 1;
    end += usize::from(is_at(end, &[","]));
    if !is_at(name - 2, &[")", ","]) || !is_at(end, &[")"]) {
        return None;
    }
    end += 1;
    end += usize::from(is_at(end, &[","]));
    if !is_at(end, &[")"]) {
        return None;
    }
    let folder = Path::new(environment.get(GENERATED)?).canonicalize().ok()?;
    let path = folder.join(literal(name)?.trim_start_matches('/')).canonicalize().ok()?;
    // A link may lead out of the folder to a file of the user, which must not be copied into a result.
    let text = (path.is_file() && path.starts_with(&folder)).then(|| std::fs::read_to_string(path).ok())??;
    Some((text, end + 1 - at))
}

/// The text in which no test of this name has `#[ignore]`; none if none has it.
pub fn without_ignore(text: &str, test: &str) -> Option<String> {
    let name = test.rsplit("::").next().unwrap_or(test);
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let attributes = tree.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(syn::Item::Fn(function)) if function.sig.ident == name => Some(&function.attrs),
        _ => None,
    });
    let ignoring = attributes.flatten().filter(|attribute| attribute.path().is_ident("ignore"));
    let mut edits: Vec<_> = ignoring.map(|attribute| (range(attribute), String::new())).collect();
    edits.dedup();
    (!edits.is_empty()).then(|| edited(text, edits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_leads_out_of_what_was_built_is_not_read() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (inside, outside) = (folder.path().join("out"), folder.path().join("secret"));
        std::fs::create_dir(&inside).expect("it can be made");
        std::fs::write(&outside, "fn secret() {}").expect("it can be written");
        std::os::unix::fs::symlink(&outside, inside.join("link.rs")).expect("it can be made");
        let value = inside.to_str().expect("it is text").to_owned();
        let environment = BTreeMap::from([(GENERATED.to_owned(), value)]);
        for name in ["/link.rs", "/../secret"] {
            let text = format!("include!(concat!(env!(\"OUT_DIR\"), \"{name}\"));");
            let inlined = inlined(&Program::new("lib.rs", text), &environment, 0);
            assert!(!inlined.text.contains("secret()"), "{}", inlined.text);
        }
    }

    #[test]
    fn a_macro_for_others_reads_variables_of_its_users() {
        let text = "#[macro_export] macro_rules! f { () => { env!(\"V\") } } macro_rules! g { () => { env!(\"V\") } } fn h() { env!(\"V\") }";
        let environment = BTreeMap::from([("V".to_owned(), "1".to_owned())]);
        let places = |is_used| edits(text, &environment, is_used).iter().map(|edit| edit.0.start).collect::<Vec<_>>();
        let all: Vec<usize> = text.match_indices("env!").map(|(at, _)| at).collect();
        assert_eq!((places(false), places(true)), (all.clone(), all[1..].to_vec()));
    }

    #[test]
    fn what_a_build_left_stands_in_the_text() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        std::fs::write(folder.path().join("a.rs"), "fn a() {}").expect("it can be written");
        let value = folder.path().to_str().expect("it is text").to_owned();
        let environment =
            BTreeMap::from([(GENERATED.to_owned(), value), ("CARGO_PKG_NAME".to_owned(), "p".to_owned())]);
        let program = Program::new(
            "lib.rs",
            "mod m { include!(concat!(env!(\"OUT_DIR\"), \"/a.rs\")); } const N: &str = env!(\"CARGO_PKG_NAME\"); const O: &str = env!(\"OTHER\");",
        );
        let text = inlined(&program, &environment, 0).text;
        assert_eq!(&*text, "mod m { fn a() {} } const N: &str = \"p\"; const O: &str = env!(\"OTHER\");");
    }

    #[test]
    fn a_test_that_is_ignored_becomes_one_that_is_not() {
        let text = "#[ignore] fn g() {}\nmod tests { #[test] #[ignore = \"slow\"] fn f() {} }";
        let expected = "#[ignore] fn g() {}\nmod tests { #[test]  fn f() {} }";
        assert_eq!(without_ignore(text, "tests::f").as_deref(), Some(expected));
        assert_eq!(without_ignore("#[test] fn f() {}", "f"), None);
    }
}
