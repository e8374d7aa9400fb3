//! The kinds of syntax that a tree has nodes of.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::spanned::Spanned;

/// Hands all kinds of nodes to a macro: a line a kind, with the type and the visitor's method of syn.
macro_rules! kinds {
    ($macro:ident) => {
        $macro! {
        Abi(Abi) = visit_abi;
        Arm(Arm) = visit_arm;
        Attribute(Attribute) = visit_attribute;
        Block(Block) = visit_block;
        BoundLifetimes(BoundLifetimes) = visit_bound_lifetimes;
        Expr(Expr) = visit_expr;
        Field(Field) = visit_field;
        FieldPat(FieldPat) = visit_field_pat;
        FieldValue(FieldValue) = visit_field_value;
        FieldsNamed(FieldsNamed) = visit_fields_named;
        FieldsUnnamed(FieldsUnnamed) = visit_fields_unnamed;
        File(File) = visit_file;
        FnArg(FnArg) = visit_fn_arg;
        ForeignItem(ForeignItem) = visit_foreign_item;
        GenericArgument(GenericArgument) = visit_generic_argument;
        GenericParam(GenericParam) = visit_generic_param;
        Generics(Generics) = visit_generics;
        Ident(Ident) = visit_ident;
        ImplItem(ImplItem) = visit_impl_item;
        Item(Item) = visit_item;
        Label(Label) = visit_label;
        Lifetime(Lifetime) = visit_lifetime;
        Lit(Lit) = visit_lit;
        Local(Local) = visit_local;
        Macro(Macro) = visit_macro;
        NamedArg(NamedArg) = visit_named_arg;
        Pat(Pat) = visit_pat;
        Path(Path) = visit_path;
        PathArguments(PathArguments) = visit_path_arguments;
        PathSegment(PathSegment) = visit_path_segment;
        Receiver(Receiver) = visit_receiver;
        ReturnType(ReturnType) = visit_return_type;
        Signature(Signature) = visit_signature;
        Stmt(Stmt) = visit_stmt;
        TraitItem(TraitItem) = visit_trait_item;
        Type(Type) = visit_type;
        TypeParamBound(TypeParamBound) = visit_type_param_bound;
        UseTree(UseTree) = visit_use_tree;
        Variant(Variant) = visit_variant;
        Visibility(Visibility) = visit_visibility;
        WhereClause(WhereClause) = visit_where_clause;
        WherePredicate(WherePredicate) = visit_where_predicate;
            }
    };
}
pub(super) use kinds;

macro_rules! syntax {
    ($($variant:ident($type:ident) = $visit:ident;)*) => {
        /// A syn node, by reference.
        #[derive(Clone, Copy, Debug)]
        pub enum Syntax<'s> {
            $(
                #[doc = concat!("A `syn::", stringify!($type), "`.")]
                $variant(&'s syn::$type),
            )*
            /// Tokens that syn could not parse: the inside of a macro call, an item of unknown syntax.
            Tokens(&'s TokenStream),
        }

        impl Syntax<'_> {
            /// The name of its kind: that of the variant.
            pub fn kind(self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($variant),)*
                    Self::Tokens(_) => "Tokens",
                }
            }

            /// Whether it is an item of a module, an impl, a trait or an `extern` block.
            pub(crate) fn is_item(self) -> bool {
                matches!(self, Self::Item(_) | Self::ImplItem(_) | Self::TraitItem(_) | Self::ForeignItem(_))
            }
        }
    };
}
kinds!(syntax);

/// The bytes of any piece of syntax, `0..0` where it has no tokens.
pub fn range(syntax: &impl Spanned) -> Range<usize> {
    syntax.span().byte_range()
}
