//! What can be used where an expression stands: local variables, and how much may still be done.

use super::types::Type;

/// What a local name stands for.
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
    /// A closure, with the types of its parameters, and what a call costs. The type of the local is what it returns.
    Closure(Vec<Type>, u64),
}

/// A local name.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) kind: LocalKind,
    /// How many borrows of it are under way.
    borrows: usize,
}

impl Local {
    /// Whether it can be assigned now.
    pub(super) fn is_free(&self) -> bool {
        self.borrows == 0
    }
}

/// A body of a function, of a closure or of a constant, as far as it is written.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) locals: Vec<Local>,
    /// Type parameters and the traits that bound them.
    pub(super) generics: Vec<(String, Option<usize>)>,
    /// What `return` takes, where it can stand.
    pub(super) returns: Option<Type>,
    pub(super) is_async: bool,
    pub(super) is_const: bool,
    /// How many loops a `break` could leave.
    pub(super) loops: usize,
    /// How often what is written now is run at most.
    pub(super) times: u64,
    /// What was written costs so much to run at most.
    pub(super) cost: u64,
    /// What it may not reach.
    pub(super) limit: u64,
}

/// The local that is borrowed, if there is one.
#[must_use]
pub(super) struct Held(Option<usize>);

impl Body {
    /// An empty one.
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

    /// Whether something that costs so much can still be run here.
    pub(super) fn affords(&self, cost: u64) -> bool {
        self.cost.saturating_add(cost.saturating_mul(self.times)) < self.limit
    }

    /// Notes that something is run here that costs so much.
    pub(super) fn spend(&mut self, cost: u64) {
        self.cost = self.cost.saturating_add(cost.saturating_mul(self.times));
    }

    /// Adds a local name.
    pub(super) fn add(&mut self, name: &str, ty: &Type, kind: LocalKind) {
        self.locals.push(Local { name: name.to_owned(), ty: ty.clone(), kind, borrows: 0 });
    }

    /// Notes that `code` is borrowed by what is written until [`release`](Self::release): a local that it names as a place, and
    /// not as a copy, cannot be assigned until then.
    pub(super) fn hold(&mut self, code: &str) -> Held {
        let name = place_root(code);
        let held = self.locals.iter().position(|local| Some(&*local.name) == name);
        if let Some(index) = held {
            self.locals[index].borrows += 1;
        }
        Held(held)
    }

    /// Notes that what was borrowed is not any more. Names that were added meanwhile may be gone.
    pub(super) fn release(&mut self, held: Held) {
        if let Held(Some(index)) = held {
            self.locals[index].borrows -= 1;
        }
    }

    /// The body of a closure or of an `async` block inside of this one. It sees what is never assigned, and of that only
    /// what `captures` says.
    pub(super) fn inner(&self, returns: Type, captures: impl Fn(&Local) -> bool) -> Self {
        let is_seen = |local: &&Local| !matches!(local.kind, LocalKind::Variable) && captures(local);
        let locals = self.locals.iter().filter(is_seen).cloned().collect();
        let returns = Some(returns);
        Self { locals, returns, is_async: false, loops: 0, times: 1, cost: 0, generics: self.generics.clone(), ..*self }
    }
}

/// The local that an expression borrows where it is borrowed: `v` of `v`, `&v`, `v.field` and `v[0]`, none of `v.clone()`.
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
