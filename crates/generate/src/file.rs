//! Traces as text: a header with the generator, its version and its settings, then one line for each node.
//!
//! ```text
//! mcve choices 1
//! generator rust 2
//! settings size=8
//! loop items {
//!   {
//!     number # 0
//!     kind = "function"
//!     maybe parameter {
//!     }
//!   }
//! }
//! ```

use std::fmt::{self, Write};

use super::generator::Generator;
use super::question::Value;
use super::trace::{Kind, Recorder, Trace};

/// The first line of a file in this version of the format.
const HEAD: &str = "mcve choices 1";

/// The beginning of the first line in all versions.
const ANY_HEAD: &str = "mcve choices ";

/// A trace with the generator that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoicesFile {
    /// The generator's name.
    pub generator: String,
    /// Its version.
    pub version: String,
    /// Its settings.
    pub settings: String,
    /// Its decisions.
    pub trace: Trace,
}

/// The reason why a file is not usable with a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is not a file of choices.
    NoChoices,
    /// It has another version of the format.
    Format(String),
    /// This line, counted from 1, is invalid.
    Line(usize),
    /// It ends before a node is closed.
    Cut,
    /// It is for another generator, version or settings: the kind of the difference, the file's value, and the
    /// generator's value.
    Other(&'static str, String, String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChoices => write!(f, "it is no file of choices, which begins with the line `{HEAD}`"),
            Self::Format(head) => write!(f, "it has another format: it begins with `{head}`, and not with `{HEAD}`"),
            Self::Line(line) => write!(f, "line {line} cannot be understood"),
            Self::Cut => f.write_str("its end is missing"),
            Self::Other(what, file, here) => {
                write!(f, "it was written by another generator: its {what} is `{file}`, and here it is `{here}`")
            }
        }
    }
}

impl std::error::Error for Unusable {}

impl ChoicesFile {
    /// The file for a trace of a generator.
    pub fn new(generator: &dyn Generator, trace: Trace) -> Self {
        let (name, version) = (generator.name().to_owned(), generator.version().to_owned());
        Self { generator: name, version, settings: generator.settings(), trace }
    }

    /// Checks that `generator` made this file.
    ///
    /// # Errors
    /// When the generator, its version or its settings differ.
    pub fn check(&self, generator: &dyn Generator) -> Result<(), Unusable> {
        let settings = generator.settings();
        let facts = [
            ("name", &*self.generator, generator.name()),
            ("version", &*self.version, generator.version()),
            ("settings", &*self.settings, &*settings),
        ];
        match facts.into_iter().find(|(_, file, here)| file != here) {
            Some((what, file, here)) => Err(Unusable::Other(what, file.to_owned(), here.to_owned())),
            None => Ok(()),
        }
    }

    /// Parses a file.
    ///
    /// # Errors
    /// When the file is invalid.
    pub fn parse(text: &str) -> Result<Self, Unusable> {
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
        match lines.next() {
            Some((_, HEAD)) => {}
            Some((_, head)) if head.starts_with(ANY_HEAD) => return Err(Unusable::Format(head.to_owned())),
            _ => return Err(Unusable::NoChoices),
        }
        let mut field = |name: &str| {
            let (number, line) = lines.next().ok_or(Unusable::Cut)?;
            let value = line.strip_prefix(name).ok_or(Unusable::Line(number))?;
            Ok(value.trim().to_owned())
        };
        let made_by = field("generator ")?;
        let (generator, version) = made_by.split_once(' ').ok_or(Unusable::Line(2))?;
        let (generator, version) = (generator.to_owned(), version.to_owned());
        let settings = field("settings")?;
        let mut recorder = Recorder::default();
        for (number, line) in lines {
            read(line.trim(), &mut recorder).ok_or(Unusable::Line(number))?;
        }
        Ok(Self { generator, version, settings, trace: recorder.finish().ok_or(Unusable::Cut)? })
    }
}

/// Adds the node of a line.
fn read(line: &str, recorder: &mut Recorder) -> Option<()> {
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    match words[..] {
        ["{"] => recorder.open("", Kind::Part),
        ["}"] => return recorder.close().then_some(()),
        ["loop", place, "{"] => recorder.open(place, Kind::Loop),
        ["maybe", place, "{"] => recorder.open(place, Kind::Selection),
        ["group", place, "{"] => recorder.open(place, Kind::Group),
        [place, "#", number] => recorder.add(place, Kind::Fresh(number.parse().ok()?)),
        [place, "=", value] => {
            let value = match serde_json::from_str(value).ok()? {
                serde_json::Value::String(name) => Value::Name(name),
                serde_json::Value::Number(number) => Value::Number(number.as_i64()?),
                _ => return None,
            };
            recorder.add(place, Kind::Decision(value));
        }
        _ => return None,
    }
    Some(())
}

