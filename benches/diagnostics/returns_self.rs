// Why can commands with a method that returns `Self` not be kept in boxes of the trait?
//@ error: the trait `\w+` is not dyn compatible
//@ error: because method `\w+` references the `Self` type in its return type
//@ not-error: generic type parameters|no `self` parameter|requires `Self: Sized`
//@ code: \bdyn\b
trait Command {
    fn apply(&self, text: &mut String);
    fn inverse(&self) -> Self;
    fn label(&self) -> String { "edit".into() }
}

trait Named {
    fn parse(text: &str) -> Option<Self> where Self: Sized;
    fn describe<W: std::fmt::Write>(&self, out: &mut W) -> std::fmt::Result;
}

#[derive(Debug, Clone)]
enum Edit { Push(char), Pop(char) }

impl Command for Edit {
    fn apply(&self, text: &mut String) {
        match self { Edit::Push(c) => text.push(*c), Edit::Pop(_) => { text.pop(); } }
    }
    fn inverse(&self) -> Self {
        match self { Edit::Push(c) => Edit::Pop(*c), Edit::Pop(c) => Edit::Push(*c) }
    }
}

impl Named for Edit {
    fn parse(text: &str) -> Option<Self> { text.strip_prefix('+')?.chars().next().map(Edit::Push) }
    fn describe<W: std::fmt::Write>(&self, out: &mut W) -> std::fmt::Result { write!(out, "{self:?}") }
}

enum Entry { Typed(Edit), Plugin(Box<dyn Command>) }

fn replay(entries: &[Entry], text: &mut String) {
    for entry in entries {
        if let Entry::Typed(edit) = entry { edit.apply(text); }
    }
}

fn main() {
    let (mut text, mut name) = (String::from("ab"), String::new());
    let edit = Edit::parse("+c").unwrap();
    edit.inverse().describe(&mut name).unwrap();
    replay(&[Entry::Typed(edit.clone())], &mut text);
    println!("{text} {name} {}", edit.label());
}
