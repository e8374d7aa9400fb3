//! The passes of a search, by name. A transform names those that try it; the search has their order, and how they try.

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
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$pass => $name,)*
                }
            }
        }
    };
}

passes! {
    Nesting = "nesting",
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
    Values = "values",
    LateHints = "late-hints",
    TokenWindows = "token-windows",
    SingleItems = "single-items",
    UnknownExpansions = "unknown-expansions",
    References = "references",
    Literals = "literals",
    DataBytes = "data-bytes",
    Strings = "strings",
    Layout = "layout",
    Characters = "characters",
}
