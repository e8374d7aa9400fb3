//! The passes of a search, by name. A transform names those that try it; the search has their order, and how they try.

macro_rules! passes {
    ($($pass:ident = $name:literal: $doing:literal,)*) => {
        /// The name of a pass: of transforms that are tried together.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum PassName {
            $(
                #[doc = concat!("`", $name, "`")]
                $pass,
            )*
        }

        impl PassName {
            /// The name that options and `mcve explain` take.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$pass => $name,)*
                }
            }

            /// What is done, in words that follow "mcve is".
            pub const fn doing(self) -> &'static str {
                match self {
                    $(Self::$pass => $doing,)*
                }
            }
        }
    };
}

passes! {
    Nesting = "nesting": "taking levels of deep nests away",
    Files = "files": "removing files",
    Arguments = "arguments": "removing arguments of the compiler",
    Text = "text": "removing lines and brackets",
    Coverage = "coverage": "removing what does not run",
    Switches = "switches": "removing what the run does not need",
    Focus = "focus": "finding what the failure needs",
    Slices = "slices": "looking for items that suffice",
    ObservedValues = "observed-values": "replacing computations by their values",
    Bodies = "bodies": "emptying functions",
    RustcHints = "rustc-hints": "removing what is unused",
    Items = "items": "removing items",
    Data = "data": "removing data files",
    Comments = "comments": "removing comments",
    Modules = "modules": "dissolving modules",
    Statements = "statements": "removing statements",
    Attributes = "attributes": "removing attributes",
    Expansions = "expansions": "expanding macros",
    Control = "control": "simplifying control flow",
    Lists = "lists": "shortening lists",
    Coupled = "coupled": "changing items with their uses",
    Declarations = "declarations": "removing parameters and variants",
    Imports = "imports": "removing imports",
    Names = "names": "shortening names",
    TypeLists = "type-lists": "shortening lists of types",
    Optional = "optional": "removing optional parts",
    Generics = "generics": "removing generics",
    Modifiers = "modifiers": "removing modifiers",
    Macros = "macros": "simplifying macros",
    Tokens = "tokens": "removing tokens",
    MacroProtocols = "macro-protocols": "simplifying macros with their calls",
    Bindings = "bindings": "inlining names",
    Expressions = "expressions": "simplifying expressions",
    Types = "types": "simplifying types",
    Patterns = "patterns": "simplifying patterns",
    Values = "values": "replacing expressions by short values",
    LateHints = "late-hints": "following hints of the compiler",
    TokenWindows = "token-windows": "removing short runs of tokens",
    SingleItems = "single-items": "removing single items",
    UnknownExpansions = "unknown-expansions": "expanding unknown macros",
    References = "references": "removing references",
    Literals = "literals": "simplifying literals",
    DataBytes = "data-bytes": "removing bytes of data",
    Strings = "strings": "shortening strings",
    Layout = "layout": "removing comments and blank lines",
    Characters = "characters": "removing characters",
}
