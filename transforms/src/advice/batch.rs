//! Several variants of a program as modules of one program. The compiler reports the errors of each, and the executable
//! runs as any of them: the standard library is read and linked only once.

use std::fmt::Write;
use std::ops::Range;

use crate::text::covers;
use crate::text::lex::{Kind, prefix, tokens};

/// The file with the number of the variant that the program runs as.
pub const CHOICE: &str = ".mcve-variant";

/// The name of the module of a variant, before its number.
const MODULE: &str = "mcve_variant_";

/// Variants of a program in one.
pub struct Batch {
    /// The program.
    pub text: String,
    /// The variants, `None` for one that cannot be such a module. The last one is the original, where things that two variants
    /// cannot both have are errors.
    modules: Vec<Option<Module>>,
}

/// A variant in the program.
struct Module {
    range: Range<usize>,
    /// How many lines are before its first one.
    line: usize,
    /// Whether it has a `main` that can be called.
    has_main: bool,
    /// The insertions: line and column in the variant, both from 1, and the number of characters.
    shifts: Vec<(usize, usize, usize)>,
}

impl Batch {
    /// A batch of variants of `original`. Variants that are `None`, and those in which the crate has other attributes or
    /// needs other crates, are left out.
    pub fn of<'t>(original: &'t str, variants: impl Iterator<Item = Option<&'t str>>) -> Self {
        let original = Member::of(original);
        let root = original.root.clone();
        let fits = |variant: &Member<'_>| variant.root == root;
        let members = variants.map(|variant| variant.map(Member::of).filter(fits)).collect::<Vec<_>>();
        let (mut text, mut modules) = (root.clone(), Vec::new());
        for member in members.into_iter().chain([Some(original)]) {
            let number = modules.len();
            modules.push(member.map(|member| member.write(number, &mut text)));
        }
        Self { text, modules }
    }

    /// Makes it a program that runs as the variant whose number is in the file [`CHOICE`]. Variants without `main` are left out.
    #[must_use]
    pub fn runnable(mut self) -> Self {
        for module in &mut self.modules {
            module.take_if(|module| !module.has_main);
        }
        let _ = write!(
            self.text,
            "extern crate std as mcve_std;\nfn main() -> mcve_std::process::ExitCode {{\n    let choice = mcve_std::fs::read_to_string({CHOICE:?}).unwrap_or_default();\n    match &*choice {{\n"
        );
        for number in (0..self.modules.len()).filter(|number| self.modules[*number].is_some()) {
            let _ = writeln!(
                self.text,
                "        \"{number}\" => mcve_std::process::Termination::report({MODULE}{number}::main()),"
            );
        }
        self.text.push_str("        _ => mcve_std::process::ExitCode::from(2),\n    }\n}\n");
        self
    }

    /// Makes it a program that only has to compile.
    #[must_use]
    pub fn checkable(mut self) -> Self {
        self.text.push_str("fn main() {}\n");
        self
    }

    /// The number of the original.
    pub fn original(&self) -> usize {
        self.modules.len() - 1
    }

    /// Whether a variant is in it.
    pub fn has(&self, variant: usize) -> bool {
        self.modules[variant].is_some()
    }

    /// The variant that a place is in.
    pub fn variant(&self, place: &Range<usize>) -> Option<usize> {
        let is_in = |module: &Module| covers(&module.range, place);
        self.modules.iter().position(|module| module.as_ref().is_some_and(is_in))
    }

    /// Translates the output of the program for a variant into that of the variant alone: `file` is its name, and lines,
    /// columns and paths of items are those of the variant.
    pub fn translate(&self, variant: usize, file: &str, written: &str) -> String {
        let Some(module) = &self.modules[variant] else { return written.to_owned() };
        let written = written.replace(&format!("{MODULE}{variant}::"), "");
        let (mut text, mut rest) = (String::new(), &*written);
        while let Some(at) = rest.find(file) {
            // The name may be the end of another one: `a.rs` of `data.rs`.
            let is_whole = !rest[..at].ends_with(|char: char| char.is_alphanumeric() || char == '_' || char == '-');
            let (before, behind) = rest.split_at(at + file.len());
            text.push_str(before);
            rest = behind;
            if !is_whole {
                continue;
            }
            let Some((line, behind)) = number(rest) else { continue };
            let Some(line) = line.checked_sub(module.line).filter(|line| *line > 0) else { continue };
            let _ = write!(text, ":{line}");
            rest = behind;
            let Some((column, behind)) = number(rest) else { continue };
            let _ = write!(text, ":{}", module.column(line, column));
            rest = behind;
        }
        text + rest
    }
}

