//! The position of an expression, and what another expression needs to stand there: parentheses, braces, a semicolon.

use std::ops::Range;

use syn::{BinOp, Expr, Pat, Stmt};

use crate::syntax::precedence::{self, Precedence};
use crate::syntax::tree::{Node, Syntax};
use crate::syntax::{surroundings, tree};
use crate::text::Edit;

/// The replacement for an expression.
#[derive(Clone, Copy)]
pub(crate) enum Filler<'f> {
    /// An expression of the program.
    Expr(&'f Expr),
    /// A literal, a path, a macro call: something that never needs parentheses.
    Atom,
    /// `{ .. }`.
    Block,
    /// `loop { .. }` or `if .. { .. }`.
    BlockLike,
}

impl Filler<'_> {
    fn is(self, predicate: fn(&Expr) -> bool) -> bool {
        matches!(self, Filler::Expr(expr) if predicate(expr))
    }

    /// Whether it needs no semicolon to be a statement.
    fn is_block_like(self) -> bool {
        self.is(precedence::is_block_like) || matches!(self, Filler::Block | Filler::BlockLike)
    }
}

/// A part of a replacement: a range that is kept from the site, in source order, or new text between such ranges.
#[derive(Clone)]
pub(crate) enum FillerPart<'p> {
    /// Bytes of the source.
    Kept(Range<usize>),
    /// Text between them.
    Text(&'p str),
}

/// The position of an expression, or of a macro call that is a statement.
pub(crate) struct Place<'t> {
    pub(crate) node: Node<'t>,
    site: Range<usize>,
    role: Position,
    /// The lowest precedence that an operand may have here.
    min: Precedence,
    /// The kinds of expressions that would be misread here without parentheses.
    misread: Misread,
    /// Whether a `let` may stand here.
    condition: bool,
    /// Whether the expression here is known to have the type `()`.
    unit: bool,
}

/// The syntax around the expression, where it restricts the replacement.
#[derive(Clone, PartialEq, Eq)]
enum Position {
    Part,
    /// A statement with its semicolon.
    Semi(Range<usize>),
    /// A statement without semicolon that others follow.
    Middle,
    /// The last statement of a block, without semicolon; whether the block is known to have no value.
    Tail(bool),
    /// The body of a match arm; whether it lacks a comma and is not the last.
    Arm(bool),
    /// The branch after `else`: a block or an `if`.
    Else,
    Block,
    /// A const generic argument: a literal or a block.
    Const,
}

/// The reasons why an expression may be misread without parentheses.
#[derive(Default)]
struct Misread {
    /// A block follows, so the expression must not end in a way that takes its `{`.
    head: bool,
    /// It begins a statement or an arm, which a block would end.
    start: bool,
    /// A dot or a question mark follows; a block at the beginning of a statement may be followed by one.
    dotted: bool,
    callee: bool,
    /// `<` follows.
    less: bool,
    /// The initialiser of `let .. else`.
    let_else: bool,
    break_value: bool,
}

