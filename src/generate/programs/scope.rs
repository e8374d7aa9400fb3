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
        self.locals.push(Local { name: name.to_owned(), ty: ty.clone(), kind });
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
