//! Checks programs that are like `remove_html_markup`, in microseconds: functions of booleans, characters and strings. What it
//! takes rustc takes, too; what it does not know does not compile.

use syn::{BinOp, Block, Expr, FnArg, ItemFn, Lit, Pat, ReturnType, Stmt, UnOp};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Char,
    Str,
    String,
    Unit,
}

/// Why there is no value: it does not compile, or panics.
pub(crate) struct Stop;

/// Whether a function compiles.
pub(crate) fn check(function: &ItemFn) -> Result<(), Stop> {
    let (parameters, returned) = signature(function)?;
    let names = parameters.into_iter().map(|(name, ty)| Variable { name, ty, mutable: false }).collect();
    only(Checker { names }.block(&function.block)? == returned)
}

/// Goes on under a condition.
pub(crate) fn only(condition: bool) -> Result<(), Stop> {
    if condition { Ok(()) } else { Err(Stop) }
}

fn type_of(ty: &syn::Type) -> Result<Type, Stop> {
    let named = |ty: &syn::Type| match ty {
        syn::Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    match ty {
        syn::Type::Reference(it) if it.mutability.is_none() && it.lifetime.is_none() => {
            only(named(&it.elem).as_deref() == Some("str")).map(|()| Type::Str)
        }
        ty => match named(ty).as_deref() {
            Some("bool") => Ok(Type::Bool),
            Some("char") => Ok(Type::Char),
            Some("String") => Ok(Type::String),
            _ => Err(Stop),
        },
    }
}

/// The parameters and the result.
pub(crate) fn signature(function: &ItemFn) -> Result<(Vec<(String, Type)>, Type), Stop> {
    let sig = &function.sig;
    let plain = sig.generics.params.is_empty() && sig.generics.where_clause.is_none() && sig.variadic.is_none();
    let bare = sig.constness.is_none() && sig.asyncness.is_none() && sig.abi.is_none();
    let documented = function.attrs.iter().all(|attr| attr.path().is_ident("doc"));
    only(plain && bare && documented)?;
    let parameter = |arg: &FnArg| match arg {
        FnArg::Typed(arg) if arg.attrs.is_empty() => match binding(&arg.pat)? {
            (name, false) => Ok((name, type_of(&arg.ty)?)),
            _ => Err(Stop),
        },
        _ => Err(Stop),
    };
    let returned = match &sig.output {
        ReturnType::Default => Type::Unit,
        ReturnType::Type(_, ty) => type_of(ty)?,
    };
    let parameters: Vec<(String, Type)> = sig.inputs.iter().map(parameter).collect::<Result<_, _>>()?;
    let mut names: Vec<&String> = parameters.iter().map(|(name, _)| name).collect();
    names.sort();
    only(names.is_sorted_by(|a, b| a < b))?;
    Ok((parameters, returned))
}

/// A name that is bound, and whether it is mutable.
pub(crate) fn binding(pat: &Pat) -> Result<(String, bool), Stop> {
    match pat {
        Pat::Ident(it) if it.attrs.is_empty() && it.by_ref.is_none() && it.subpat.is_none() => {
            Ok((it.ident.to_string(), it.mutability.is_some()))
        }
        _ => Err(Stop),
    }
}

/// The name that an expression is.
pub(crate) fn name_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(it) if it.qself.is_none() => it.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Whether it is `String::new()`.
pub(crate) fn is_new(call: &syn::ExprCall) -> bool {
    let path = match &*call.func {
        Expr::Path(it) if it.qself.is_none() && it.path.leading_colon.is_none() => &it.path,
        _ => return false,
    };
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let plain = path.segments.iter().all(|segment| segment.arguments.is_none());
    plain && call.args.is_empty() && names == ["String", "new"]
}

/// The condition of an `assert!`.
pub(crate) fn assertion(mac: &syn::Macro) -> Result<Expr, Stop> {
    only(mac.path.is_ident("assert"))?;
    mac.parse_body().map_err(|_| Stop)
}

/// The receiver's characters, of a loop over them.
pub(crate) fn characters(expr: &Expr) -> Result<&Expr, Stop> {
    match expr {
        Expr::MethodCall(call) if call.method == "chars" && call.args.is_empty() && call.turbofish.is_none() => {
            Ok(&call.receiver)
        }
        _ => Err(Stop),
    }
}

struct Variable {
    name: String,
    ty: Type,
    mutable: bool,
}

struct Checker {
    names: Vec<Variable>,
}

impl Checker {
    fn variable(&self, name: &str) -> Result<&Variable, Stop> {
        self.names.iter().rev().find(|variable| variable.name == name).ok_or(Stop)
    }

    fn block(&mut self, block: &Block) -> Result<Type, Stop> {
        let outer = self.names.len();
        let mut ty = Type::Unit;
        for (at, stmt) in block.stmts.iter().enumerate() {
            ty = match stmt {
                Stmt::Local(local) => {
                    let init = local.init.as_ref().filter(|init| init.diverge.is_none()).ok_or(Stop)?;
                    let (name, mutable) = binding(&local.pat)?;
                    // What a string is moved to is not followed.
                    only(local.attrs.is_empty() && name_of(&init.expr).is_none_or(|it| self.is_copy(&it)))?;
                    let ty = self.expr(&init.expr)?;
                    only(ty != Type::Unit)?;
                    self.names.push(Variable { name, ty, mutable });
                    Type::Unit
                }
                Stmt::Expr(expr, None) => {
                    let ty = self.expr(expr)?;
                    only(at + 1 == block.stmts.len() || ty == Type::Unit)?;
                    ty
                }
                Stmt::Expr(expr, Some(_)) => {
                    only(name_of(expr).is_none_or(|it| self.is_copy(&it)))?;
                    self.expr(expr)?;
                    Type::Unit
                }
                Stmt::Macro(stmt) => {
                    only(stmt.attrs.is_empty() && self.expr(&assertion(&stmt.mac)?)? == Type::Bool)?;
                    Type::Unit
                }
                Stmt::Item(_) => return Err(Stop),
            };
        }
        self.names.truncate(outer);
        Ok(ty)
    }

    fn is_copy(&self, name: &str) -> bool {
        self.variable(name).is_ok_and(|variable| variable.ty != Type::String)
    }

    fn expr(&mut self, expr: &Expr) -> Result<Type, Stop> {
        match expr {
            Expr::Lit(it) if it.attrs.is_empty() && it.lit.suffix().is_empty() => match &it.lit {
                Lit::Bool(_) => Ok(Type::Bool),
                Lit::Char(_) => Ok(Type::Char),
                Lit::Str(_) => Ok(Type::Str),
                _ => Err(Stop),
            },
            Expr::Path(_) => Ok(self.variable(&name_of(expr).ok_or(Stop)?)?.ty),
            Expr::Paren(it) => self.expr(&it.expr),
            Expr::Block(it) if it.label.is_none() => self.block(&it.block),
            Expr::Unary(it) if matches!(it.op, UnOp::Not(_)) => {
                only(self.expr(&it.expr)? == Type::Bool)?;
                Ok(Type::Bool)
            }
            Expr::Binary(it) => {
                let sides = (self.expr(&it.left)?, self.expr(&it.right)?);
                match it.op {
                    BinOp::And(_) | BinOp::Or(_) => only(sides == (Type::Bool, Type::Bool))?,
                    BinOp::Eq(_) | BinOp::Ne(_) => {
                        only(sides.0 == sides.1 && matches!(sides.0, Type::Bool | Type::Char | Type::Str))?;
                    }
                    _ => return Err(Stop),
                }
                Ok(Type::Bool)
            }
            Expr::Assign(it) => {
                let ty = self.expr(&it.right)?;
                let variable = self.variable(&name_of(&it.left).ok_or(Stop)?)?;
                only(variable.mutable && variable.ty == ty && ty != Type::String)?;
                Ok(Type::Unit)
            }
            Expr::If(it) => {
                only(self.expr(&it.cond)? == Type::Bool)?;
                let then = self.block(&it.then_branch)?;
                let other = it.else_branch.as_ref().map_or(Ok(Type::Unit), |(_, other)| self.expr(other))?;
                only(then == other)?;
                Ok(then)
            }
            Expr::ForLoop(it) if it.label.is_none() => {
                only(matches!(self.expr(characters(&it.expr)?)?, Type::Str | Type::String))?;
                let (name, mutable) = binding(&it.pat)?;
                self.names.push(Variable { name, ty: Type::Char, mutable });
                let body = self.block(&it.body)?;
                self.names.pop();
                only(body == Type::Unit)?;
                Ok(Type::Unit)
            }
            Expr::MethodCall(it) if it.turbofish.is_none() => {
                let receiver = self.variable(&name_of(&it.receiver).ok_or(Stop)?)?;
                let (ty, mutable) = (receiver.ty, receiver.mutable);
                let arguments = it.args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
                match (it.method.to_string().as_str(), &arguments[..]) {
                    ("push", [Type::Char]) if ty == Type::String && mutable => Ok(Type::Unit),
                    ("contains", [Type::Char]) if matches!(ty, Type::Str | Type::String) => Ok(Type::Bool),
                    ("is_empty", []) if matches!(ty, Type::Str | Type::String) => Ok(Type::Bool),
                    _ => Err(Stop),
                }
            }
            Expr::Call(it) if is_new(it) => Ok(Type::String),
            _ => Err(Stop),
        }
    }
}