impl Module {
    /// The column of the variant that is at this one in a line of the program.
    fn column(&self, line: usize, column: usize) -> usize {
        let own = self.shifts.iter().filter(|(shifted, ..)| *shifted == line);
        own.fold(column, |column, (_, from, by)| if column >= from + by { column - by } else { column })
    }
}

/// The number after the colon that a text begins with, and the rest of the text.
fn number(text: &str) -> Option<(usize, &str)> {
    let digits = text.strip_prefix(':')?;
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    Some((digits[..end].parse().ok()?, &digits[end..]))
}

/// A program that becomes a module.
struct Member<'t> {
    text: &'t str,
    /// The parts that only the root of a crate can have: its attributes, and declarations of other crates.
    root: String,
    /// The ranges that are blanked in the module: these attributes, and everything before the Rust text.
    blank: Vec<Range<usize>>,
    /// The bytes after each `crate` that a path begins with.
    roots: Vec<usize>,
    /// The start of a private `main`.
    main: Option<usize>,
}

impl<'t> Member<'t> {
    fn of(text: &'t str) -> Self {
        let tokens = tokens(text);
        let code: Vec<&Range<usize>> =
            tokens.iter().filter(|token| token.kind == Kind::Code).map(|token| &token.range).collect();
        let mut member = Self {
            text,
            root: String::new(),
            blank: std::iter::once(0..prefix(text)).collect(),
            roots: Vec::new(),
            main: None,
        };
        let (mut next, mut item, mut depth) = (0, 0, 0_usize);
        while next < code.len() {
            let word = |index: usize| code.get(index).map_or("", |range: &&Range<usize>| &text[(*range).clone()]);
            let of_root = match [word(next), word(next + 1), word(next + 2)] {
                ["#", "!", "["] if depth == 0 => closing_bracket(next, word).map(|last| next..=last),
                ["#", "[", _] if depth == 0 => {
                    next = closing_bracket(next, word).map_or(code.len(), |last| last + 1);
                    continue;
                }
                ["extern", "crate", _] if depth == 0 => {
                    (next..code.len()).find(|&index| word(index) == ";").map(|last| item..=last)
                }
                _ => None,
            };
            if let Some(tokens) = of_root {
                let range = code[*tokens.start()].start..code[*tokens.end()].end;
                member.root.push_str(&text[range.clone()]);
                member.root.push('\n');
                // A crate has its name in the module as well: there it is nearer than a name of a glob.
                if word(next) == "extern" {
                    let is_macro_use = |index: &usize| [word(*index), word(*index + 2)] == ["#", "macro_use"];
                    let attributes = (item..next).filter(is_macro_use);
                    let ends = attributes.filter_map(|index| Some((index, closing_bracket(index, word)?)));
                    member.blank.extend(ends.map(|(index, last)| code[index].start..code[last].end));
                } else {
                    member.blank.push(range);
                }
                next = tokens.end() + 1;
                item = next;
                continue;
            }
            match word(next) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "crate" if word(next + 1) == "::" => member.roots.push(code[next].end),
                "fn" if depth == 0 && word(next + 1) == "main" && (next == item || word(next - 1) == "]") => {
                    member.main = Some(code[next].start);
                }
                _ => {}
            }
            next += 1;
            if depth == 0 && ["}", ";"].contains(&word(next - 1)) {
                item = next;
            }
        }
        member
    }

    fn write(&self, number: usize, program: &mut String) -> Module {
        let _ = writeln!(program, "mod {MODULE}{number} {{");
        let (start, line) = (program.len(), program.matches('\n').count());
        let mut changes: Vec<(Range<usize>, String)> =
            self.blank.iter().map(|range| (range.clone(), blanked(&self.text[range.clone()]))).collect();
        changes.extend(self.roots.iter().map(|&root| (root..root, format!("::{MODULE}{number}"))));
        changes.extend(self.main.map(|main| (main..main, "pub ".to_owned())));
        changes.sort_by_key(|(range, _)| range.start);
        let (mut from, mut shifts) = (0, Vec::new());
        for (range, text) in changes {
            program.push_str(&self.text[from..range.start]);
            if range.is_empty() {
                let before = &self.text[..range.start];
                let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
                shifts.push((
                    before.matches('\n').count() + 1,
                    before[line_start..].chars().count() + 1,
                    text.chars().count(),
                ));
            }
            program.push_str(&text);
            from = range.end;
        }
        program.push_str(&self.text[from..]);
        program.push_str("\n}\n");
        Module { range: start..program.len(), line, has_main: self.main.is_some(), shifts }
    }
}