impl<'t> Place<'t> {
    /// The place of `node`, if it is an expression or a macro call as a statement and another expression can stand there.
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let mut place = Self {
            node,
            site: node.range(),
            role: Position::Part,
            min: Precedence::Jump,
            misread: Misread::default(),
            condition: false,
            unit: false,
        };
        match node.syntax() {
            Syntax::Stmt(Stmt::Macro(stmt)) => {
                place.site.end = stmt.mac.delimiter.span().close().byte_range().end;
                place.role = statement_role(node, stmt.semi_token.as_ref().map(tree::range));
                place.misread.start = true;
            }
            Syntax::Expr(expr) => {
                place.unit = precedence::is_unit(expr);
                place.around(expr)?;
                place.climb(expr);
            }
            _ => return None,
        }
        Some(place)
    }

    /// The bytes that are replaced.
    pub(crate) fn site(&self) -> Range<usize> {
        self.site.clone()
    }

    pub(crate) fn is_statement(&self) -> bool {
        matches!(self.role, Position::Semi(_) | Position::Middle | Position::Tail(_))
    }

    /// Whether it is a statement whose value is discarded.
    pub(crate) fn is_discarded(&self) -> bool {
        matches!(self.role, Position::Semi(_) | Position::Middle | Position::Tail(true))
    }

    /// Whether only a block, or an `if`, can stand here.
    pub(crate) fn is_braced(&self) -> bool {
        matches!(self.role, Position::Else | Position::Block)
    }

    pub(crate) fn semicolon(&self) -> Option<Range<usize>> {
        match &self.role {
            Position::Semi(semi) => Some(semi.clone()),
            _ => None,
        }
    }

    /// Reads the place from the node directly around `expr`; `None` if no other expression can stand there.
    fn around(&mut self, expr: &Expr) -> Option<()> {
        let parent = self.node.parent()?;
        let is = |other: &Expr| std::ptr::eq(other, expr);
        match parent.syntax() {
            Syntax::Attribute(_) => return None,
            Syntax::Pat(Pat::Guard(pat)) if is(&pat.guard) => self.condition = true,
            Syntax::Pat(_) => return None,
            Syntax::FieldValue(field) if field.colon_token.is_none() => return None,
            Syntax::GenericArgument(_) | Syntax::GenericParam(_) => self.role = Position::Const,
            Syntax::Local(local) => {
                let diverge = local.init.as_ref().and_then(|init| init.diverge.as_ref());
                if diverge.is_some_and(|(_, diverge)| is(diverge)) {
                    self.role = Position::Block;
                }
                self.misread.let_else = diverge.is_some();
            }
            Syntax::Arm(arm) => self.role = Position::Arm(arm.comma.is_none() && !parent.is_last()),
            Syntax::Stmt(Stmt::Expr(_, semi)) => {
                self.role = statement_role(parent, semi.as_ref().map(tree::range));
            }
            Syntax::Expr(parent) => self.inside(parent, expr),
            _ => {}
        }
        Some(())
    }

    /// Reads the place from the expression around `expr`.
    fn inside(&mut self, parent: &Expr, expr: &Expr) {
        let is = |other: &Expr| std::ptr::eq(other, expr);
        self.min = match parent {
            Expr::Assign(parent) if is(&parent.left) => Precedence::Or,
            Expr::Binary(parent) => match Precedence::of_operator(&parent.op) {
                Precedence::Assign if is(&parent.left) => Precedence::Or,
                Precedence::Assign => Precedence::Jump,
                Precedence::Compare => Precedence::BitOr,
                precedence if is(&parent.left) => precedence,
                precedence => tighter(precedence),
            },
            Expr::Cast(_) => Precedence::Cast,
            Expr::Let(_) => Precedence::Compare,
            Expr::RawAddr(_) | Expr::Reference(_) | Expr::Unary(_) => Precedence::Prefix,
            Expr::Range(_) => Precedence::Or,
            parent if precedence::base(parent).is_some_and(is) => Precedence::Postfix,
            _ => Precedence::Jump,
        };
        match parent {
            Expr::If(parent) if parent.else_branch.as_ref().is_some_and(|(_, branch)| is(branch)) => {
                self.role = Position::Else;
            }
            Expr::Closure(_) if precedence::is_typed_closure(parent) => self.role = Position::Block,
            Expr::Call(parent) => self.misread.callee = is(&parent.func),
            Expr::Break(parent) => self.misread.break_value = parent.label.is_none(),
            _ => {}
        }
        self.misread.dotted = precedence::is_dotted(parent) && precedence::base(parent).is_some_and(is);
        let rest = &self.node.tree().source().text()[self.site.end..];
        self.misread.less = rest.trim_start().starts_with('<');
    }

    /// Finds out from the expressions around `expr` whether it begins a statement and whether it is in a head or a condition.
    fn climb(&mut self, mut expr: &'t Expr) {
        let (mut begins, mut ends, mut conjunct) = (true, true, true);
        for ancestor in self.node.ancestors() {
            match ancestor.syntax() {
                Syntax::Expr(parent) => {
                    let is = |other: &Expr| std::ptr::eq(other, expr);
                    let scrutinee = match parent {
                        Expr::If(parent) => Some((&*parent.cond, true)),
                        Expr::While(parent) => Some((&*parent.cond, true)),
                        Expr::Match(parent) => Some((&*parent.expr, false)),
                        Expr::ForLoop(parent) => Some((&*parent.expr, false)),
                        _ => None,
                    };
                    if let Some((scrutinee, takes_let)) = scrutinee {
                        self.misread.head = is(scrutinee);
                        self.condition = self.misread.head && takes_let && conjunct;
                        return;
                    }
                    self.misread.break_value |=
                        begins && matches!(parent, Expr::Break(parent) if parent.label.is_none());
                    let is_first = precedence::first(parent).is_some_and(is);
                    if !is_first && !precedence::last(parent).is_some_and(is) {
                        return;
                    }
                    conjunct &= matches!(parent, Expr::Binary(parent) if matches!(parent.op, BinOp::And(_)));
                    begins &= is_first;
                    ends &= !is_first;
                    expr = parent;
                }
                Syntax::Pat(Pat::Guard(_)) => {
                    self.condition = conjunct;
                    return;
                }
                Syntax::Local(local) => {
                    let init = local.init.as_ref().filter(|init| init.diverge.is_some());
                    self.misread.let_else |= ends && init.is_some_and(|init| std::ptr::eq(&*init.expr, expr));
                    return;
                }
                Syntax::Stmt(_) | Syntax::Arm(_) => {
                    self.misread.start = begins;
                    return;
                }
                _ => return,
            }
        }
    }

    /// The text to put before and after `filler` so that it can stand here; `None` if it cannot.
    fn fit(&self, filler: Filler<'_>, attributed: bool) -> Option<(String, String)> {
        let (mut before, mut after) = (String::new(), String::new());
        let is_block = filler.is(precedence::is_plain_block) || matches!(filler, Filler::Block);
        let is_plain_if = filler.is(|expr| matches!(expr, Expr::If(_))) && !attributed;
        let braced = match self.role {
            Position::Else => !is_block && !is_plain_if,
            Position::Block => !is_block,
            Position::Const => {
                !filler.is(|expr| precedence::is_plain_block(expr) || matches!(expr, Expr::Lit(_)))
                    && !matches!(filler, Filler::Block)
            }
            _ => false,
        };
        let parenthesised = if braced {
            filler.is(precedence::is_cut)
        } else {
            // Only braces may follow an `else`.
            !self.is_braced() && (self.misreads(filler) || attributed && self.min > Precedence::Jump)
        };
        if filler.is(precedence::holds_let) && (!self.condition || parenthesised || braced) {
            return None;
        }
        if braced {
            before.push_str("{ ");
            after.push_str(" }");
        }
        if parenthesised {
            before.push('(');
            after.insert(0, ')');
        }
        let ends_itself = filler.is_block_like() && !parenthesised;
        match self.role {
            Position::Middle if !ends_itself => after.push(';'),
            Position::Tail(unit) if (unit || self.unit) && !ends_itself && !filler.is(precedence::fits_unit) => {
                after.push(';')
            }
            Position::Arm(true) if !ends_itself || filler.is(|expr| matches!(expr, Expr::Macro(_))) => after.push(','),
            _ => {}
        }
        Some((before, after))
    }

    /// Whether `filler` can stand here unchanged.
    pub(crate) fn takes(&self, filler: Filler<'_>) -> bool {
        self.fit(filler, false).is_some_and(|(before, after)| before.is_empty() && after.is_empty())
    }

    /// Whether `filler` would be misread here without parentheses.
    fn misreads(&self, filler: Filler<'_>) -> bool {
        let misread = &self.misread;
        let expr = match filler {
            Filler::Expr(expr) => expr,
            Filler::Atom => return false,
            Filler::Block | Filler::BlockLike => {
                return misread.let_else || misread.start && !misread.dotted && !self.is_whole();
            }
        };
        let cut = precedence::is_cut(expr) || precedence::is_block_like(expr) && !misread.dotted && !self.is_whole();
        self.min > Precedence::of_operand(expr)
            || misread.head && precedence::takes_brace(expr)
            || misread.start && cut
            || misread.callee && precedence::becomes_method(expr)
            || misread.less && precedence::ends_with_type(expr)
            || misread.let_else && precedence::upsets_else(expr)
            || misread.break_value && precedence::begins_with_label(expr)
    }

    /// Whether it is a whole statement or the whole body of an arm.
    fn is_whole(&self) -> bool {
        self.is_statement() || matches!(self.role, Position::Arm(_))
    }

    /// The text before and after `kept`, an expression or block inside the site, if only it is kept; `None` if it cannot
    /// stand there.
    pub(crate) fn shell(&self, kept: Node<'_>) -> Option<(String, String)> {
        let filler = match kept.syntax() {
            Syntax::Expr(expr) => Filler::Expr(expr),
            Syntax::Block(_) => Filler::Block,
            _ => return None,
        };
        let attributed = kept.text().starts_with('#');
        if surroundings::leaves_macro(kept, self.node) { None } else { self.fit(filler, attributed) }
    }

    /// The edit that replaces the site with `text`; `None` if it cannot stand there.
    pub(crate) fn filled(&self, filler: Filler<'_>, text: &str) -> Option<Edit> {
        let (before, after) = self.fit(filler, false)?;
        Some(Edit::replace(self.site(), before + text + &after))
    }

    /// The edits that reduce the site to `kept`, an expression inside it; `None` if it cannot stand there.
    pub(crate) fn kept(&self, kept: Node<'_>) -> Option<Vec<Edit>> {
        let Syntax::Expr(expr) = kept.syntax() else { return None };
        let (before, after) = self.fit(Filler::Expr(expr), kept.text().starts_with('#'))?;
        Some(edits(self.site(), &before, &[FillerPart::Kept(kept.range())], &after))
    }

    /// The edits that replace the site with `parts`, which together form a `filler`.
    pub(crate) fn composed(&self, filler: Filler<'_>, parts: &[FillerPart<'_>]) -> Option<Vec<Edit>> {
        let (before, after) = self.fit(filler, false)?;
        Some(edits(self.site(), &before, parts, &after))
    }

    /// The edits that leave `parts`, then the statements of `body`: among the statements around the site, or in a new block.
    pub(crate) fn sequenced(&self, parts: &[FillerPart<'_>], body: Node<'_>) -> Option<Vec<Edit>> {
        let (kept, end) = match (surroundings::block(body), body.syntax()) {
            (Some(block), _) => (surroundings::statements(block), surroundings::open_end(block)),
            (None, Syntax::Expr(expr)) => {
                (Some(body.range()), Some(expr).filter(|expr| !precedence::is_block_like(expr)))
            }
            _ => return None,
        };
        let mut all = parts.to_vec();
        all.extend(kept.map(FillerPart::Kept));
        if !self.is_statement() {
            all.insert(0, FillerPart::Text("{ "));
            all.push(FillerPart::Text(" }"));
            return self.composed(Filler::Block, &all);
        }
        // Nothing would be left: that would delete the statement.
        if all.is_empty() {
            return None;
        }
        let mut site = self.site();
        match &self.role {
            Position::Semi(semi) if end.is_none() => site.end = semi.end,
            Position::Middle if end.is_some() => all.push(FillerPart::Text(";")),
            Position::Tail(unit) if (*unit || self.unit) && end.is_some_and(|end| !precedence::fits_unit(end)) => {
                all.push(FillerPart::Text(";"));
            }
            _ => {}
        }
        Some(edits(site, "", &all, ""))
    }
}

