//! Several variants of a program as the modules of one, so that a compiler says of each whether it has errors and reads the
//! standard library once for all of them.

use std::fmt::Write;
use std::ops::Range;

use crate::text::lex::{Kind, prefix, tokens};

/// Variants of a program in one.
pub struct Batch {
    /// The program.
    pub text: String,
    /// Where each variant is; nowhere where it cannot be a module as the others are.
    variants: Vec<Range<usize>>,
    /// Where the original is: behind them, where what two of them cannot both have is an error.
    original: Range<usize>,
}

impl Batch {
    /// A batch of variants of `original`. Those that are none, and those with other attributes of the crate, are left out.
    #[must_use]
    pub fn of<'t>(original: &str, variants: impl Iterator<Item = Option<&'t str>>) -> Self {
        let first = Member::of(original);
        let mut text = format!("{}\n", first.attributes);
        let mut number = 0;
        let mut add = |member: &Member<'_>| {
            let start = text.len();
            number += 1;
            member.write(&format!("variant_{number}"), &mut text);
            start..text.len()
        };
        let fits = |variant: &Member<'_>| variant.attributes == first.attributes;
        let variants =
            variants.map(|variant| variant.map(Member::of).filter(fits).map_or(0..0, |variant| add(&variant)));
        let variants = variants.collect();
        let original = add(&first);
        text.push_str("fn main() {}\n");
        Self { text, variants, original }
    }

    /// Which of the variants a place is in.
    #[must_use]
    pub fn variant(&self, place: &Range<usize>) -> Option<usize> {
        self.variants.iter().position(|variant| is_in(place, variant))
    }

    /// Whether a place is in the original.
    #[must_use]
    pub fn is_original(&self, place: &Range<usize>) -> bool {
        is_in(place, &self.original)
    }
}

fn is_in(place: &Range<usize>, module: &Range<usize>) -> bool {
    module.start <= place.start && place.end <= module.end
}

/// A program that becomes a module.
struct Member<'t> {
    text: &'t str,
    /// The attributes of the crate, which a module cannot have.
    attributes: String,
    /// What stands for nothing in the module: these attributes and what is before all Rust.
    blank: Vec<Range<usize>>,
    /// Behind each `crate` that a path begins with.
    roots: Vec<usize>,
}

impl<'t> Member<'t> {
    fn of(text: &'t str) -> Self {
        let tokens = tokens(text);
        let code: Vec<&Range<usize>> =
            tokens.iter().filter(|token| token.kind == Kind::Code).map(|token| &token.range).collect();
        let word = |index: usize| code.get(index).map_or("", |range: &&Range<usize>| &text[(*range).clone()]);
        let (mut attributes, mut blank, mut next) = (String::new(), vec![0..prefix(text)], 0);
        while [word(next), word(next + 1), word(next + 2)] == ["#", "!", "["] {
            let (start, mut depth) = (next, 0);
            while next < code.len() {
                depth += usize::from(word(next) == "[");
                depth -= usize::from(word(next) == "]");
                next += 1;
                if depth == 0 && word(next - 1) == "]" {
                    break;
                }
            }
            let range = code[start].start..code[next - 1].end;
            attributes.push_str(&text[range.clone()]);
            blank.push(range);
        }
        let is_root = |index: &usize| word(*index) == "crate" && word(*index + 1) == "::";
        let roots = (next..code.len()).filter(is_root).map(|index| code[index].end).collect();
        Self { text, attributes, blank, roots }
    }

    /// Writes the module.
    fn write(&self, name: &str, batch: &mut String) {
        let _ = writeln!(batch, "mod {name} {{");
        let mut from = 0;
        let mut insertions: Vec<(Range<usize>, String)> =
            self.blank.iter().map(|range| (range.clone(), String::new())).collect();
        insertions.extend(self.roots.iter().map(|&root| (root..root, format!("::{name}"))));
        for (range, inserted) in insertions {
            batch.push_str(&self.text[from..range.start]);
            batch.push_str(&inserted);
            from = range.end;
        }
        batch.push_str(&self.text[from..]);
        batch.push_str("\n}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_modules_before_the_original() {
        let original = "#!/bin/x\n#![feature(box_patterns)]\n//! Doc.\nuse crate::a::f;\nmod a { pub fn f() {} }\n";
        let variant = "#![feature(box_patterns)]\nuse crate::a::f;";
        let other = "use crate::a::f;";
        let batch = Batch::of(original, [Some(variant), Some(other), None].into_iter());
        let expected = [
            "#![feature(box_patterns)]",
            "mod variant_1 {",
            "\nuse crate::variant_1::a::f;",
            "}",
            "mod variant_2 {",
            "\n\n//! Doc.",
            "use crate::variant_2::a::f;",
            "mod a { pub fn f() {} }",
            "\n}",
            "fn main() {}\n",
        ];
        assert_eq!(batch.text, expected.join("\n"));
        let at = |text: &str| {
            let start = batch.text.find(text).expect("it is there");
            let place = start..start + 1;
            (batch.variant(&place), batch.is_original(&place))
        };
        let found = ["variant_1::", "variant_2::", "fn main"].map(at);
        assert_eq!(found, [(Some(0), false), (None, true), (None, false)]);
    }

    #[test]
    fn an_attribute_that_is_not_closed_is_one() {
        for text in ["#![", "#![a[", "", "#"] {
            let batch = Batch::of(text, [Some(text)].into_iter());
            assert!(batch.text.contains("mod variant_2"), "{text}");
        }
    }
}