/// The token of the bracket that closes the first one from `start` on.
fn closing_bracket<'t>(start: usize, word: impl Fn(usize) -> &'t str) -> Option<usize> {
    let mut depth = 0_usize;
    (start..).take_while(|&index| !word(index).is_empty()).find(|&index| {
        match word(index) {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            _ => return false,
        }
        depth == 0
    })
}

/// Blank text with the lines and columns of `text`.
fn blanked(text: &str) -> String {
    text.chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "#!/bin/x\n#![feature(\n  box_patterns)]\n//! Doc.\n#[macro_use] extern crate alloc;\nuse crate::a::f;\nmod a { pub fn f() {} }\n#[cold] fn main() {}";

    #[test]
    fn variants_are_modules_before_the_original() {
        let variant = "#![feature(\n  box_patterns)] #[macro_use] extern crate alloc; use crate::{a::f, crate::b};";
        let batch = Batch::of(ORIGINAL, [Some(variant), Some("use crate::a::f;"), None].into_iter()).checkable();
        let expected = [
            "#![feature(\n  box_patterns)]",
            "#[macro_use] extern crate alloc;",
            "mod mcve_variant_0 {",
            "           \n                              extern crate alloc; use crate::mcve_variant_0::{a::f, crate::mcve_variant_0::b};",
            "}",
            "mod mcve_variant_3 {",
            "        \n           \n                \n//! Doc.",
            "             extern crate alloc;",
            "use crate::mcve_variant_3::a::f;",
            "mod a { pub fn f() {} }",
            "#[cold] pub fn main() {}",
            "}",
            "fn main() {}\n",
        ];
        assert_eq!(batch.text, expected.join("\n"));
        let at = |text: &str| {
            let start = batch.text.find(text).expect("it is there");
            batch.variant(&(start..start + 1))
        };
        assert_eq!(["variant_0::", "variant_3::", "fn main() {}\n"].map(at), [Some(0), Some(3), Some(3)]);
        assert_eq!(batch.variant(&(batch.text.len() - 3..batch.text.len() - 2)), None);
        assert_eq!((batch.original(), batch.has(0), batch.has(1)), (3, true, false));
    }

    #[test]
    fn what_a_variant_writes_is_as_if_it_were_alone() {
        let text = "use crate::f; fn main() { crate::f(1); g() }";
        let batch = Batch::of(text, [Some(text), Some("fn g() {}")].into_iter()).runnable();
        assert_eq!([0, 1, 2].map(|variant| batch.has(variant)), [true, false, true]);
        // Where a compiler sees it, from 1.
        let line = batch.text.lines().position(|line| line.contains("mcve_variant_2::f(")).expect("it is there") + 1;
        let place = |word: &str| {
            let column = batch.text.lines().nth(line - 1).and_then(|line| line.find(word)).expect("it is there") + 1;
            format!("a.rs:{line}:{column}")
        };
        let written = format!(
            "at {} in a::mcve_variant_2::g, {}: a.rs: a.rs:1:1 data.rs:90:1",
            place("g()"),
            place("crate::mcve_variant_2::f(")
        );
        let column = |word: &str| text.find(word).expect("it is there") + 1;
        let expected =
            format!("at a.rs:1:{} in a::g, a.rs:1:{}: a.rs: a.rs:1:1 data.rs:90:1", column("g()"), column("crate::f("));
        assert_eq!(batch.translate(2, "a.rs", &written), expected);
    }

    #[test]
    fn an_attribute_that_is_not_closed_is_one() {
        for text in ["#![", "#![a[", "", "#"] {
            let batch = Batch::of(text, [Some(text)].into_iter());
            assert!(batch.has(0) && batch.text.contains("mod mcve_variant_1"), "{text}");
        }
    }
}
