//! The mutant schema: a program with all mutants, of which a run selects some, and the mutants that it cannot have.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, Stmt};

use super::operators::Kind;
use super::{Mutant, Mutants, Site, function};
use crate::advice::runtime::{add_runtime, permitted};
use crate::syntax::Syntax;
use crate::text::covers;

/// The module that reads the variable; it is added to the program.
const RUNTIME: &str = include_str!("runtime.rs");

/// What it has for a `const fn`, in which no mutant is active while the compiler evaluates it.
const CONST_RUNTIME: &str = "
/// The first of the active mutants, in a `const fn`.
pub const fn active_in_const() -> usize {
    const fn never() -> usize {
        0
    }
    unsafe { self::std::intrinsics::const_eval_select((), never, active) }
}

/// Whether a mutant is active, in a `const fn`.
pub const fn is_active_in_const(number: usize) -> bool {
    const fn never(_: usize) -> bool {
        false
    }
    unsafe { self::std::intrinsics::const_eval_select((number,), never, is_active) }
}
";

/// The unstable features of rustc that it uses.
const CONST_FEATURES: &str = "core_intrinsics,const_eval_select";

/// A program with all mutants.
pub struct Schema {
    /// Its text.
    pub text: String,
    parts: Vec<SchemaPart>,
    /// The bytes that are those of the program, and where they begin there, in order.
    copied: Vec<(Range<usize>, usize)>,
    is_assigned: bool,
}

/// The part of a schema that belongs to a mutant.
struct SchemaPart {
    bytes: Range<usize>,
    /// The number of the mutant; 0 for the rest of the site.
    number: usize,
    /// The bytes of the site in the program.
    site: Range<usize>,
}

impl Schema {
    /// The unstable features of rustc that the schema with this text uses, separated by commas; none if it has no mutant in a
    /// `const fn`.
    pub fn features(text: &str) -> Option<&'static str> {
        text.contains(CONST_RUNTIME).then_some(CONST_FEATURES)
    }

    /// Copies these bytes of the program.
    fn copy(&mut self, text: &str, bytes: Range<usize>) {
        let begin = self.text.len();
        self.text.push_str(&text[bytes.clone()]);
        self.copied.push((begin..self.text.len(), bytes.start));
    }

    /// The byte of the program that this byte is; `None` if the program has none.
    fn original(&self, byte: usize) -> Option<usize> {
        let next = self.copied.partition_point(|(bytes, _)| bytes.end <= byte);
        let (bytes, begin) = self.copied.get(next).filter(|(bytes, _)| bytes.contains(&byte))?;
        Some(begin + (byte - bytes.start))
    }

    /// Assigns the text from the byte `begin` on to a mutant of `site`.
    fn add(&mut self, begin: usize, number: usize, site: &Site<'_>) {
        self.parts.push(SchemaPart { bytes: begin..self.text.len(), number, site: site.range.clone() });
    }
}

impl Site<'_> {
    /// Whether it is a statement that leaves the block that it is in.
    fn leaves(&self) -> bool {
        let Syntax::Stmt(Stmt::Expr(expr, _)) = self.node.syntax() else { return false };
        matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
    }

    /// The functions that its code calls: which mutant is active, and whether one is.
    fn questions(&self) -> [&str; 2] {
        match self.is_const {
            true => ["crate::mcve_mutants::active_in_const", "crate::mcve_mutants::is_active_in_const"],
            false => ["crate::mcve_mutants::active", "crate::mcve_mutants::is_active"],
        }
    }
}

