//! The scope of an expression: its local variables and its remaining cost.

use super::types::Type;

/// The kind of a local name.
#[derive(Clone, Debug)]
pub(super) enum LocalKind {
    /// A value that is never assigned.
    Value,
    /// A variable that is assigned.
    Variable,
    /// A reference to a value.
    Reference,
    /// A const parameter.
    Constant,
    /// A closure, with the types of its parameters and the cost of a call. The type of the local is its return type.
    Closure(Vec<Type>, u64),
}

/// A local name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) kind: LocalKind,
    /// The number of its current borrows.
    borrows: usize,
}

impl Local {
    /// Whether it can be assigned now.
    pub(super) fn is_free(&self) -> bool {
        self.borrows == 0
    }
}

/// The written part of the body of a function, a closure or a constant.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) locals: Vec<Local>,
    /// Type parameters and the traits that bound them.
    pub(super) generics: Vec<(String, Option<usize>)>,
    /// The type of `return` expressions, where they are allowed.
    pub(super) returns: Option<Type>,
    pub(super) is_async: bool,
    pub(super) is_const: bool,
    /// The number of loops around.
    pub(super) loops: usize,
    /// The maximum number of times that the current code runs.
    pub(super) times: u64,
    /// The maximum cost of running the code so far.
    pub(super) cost: u64,
    /// The exclusive limit for the cost.
    pub(super) limit: u64,
}

/// The borrowed local, if there is one.
#[must_use]
pub(super) struct Held(Option<usize>);

impl Body {
    /// An empty body.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            locals: Vec::new(),
            generics: Vec::new(),
            returns: None,
            is_async: false,
            is_const: false,
            loops: 0,
            times: 1,
            cost: 0,
            limit,
        }
    }

    /// Whether code of this cost can be added here.
    pub(super) fn affords(&self, cost: u64) -> bool {
        self.cost.saturating_add(cost.saturating_mul(self.times)) < self.limit
    }

    /// Adds the cost of code here.
    pub(super) fn spend(&mut self, cost: u64) {
        self.cost = self.cost.saturating_add(cost.saturating_mul(self.times));
    }

    pub(super) fn add(&mut self, name: &str, ty: &Type, kind: LocalKind) {
        self.locals.push(Local { name: name.to_owned(), ty: ty.clone(), kind, borrows: 0 });
    }

    /// Marks `code` as borrowed until [`release`](Self::release): a local that it names as a place, and
    /// not as a copy, cannot be assigned until then.
    pub(super) fn hold(&mut self, code: &str) -> Held {
        let name = place_root(code);
        let held = self.locals.iter().position(|local| Some(&*local.name) == name);
        if let Some(index) = held {
            self.locals[index].borrows += 1;
        }
        Held(held)
    }

    /// Ends a borrow. Names that were added meanwhile may be gone.
    pub(super) fn release(&mut self, held: Held) {
        if let Held(Some(index)) = held {
            self.locals[index].borrows -= 1;
        }
    }

    /// The body of a closure or an `async` block in this one. It can only use locals that are never assigned and that
    /// `captures` accepts.
    pub(super) fn inner(&self, returns: Type, captures: impl Fn(&Local) -> bool) -> Self {
        let is_seen = |local: &&Local| !matches!(local.kind, LocalKind::Variable) && captures(local);
        let locals = self.locals.iter().filter(is_seen).cloned().collect();
        let returns = Some(returns);
        Self { locals, returns, is_async: false, loops: 0, times: 1, cost: 0, generics: self.generics.clone(), ..*self }
    }
}

/// The local that is borrowed with an expression: `v` for `v`, `&v`, `v.field` and `v[0]`, none for `v.clone()`.
fn place_root(code: &str) -> Option<&str> {
    let place = code.trim_start_matches(['&', '(']).trim_end_matches(')');
    let end = place.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(place.len());
    let (name, rest) = place.split_at(end);
    let is_place = rest.is_empty() || rest.starts_with('[') || rest.starts_with('.') && !rest.contains('(');
    is_place.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_place_is_told_from_a_copy() {
        for place in ["v1", "&v1", "(v1)", "v1.f2", "v1.0", "&v1[i.min(1) % 3]"] {
            assert_eq!(place_root(place), Some("v1"), "{place}");
        }
        for copy in ["v1.clone()", "&v1.f2.clone()", "v1 + v2", "f(v1)", "if v1 { v1 } else { v1 }", "{ v1 }", "v1::v2"]
        {
            assert_eq!(place_root(copy), None, "{copy}");
        }
    }

    #[test]
    fn what_is_borrowed_is_not_assigned() {
        let mut body = Body::new(1);
        body.add("v1", &Type::Bool, LocalKind::Variable);
        let (outer, inner) = (body.hold("v1"), body.hold("&v1"));
        body.release(inner);
        assert!(!body.locals[0].is_free());
        body.release(outer);
        assert!(body.locals[0].is_free());
        let copy = body.hold("v1.clone()");
        assert!(body.locals[0].is_free());
        body.release(copy);
    }
}
