//! Variables of blocks, and where they are used.

use std::ops::Range;

use syn::{Local, Pat, PatIdent, Stmt, Type};

use super::analysis::Analysis;
use super::references::Reference;
use crate::syntax::{Node, Occurrence, Syntax, range};

/// A variable that a `let` binds to the whole of its value, if it has one.
pub(crate) struct Variable<'t> {
    pub(crate) stmt: Node<'t>,
    pub(crate) local: &'t Local,
    pub(crate) pat: &'t PatIdent,
    /// The written type.
    pub(crate) ty: Option<&'t Type>,
    /// The bytes of its block behind the statement.
    pub(crate) scope: Range<usize>,
    /// Where it is named there.
    pub(crate) uses: Vec<Occurrence<'t>>,
    /// Where format strings name it there.
    pub(crate) captures: Vec<Range<usize>>,
}

impl<'t> Variable<'t> {
    pub(crate) fn all(analysis: &Analysis<'t>) -> impl Iterator<Item = Self> {
        analysis.tree().nodes().filter_map(|node| Self::of(analysis, node))
    }

    fn of(analysis: &Analysis<'t>, stmt: Node<'t>) -> Option<Self> {
        let Syntax::Stmt(Stmt::Local(local)) = stmt.syntax() else { return None };
        let (pat, ty) = match &local.pat {
            Pat::Type(pat) => (&*pat.pat, Some(&*pat.ty)),
            pat => (pat, None),
        };
        let Pat::Ident(pat) = pat else { return None };
        if pat.by_ref.is_some() || pat.subpat.is_some() {
            return None;
        }
        let name = stmt.text_at(range(&pat.ident));
        let scope = stmt.range().end..stmt.parent()?.range().end;
        let captures = analysis.captured().named(name).iter().filter(|capture| scope.contains(&capture.start));
        let uses = stmt.tree().uses(name, scope.clone(), 0..0).filter(|occurrence| Reference::of(occurrence).is_some());
        Some(Self { stmt, local, pat, ty, uses: uses.collect(), captures: captures.cloned().collect(), scope })
    }
}