/// The text of the file.
impl fmt::Display for ChoicesFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { generator, version, settings, trace } = self;
        writeln!(f, "{HEAD}\ngenerator {generator} {version}\nsettings {settings}")?;
        let mut ends: Vec<usize> = Vec::new();
        for (number, node) in trace.nodes().iter().enumerate() {
            close(f, &mut ends, number)?;
            let (margin, place) = ("  ".repeat(ends.len()), &node.place);
            let line = match &node.kind {
                Kind::Decision(Value::Name(name)) => format!("{place} = {}", serde_json::Value::from(&**name)),
                Kind::Decision(Value::Number(value)) => format!("{place} = {value}"),
                Kind::Fresh(value) => format!("{place} # {value}"),
                Kind::Loop => format!("loop {place} {{"),
                Kind::Selection => format!("maybe {place} {{"),
                Kind::Part => "{".to_owned(),
                Kind::Group => format!("group {place} {{"),
            };
            writeln!(f, "{margin}{line}")?;
            if matches!(node.kind, Kind::Loop | Kind::Selection | Kind::Part | Kind::Group) {
                ends.push(node.end);
            }
        }
        close(f, &mut ends, trace.nodes().len())
    }
}

/// Closes the nodes that end before node `number`.
fn close(f: &mut impl Write, ends: &mut Vec<usize>, number: usize) -> fmt::Result {
    while ends.last().is_some_and(|&end| end <= number) {
        ends.pop();
        writeln!(f, "{}}}", "  ".repeat(ends.len()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::choices::{Choices, Halt};
    use super::super::generator::run;
    use super::*;

    /// Decides everything that can be decided.
    struct Everything;

    impl Generator for Everything {
        fn name(&self) -> &str {
            "everything"
        }

        fn version(&self) -> &str {
            "2 beta"
        }

        fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
            choices.repeat("turns", 3..=5, |choices| {
                choices.fresh("number")?;
                choices.optional("perhaps", 50, |choices| choices.range("any", -5..=5))?;
                choices.group("call", |choices| choices.choose("quote", &["\"", "a b", "\n"]).map(|_| ()))?;
                choices.flip("coin", 50)
            })?;
            Ok(String::new())
        }
    }

    #[test]
    fn a_trace_comes_back_from_its_file() {
        for seed in 0..20 {
            let trace = Arc::unwrap_or_clone(run(&Everything, seed, 1000).expect("it ends").trace);
            let file = ChoicesFile::new(&Everything, trace);
            assert_eq!(ChoicesFile::parse(&file.to_string()), Ok(file.clone()), "{file}");
            assert_eq!(file.check(&Everything), Ok(()));
        }
    }

    use std::sync::Arc;

    #[track_caller]
    fn check(text: &str, expected: Unusable) {
        assert_eq!(ChoicesFile::parse(text), Err(expected));
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        let head = "mcve choices 1\ngenerator g 1\nsettings\n";
        check("", Unusable::NoChoices);
        check("fn main() {}", Unusable::NoChoices);
        check("mcve choices 2\n", Unusable::Format("mcve choices 2".to_owned()));
        check("mcve choices 1\ngenerator g 1\n", Unusable::Cut);
        check("mcve choices 1\ngenerator g\nsettings\n", Unusable::Line(2));
        check("mcve choices 1\nsettings\n", Unusable::Line(2));
        check(&format!("{head}loop a {{\n"), Unusable::Cut);
        for line in ["}", "a", "a =", "a = x", "a = true", "a = 1.5", "a # b", "loop a", "loop a b {", ""] {
            check(&format!("{head}{line}\n"), Unusable::Line(4));
        }
        assert!(ChoicesFile::parse(head).is_ok());
    }

    #[test]
    fn a_trace_of_another_generator_is_told() {
        let file = |generator: &str, version: &str, settings: &str| ChoicesFile {
            generator: generator.to_owned(),
            version: version.to_owned(),
            settings: settings.to_owned(),
            trace: Trace::default(),
        };
        assert_eq!(file("everything", "2 beta", "").check(&Everything), Ok(()));
        for (other, what) in [
            (file("nothing", "2 beta", ""), "name is `nothing`"),
            (file("everything", "1", ""), "version is `1`, and here it is `2 beta`"),
            (file("everything", "2 beta", "x"), "settings is `x`"),
        ] {
            let error = other.check(&Everything).expect_err("it is another one").to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