impl Mutants<'_> {
    /// The program with all mutants. If it `is_assigned`, each value is assigned to a variable, so that the compiler reports
    /// all of a wrong type at once: it only reports the first arm of a `match`. But temporaries then end too early.
    pub fn schema(&self, is_assigned: bool) -> Schema {
        let text = permitted(self.tree);
        let is_const = self.sites.iter().any(|site| site.is_const && !site.mutants.is_empty());
        let mut schema =
            Schema { text: String::with_capacity(text.len() * 4), parts: Vec::new(), copied: Vec::new(), is_assigned };
        let mut next = 0;
        self.write(&text, 0..text.len(), &mut next, &mut schema);
        let runtime = if is_const { [RUNTIME, CONST_RUNTIME].concat() } else { RUNTIME.to_owned() };
        let moved = add_runtime(&mut schema.text, "mcve_mutants", &runtime);
        schema.parts.iter_mut().for_each(|part| part.bytes = moved.range(&part.bytes));
        schema.copied.iter_mut().for_each(|(bytes, _)| *bytes = moved.range(bytes));
        schema
    }

    /// Writes these bytes of the program, from the site of the number `next` on.
    fn write(&self, text: &str, bytes: Range<usize>, next: &mut usize, schema: &mut Schema) {
        let mut at = bytes.start;
        while let Some(site) = self.sites.get(*next).filter(|site| site.range.end <= bytes.end) {
            *next += 1;
            schema.copy(text, at..site.range.start);
            at = site.range.end;
            if site.mutants.is_empty() {
                self.write(text, site.range.clone(), next, schema);
                continue;
            }
            let [active, is_active] = site.questions();
            if let Kind::Arm(arm) = &site.kind {
                for mutant in &site.mutants {
                    let begin = schema.text.len();
                    let guard = arm.guard.clone().map(|guard| format!(" && ({})", &text[guard])).unwrap_or_default();
                    let (number, pattern, body) = (mutant.number, &mutant.text, &text[arm.body.clone()]);
                    schema.text += &format!("{pattern} if {is_active}({number}usize){guard} => {body}, ");
                    schema.add(begin, number, site);
                }
                self.write(text, site.range.clone(), next, schema);
                continue;
            }
            let begin = schema.text.len();
            if matches!(site.kind, Kind::Statement) {
                let number = site.mutants[0].number;
                schema.text += &format!("if !{is_active}({number}usize) {{ ");
                self.write(text, site.range.clone(), next, schema);
                schema.text += " }";
                schema.add(begin, number, site);
                continue;
            }
            // The original comes first, as the first arm decides the type of the others.
            let (first, last) = (site.mutants[0].number, site.mutants[site.mutants.len() - 1].number);
            let [open, assign, close] =
                if schema.is_assigned { ["{ let mcve;", "mcve = ", " mcve }"] } else { [""; 3] };
            schema.text += &format!("({open}match {active}() {{ ..{first}usize | {}usize.. => {assign}", last + 1);
            self.write(text, site.range.clone(), next, schema);
            schema.text += ", ";
            for mutant in &site.mutants {
                let begin = schema.text.len();
                schema.text += &format!("{}usize => {assign}{{ {} }}, ", mutant.number, mutant.text);
                schema.add(begin, mutant.number, site);
            }
            schema.text += &format!("_ => crate::mcve_mutants::none(), }}{close})");
            schema.add(begin, 0, site);
        }
        schema.copy(text, at..bytes.end);
    }

    /// Removes the mutants in each `const fn`. Returns whether any were removed.
    pub fn remove_const(&mut self) -> bool {
        self.drop(|site, _| site.is_const)
    }

    /// Removes the mutants that cause the compiler's errors at these bytes of a schema: the one that an error is in, or all of
    /// a site if it is in the rest of that. If no error is in one, those go that one of its `reasons` is in: a variable that is
    /// only set there. If there are none, all that are in an error go, else those of its function: first variables, whose types may
    /// follow from their use; then `return` and the like, as the code after it may not be valid without it; then all statements.
    /// Returns whether any were removed.
    pub fn remove(&mut self, schema: &Schema, errors: &[Range<usize>], reasons: &[Range<usize>]) -> bool {
        self.remove_at(schema, errors)
            || self.remove_at(schema, reasons)
            || errors.iter().any(|error| self.remove_around(schema, error))
    }

    /// Removes the mutants that these bytes of a schema are in; returns whether any were removed.
    fn remove_at(&mut self, schema: &Schema, places: &[Range<usize>]) -> bool {
        let before = self.numbers().len();
        for place in places {
            let holds = |part: &&SchemaPart| covers(&part.bytes, place);
            if let Some(part) = schema.parts.iter().filter(holds).min_by_key(|part| part.bytes.len()) {
                let is_meant = |number: usize| part.number == 0 || number == part.number;
                self.drop(|site, mutant| site.range == part.site && is_meant(mutant.number));
            }
        }
        self.numbers().len() < before
    }

    /// Removes mutants around an error whose cause is elsewhere. Returns whether any were removed.
    fn remove_around(&mut self, schema: &Schema, error: &Range<usize>) -> bool {
        let is_in = |part: &&SchemaPart| covers(error, &part.bytes);
        let inside: HashSet<&Range<usize>> = schema.parts.iter().filter(is_in).map(|part| &part.site).collect();
        let is_removed = self.drop(|site, _| inside.contains(&site.range));
        let Some(at) = schema.original(error.start).filter(|_| !is_removed) else { return is_removed };
        let function = function(self.tree, &(at..at + 1));
        let is_there = |site: &Site<'_>| covers(&function, &site.range);
        self.drop(|site, mutant| mutant.is_variable() && is_there(site))
            || self.drop(|site, _| site.leaves() && is_there(site))
            || self.drop(|site, _| matches!(site.kind, Kind::Statement) && is_there(site))
            || self.drop(|site, _| is_there(site))
    }

    /// Removes mutants; returns whether any were removed.
    fn drop(&mut self, is_meant: impl Fn(&Site<'_>, &Mutant) -> bool) -> bool {
        let before = self.numbers().len();
        for site in &mut self.sites {
            let mutants = std::mem::take(&mut site.mutants);
            site.mutants = mutants.into_iter().filter(|mutant| !is_meant(site, mutant)).collect();
        }
        self.numbers().len() < before
    }
}