/// The edits that reduce `site` to `parts`, between `before` and `after`.
fn edits(site: Range<usize>, before: &str, parts: &[FillerPart<'_>], after: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut text = before.to_owned();
    let mut position = site.start;
    for part in parts {
        match part {
            FillerPart::Text(piece) => text.push_str(piece),
            FillerPart::Kept(range) => {
                edits.push(Edit::replace(position..range.start, std::mem::take(&mut text)));
                position = range.end;
            }
        }
    }
    text.push_str(after);
    edits.push(Edit::replace(position..site.end, text));
    edits
}

fn statement_role(stmt: Node<'_>, semi: Option<Range<usize>>) -> Position {
    match semi {
        Some(semi) => Position::Semi(semi),
        None if !stmt.is_last() => Position::Middle,
        None => Position::Tail(stmt.parent().is_some_and(surroundings::is_unit_block)),
    }
}

fn tighter(precedence: Precedence) -> Precedence {
    match precedence {
        Precedence::Or => Precedence::And,
        Precedence::And => Precedence::Let,
        Precedence::BitOr => Precedence::BitXor,
        Precedence::BitXor => Precedence::BitAnd,
        Precedence::BitAnd => Precedence::Shift,
        Precedence::Shift => Precedence::Sum,
        Precedence::Sum => Precedence::Product,
        Precedence::Product => Precedence::Cast,
        _ => Precedence::Postfix,
    }
}
