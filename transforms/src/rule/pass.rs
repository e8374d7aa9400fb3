//! The passes of a search, by name. Which of them try a transform is said where the transform is; in which order they come,
//! and how they try, the search says.

/// Declares the passes.
macro_rules! passes {
    ($($pass:ident = $name:literal,)*) => {
        /// The name of a pass: of transforms that are tried together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PassName {
            $(
                #[doc = concat!("`", $name, "`")]
                $pass,
            )*
        }

        impl PassName {
            /// As the user sees it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$pass => $name,)*
                }
            }
        }
    };
}

passes! {
    Files = "files",
    Arguments = "arguments",
    Text = "text",
    Coverage = "coverage",
    Switches = "switches",
    Focus = "focus",
    Slices = "slices",
    ObservedValues = "observed-values",
    Bodies = "bodies",
    RustcHints = "rustc-hints",
    Items = "items",
    Data = "data",
    Comments = "comments",
    Modules = "modules",
    Statements = "statements",
    Attributes = "attributes",
    Expansions = "expansions",
    Control = "control",
    Lists = "lists",
    Closures = "closures",
    Coupled = "coupled",
    Declarations = "declarations",
    Imports = "imports",
    Names = "names",
    TypeLists = "type-lists",
    Optional = "optional",
    Generics = "generics",
    Modifiers = "modifiers",
    Macros = "macros",
    Tokens = "tokens",
    MacroProtocols = "macro-protocols",
    Bindings = "bindings",
    Expressions = "expressions",
    Types = "types",
    Patterns = "patterns",
    PatternRests = "pattern-rests",
    Values = "values",
    LateHints = "late-hints",
    TokenWindows = "token-windows",
    SingleItems = "single-items",
    Transplants = "transplants",
    UnknownExpansions = "unknown-expansions",
    References = "references",
    Literals = "literals",
    DataBytes = "data-bytes",
    Layout = "layout",
    Characters = "characters",
}

/// The order within the pass `coupled`, by families and transforms: what changes the same place is tried in this order. Others
/// come behind, in the order of the registry.
const COUPLED: &[&str] = &[
    "parameters",
    "fields",
    "slots",
    "tuples",
    "variants",
    "asyncs",
    "returns",
    "trait-objects",
    "merges",
    "nested-items",
    "call-values",
    "function-to-const",
    "move-body",
    "trait-homes",
    "let-parameters",
    "enum-to-struct",
    "union-to-struct",
    "trait-impl-to-inherent",
    "newtypes",
    "substitutions",
    "std-traits",
    "unifications",
    "variables",
    "supertraits",
    "import-paths",
    "aliases",
    "associated-types",
    "associated-constants",
    "instantiations",
    "trait-functions",
    "methods",
    "single-impls",
    "inlining",
];

impl PassName {
    /// What is tried first in a pass, by families and transforms, where that is not as in the registry.
    pub(crate) const fn order(self) -> &'static [&'static str] {
        match self {
            Self::Coupled => COUPLED,
            _ => &[],
        }
    }
}
