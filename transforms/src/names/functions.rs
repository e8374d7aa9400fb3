//! The functions of a file, where they live, what they must agree with, and who calls them.

use std::ops::Range;

use syn::{ForeignItem, Item, Pat, Path, ReturnType, Signature, Type};

use crate::syntax::generics::{is_primitive, parameter_name, qself};
use crate::syntax::surroundings::{mentions, signature};
use crate::syntax::{List, Node, Occurrence, Syntax, range};
use crate::text::Edit;

/// Where a function lives, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Home {
    /// In a module or a block.
    Module,
    /// In an inherent impl of the type.
    Type(String),
    /// In the trait or in an impl of it.
    Trait(String),
}

#[derive(Clone)]
pub(crate) struct Function<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) signature: &'t Signature,
    pub(crate) home: Home,
}

pub(crate) struct Call<'t> {
    pub(crate) node: Node<'t>,
    /// Its arguments; of a method call without what stands before the point.
    pub(crate) arguments: List,
    pub(crate) is_method: bool,
}

pub(crate) fn function(node: Node<'_>) -> Option<Function<'_>> {
    let signature = match node.syntax() {
        Syntax::ForeignItem(ForeignItem::Fn(item)) => &item.sig,
        _ => signature(node)?,
    };
    let home = match (node.syntax(), node.parent().map(Node::syntax)) {
        (Syntax::ImplItem(_), Some(Syntax::Item(Item::Impl(item)))) => match &item.trait_ {
            Some((path, _)) => Home::Trait(last(path)),
            None => Home::Type(name_of(&item.self_ty)),
        },
        (Syntax::TraitItem(_), Some(Syntax::Item(Item::Trait(item)))) => Home::Trait(item.ident.to_string()),
        _ => Home::Module,
    };
    Some(Function { node, signature, home })
}

fn last(path: &Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

/// The name of a type, empty where it has none.
pub(crate) fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(ty) => last(&ty.path),
        Type::Reference(ty) => name_of(&ty.elem),
        _ => String::new(),
    }
}

impl<'t> Function<'t> {
    pub(crate) fn name(&self) -> String {
        self.signature.ident.to_string()
    }

    /// Whether the type at `ty`, of its signature, means the same outside of it.
    pub(crate) fn is_closed(&self, ty: &Range<usize>) -> bool {
        let generics = self.signature.generics.params.iter().map(parameter_name);
        let names: Vec<String> = generics.chain(["impl".to_owned(), "Self".to_owned()]).collect();
        !mentions(self.node.tree().source(), ty, &names)
    }

    /// The bytes behind its signature, its body included.
    pub(crate) fn behind_signature(&self) -> Range<usize> {
        // To ask syn for the span walks all parameters.
        let signature = self.node.children().find(|child| matches!(child.syntax(), Syntax::Signature(_)));
        signature.map_or(self.node.range().start, |signature| signature.range().end)..self.node.range().end
    }

    pub(crate) fn parameters(&self) -> List {
        List::delimited(self.node, &self.signature.inputs, self.signature.paren_token.span)
    }

    /// Those of `all` whose signature must change with this one: of a trait's function the ones in its impls, else itself
    /// alone.
    pub(crate) fn kin<'a>(&'a self, all: &'a [Function<'t>]) -> Vec<&'a Function<'t>> {
        let is_kin = |other: &&Function<'_>| {
            matches!(self.home, Home::Trait(_))
                && self.home == other.home
                && self.signature.ident == other.signature.ident
                && self.signature.inputs.len() == other.signature.inputs.len()
        };
        let mut kin: Vec<_> = all.iter().filter(is_kin).collect();
        if kin.is_empty() {
            kin.push(self);
        }
        kin
    }

    /// Its calls, found by name, with as many arguments as it has parameters.
    pub(crate) fn calls(&self) -> Vec<Call<'t>> {
        let parameters = self.signature.inputs.len();
        let has_receiver = self.signature.receiver().is_some();
        let call = |occurrence: Occurrence<'t>| {
            let method_call = occurrence.method_call();
            let node = method_call.or_else(|| occurrence.call())?;
            let arguments = List::of(node)?;
            let fits = match method_call {
                Some(_) => has_receiver && arguments.len() + 1 == parameters,
                None => arguments.len() == parameters && self.is_meant(occurrence.path_end()?),
            };
            fits.then_some(Call { node, arguments, is_method: method_call.is_some() })
        };
        self.node.tree().occurrences(&self.name()).filter_map(call).collect()
    }

    /// Whether `path`, which ends in its name, may mean it.
    pub(crate) fn is_meant(&self, path: Node<'_>) -> bool {
        let Syntax::Path(syntax) = path.syntax() else { return false };
        let qualified = path.parent().is_some_and(|parent| qself(parent.syntax()).is_some());
        let before = syntax.segments.len().checked_sub(2).map(|index| syntax.segments[index].ident.to_string());
        let is_type = qualified || before.as_deref().is_some_and(is_type_name);
        match (&self.home, before) {
            (Home::Module, _) => !is_type,
            (Home::Type(name), Some(before)) if before == "Self" => self_name(path) == *name,
            (Home::Type(name), Some(before)) if !qualified => before == *name,
            (Home::Type(_) | Home::Trait(_), _) => is_type,
        }
    }
}

fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) || is_primitive(name)
}

/// The name of the type that `Self` stands for at `node`.
pub(crate) fn self_name(node: Node<'_>) -> String {
    let around = node.ancestors().find_map(|node| match node.syntax() {
        Syntax::Item(Item::Impl(item)) => Some(name_of(&item.self_ty)),
        _ => None,
    });
    around.unwrap_or_default()
}

/// The edit that gives a variable that `call` initialises the return type of `function`, which the body may not show.
pub(crate) fn variable_type(function: &Function<'_>, call: &Call<'_>) -> Option<Edit> {
    let ReturnType::Type(_, ty) = &function.signature.output else { return None };
    annotate(call.node, &annotation(function, ty))
}

/// The edit that puts `annotation` behind the pattern that `value` initialises, if that has none.
pub(crate) fn annotate(value: Node<'_>, annotation: &str) -> Option<Edit> {
    let Syntax::Local(local) = value.parent()?.syntax() else { return None };
    if matches!(local.pat, Pat::Type(_)) {
        return None;
    }
    let pat = range(&local.pat);
    Some(Edit::replace(pat.clone(), format!("{}{annotation}", value.text_at(pat))))
}

/// The type of a parameter or result as that of a `let`, if it can be written there.
pub(crate) fn annotation(function: &Function<'_>, ty: &Type) -> String {
    let ty = range(ty);
    if function.is_closed(&ty) { format!(": {}", function.node.text_at(ty)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Source, Tree};

    /// Checks which calls of the function at `index` are found.
    #[track_caller]
    fn check(text: &str, index: usize, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let calls = tree.nodes().filter_map(function).nth(index).expect("it is there").calls();
        assert_eq!(calls.iter().map(|call| call.node.text()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn calls_are_told_by_name_and_number_of_arguments() {
        check("fn f(x: u8) { f(1); a::f(2); f(); f(3, 4); A::f(5); x.f(); g(f) }", 0, &["f(1)", "a::f(2)"]);
    }

    #[test]
    fn functions_of_a_type_are_called_through_it_or_as_methods() {
        let text =
            "impl A<u8> { fn f(&self, x: u8) { Self::f(a, 1); A::f(b, 2); B::f(c, 3); d.f(4); e.f(); f(g, 5) } }";
        check(text, 0, &["Self::f(a, 1)", "A::f(b, 2)", "d.f(4)"]);
        check("impl A { fn f() {} } impl B { fn g() { Self::f(); <A>::f(); f() } }", 0, &["<A>::f()"]);
    }

    #[test]
    fn functions_of_a_trait_are_called_through_any_type() {
        check("trait T { fn f(); } fn g<A: T>() { A::f(); <A as T>::f(); f() }", 0, &["A::f()", "<A as T>::f()"]);
    }

    #[test]
    fn what_an_impl_of_a_trait_holds_is_kin() {
        let text = "trait T { fn f(); fn g(); } impl T for u8 { fn f() {} fn g() {} } impl A { fn f() {} } fn f() {}";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let functions: Vec<Function<'_>> = tree.nodes().filter_map(function).collect();
        let kin: Vec<usize> = functions.iter().map(|function| function.kin(&functions).len()).collect();
        assert_eq!(kin, [2, 2, 2, 2, 1, 1]);
    }
}
