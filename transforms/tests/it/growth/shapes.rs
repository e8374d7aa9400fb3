//! Programs of one kind of syntax over and over: the worst cases of whatever looks at each pair of something.

/// A kind of program: its name, and what it is for a number of repetitions.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    text: fn(usize) -> String,
}

impl Shape {
    /// The program with `count` repetitions.
    pub(crate) fn text(&self, count: usize) -> String {
        (self.text)(count)
    }
}

/// `part` for each number below `count`, between `before` and `after`.
fn repeat(before: &str, count: usize, after: &str, part: impl Fn(usize) -> String) -> String {
    let parts: Vec<String> = (0..count).map(part).collect();
    format!("{before}{}{after}", parts.concat())
}

/// All shapes.
pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        name: "lets",
        text: |n| repeat("fn f() { let a0 = 0;", n, "}", |i| format!("let a{} = g(a{i});\n", i + 1)),
    },
    Shape { name: "lets of one name", text: |n| repeat("fn f() { let a = 0;", n, "}", |_| "let a = g(a);\n".into()) },
    Shape { name: "uses of one variable", text: |n| repeat("fn f(b: B) { let a = 0;", n, "}", |_| "g(a);\n".into()) },
    Shape { name: "statements", text: |n| repeat("fn f() {", n, "}", |i| format!("g({i});\n")) },
    Shape { name: "assignments", text: |n| repeat("fn f() { let mut a = 0;", n, "}", |i| format!("a = {i};\n")) },
    Shape {
        name: "calls in calls",
        text: |n| format!("fn f() {{ {}0{} }}", "g(".repeat(n.min(2000)), ")".repeat(n.min(2000))),
    },
    Shape { name: "chain of calls", text: |n| repeat("fn f() { a", n.min(3000), "}", |i| format!(".b({i})")) },
    Shape { name: "sum", text: |n| repeat("fn f() { 0", n.min(3000), "}", |i| format!(" + {i}")) },
    Shape {
        name: "blocks in blocks",
        text: |n| format!("fn f() {{ {} {} }}", "{".repeat(n.min(2000)), "}".repeat(n.min(2000))),
    },
    Shape {
        name: "ifs in ifs",
        text: |n| format!("fn f() {{ {} {} }}", "if a {".repeat(n.min(2000)), "}".repeat(n.min(2000))),
    },
    Shape {
        name: "else ifs",
        text: |n| repeat("fn f() { if a {}", n.min(3000), "}", |i| format!("else if b == {i} {{}}\n")),
    },
    Shape {
        name: "arms",
        text: |n| repeat("fn f(a: u32) -> u32 { match a {", n, "_ => 0 } }", |i| format!("{i} => {},\n", i + 1)),
    },
    Shape {
        name: "arms of variants",
        text: |n| {
            let variants = repeat("enum E {", n, "}", |i| format!("V{i},\n"));
            repeat(&format!("{variants} fn f(e: E) -> u32 {{ match e {{"), n, "} }", |i| format!("E::V{i} => {i},\n"))
        },
    },
    Shape {
        name: "or pattern",
        text: |n| repeat("fn f(a: u32) -> bool { match a { 0", n, "=> true, _ => false } }", |i| format!(" | {i}\n")),
    },
    Shape { name: "fields", text: |n| repeat("struct S {", n, "}", |i| format!("a{i}: u8,\n")) },
    Shape { name: "fields of a type each", text: |n| repeat("struct S {", n, "}", |i| format!("a{i}: A{i},\n")) },
    Shape {
        name: "fields with values",
        text: |n| {
            let fields = repeat("struct S {", n, "}", |i| format!("a{i}: u8,\n"));
            let values = repeat("fn f() -> S { S {", n, "} }", |i| format!("a{i}: {i},\n"));
            repeat(&format!("{fields}{values} fn g(s: S) {{"), n, "}", |i| format!("s.a{i};\n"))
        },
    },
    Shape {
        name: "slots",
        text: |n| {
            let slots = repeat("struct S(", n, ");", |_| "u8,\n".into());
            let values = repeat("fn f() -> S { S(", n, ") }", |i| format!("{i},\n"));
            repeat(&format!("{slots}{values} fn g(s: S) {{"), n, "}", |i| format!("s.{i};\n"))
        },
    },
    Shape {
        name: "tuple",
        text: |n| {
            let types = repeat("fn f() -> (", n, ")", |_| "u8,\n".into());
            repeat(&format!("{types} {{ ("), n, ") }", |i| format!("{i},\n"))
        },
    },
    Shape { name: "variants", text: |n| repeat("enum E {", n, "}", |i| format!("V{i},\n")) },
    Shape {
        name: "variants with fields",
        text: |n| repeat("enum E {", n, "} fn f(e: E) -> E { E::V0(0) }", |i| format!("V{i}(u8),\n")),
    },
    Shape { name: "structs", text: |n| repeat("", n, "", |i| format!("struct S{i};\n")) },
    Shape {
        name: "structs in structs",
        text: |n| repeat("struct S0;", n, "", |i| format!("struct S{}(S{i});\n", i + 1)),
    },
    Shape { name: "functions", text: |n| repeat("", n, "", |i| format!("fn f{i}() {{}}\n")) },
    Shape {
        name: "functions that call",
        text: |n| repeat("fn f0() {}", n, "", |i| format!("fn f{}() {{ f{i}() }}\n", i + 1)),
    },
    Shape { name: "functions of one name", text: |n| repeat("", n, "", |_| "fn f() { f() }\n".into()) },
    Shape {
        name: "calls of one function",
        text: |n| repeat("fn g(a: u8, b: u8) {} fn f() {", n, "}", |i| format!("g({i}, 0);\n")),
    },
    Shape { name: "parameters", text: |n| repeat("fn f(", n, ") {}", |i| format!("a{i}: u8,\n")) },
    Shape {
        name: "parameters with arguments",
        text: |n| {
            let params = repeat("fn f(", n, ") {}", |i| format!("a{i}: u8,\n"));
            repeat(&format!("{params} fn g() {{ f("), n, ") }", |i| format!("{i},\n"))
        },
    },
    Shape { name: "methods", text: |n| repeat("struct S; impl S {", n, "}", |i| format!("fn f{i}(&self) {{}}\n")) },
    Shape { name: "traits", text: |n| repeat("", n, "", |i| format!("trait T{i} {{}}\n")) },
    Shape {
        name: "traits with supertraits",
        text: |n| repeat("trait T0 {}", n, "", |i| format!("trait T{}: T{i} {{}}\n", i + 1)),
    },
    Shape {
        name: "trait items",
        text: |n| {
            let items = repeat("trait T {", n, "}", |i| format!("fn f{i}(&self);\n"));
            repeat(&format!("{items} impl T for u8 {{"), n, "}", |i| format!("fn f{i}(&self) {{}}\n"))
        },
    },
    Shape { name: "impls", text: |n| repeat("trait T {} struct S;", n, "", |_| "impl T for S {}\n".into()) },
    Shape {
        name: "impls of types",
        text: |n| repeat("trait T {}", n, "", |i| format!("struct S{i}; impl T for S{i} {{}}\n")),
    },
    Shape {
        name: "generics",
        text: |n| {
            let params = repeat("struct S<", n, ">(", |i| format!("A{i},\n"));
            repeat(&params, n, ");", |i| format!("A{i},\n"))
        },
    },
    Shape { name: "generic arguments", text: |n| repeat("fn f(a: A<", n, ">) {}", |_| "u8,\n".into()) },
    Shape { name: "bounds", text: |n| repeat("fn f<T: A", n, ">() {}", |i| format!(" + A{i}\n")) },
    Shape { name: "predicates", text: |n| repeat("fn f<T>() where ", n, "{}", |i| format!("T: A{i},\n")) },
    Shape { name: "lifetimes", text: |n| repeat("fn f<", n, ">() {}", |i| format!("'a{i},\n")) },
    Shape {
        name: "types in types",
        text: |n| format!("type A = {}u8{};", "B<".repeat(n.min(2000)), ">".repeat(n.min(2000))),
    },
    Shape { name: "references", text: |n| format!("type A = {}u8;", "&".repeat(n.min(2000))) },
    Shape { name: "imports", text: |n| repeat("", n, "", |i| format!("use a::b{i};\n")) },
    Shape { name: "imports in a group", text: |n| repeat("use a::{", n, "};", |i| format!("b{i},\n")) },
    Shape { name: "modules", text: |n| repeat("", n, "", |i| format!("mod m{i} {{}}\n")) },
    Shape {
        name: "modules in modules",
        text: |n| format!("{}{}", "mod m {".repeat(n.min(2000)), "}".repeat(n.min(2000))),
    },
    Shape {
        name: "constants",
        text: |n| repeat("const A0: u8 = 0;", n, "", |i| format!("const A{}: u8 = A{i};\n", i + 1)),
    },
    Shape { name: "aliases", text: |n| repeat("type A0 = u8;", n, "", |i| format!("type A{} = A{i};\n", i + 1)) },
    Shape { name: "array", text: |n| repeat("const A: &[u32] = &[", n, "];", |i| format!("{i},\n")) },
    Shape { name: "string", text: |n| format!("const A: &str = \"{}\";", "ab \\n".repeat(n)) },
    Shape {
        name: "format string",
        text: |n| format!("fn f() {{ println!(\"{}\", {}); }}", "{} ".repeat(n), "a, ".repeat(n)),
    },
    Shape { name: "byte string", text: |n| format!("const A: &[u8] = b\"{}\";", "\\x00".repeat(n)) },
    Shape { name: "comment", text: |n| format!("/* {} */ fn f() {{}}", "ab ".repeat(n)) },
    Shape { name: "comments", text: |n| repeat("fn f() {", n, "}", |i| format!("// {i}\n")) },
    Shape { name: "documentation", text: |n| repeat("", n, "fn f() {}", |i| format!("/// {i}\n")) },
    Shape { name: "attributes", text: |n| repeat("", n, "fn f() {}", |i| format!("#[cfg(a{i})]\n")) },
    Shape { name: "derives", text: |n| repeat("#[derive(", n, ")] struct S;", |i| format!("A{i},\n")) },
    Shape { name: "macro rules", text: |n| repeat("macro_rules! m {", n, "}", |i| format!("(a{i}) => {{ {i} }};\n")) },
    Shape { name: "macros", text: |n| repeat("", n, "", |i| format!("macro_rules! m{i} {{ () => {{}} }}\n")) },
    Shape {
        name: "macro calls",
        text: |n| repeat("macro_rules! m { ($a:expr) => { $a } } fn f() {", n, "}", |i| format!("m!({i});\n")),
    },
    Shape {
        name: "macro that counts",
        text: |n| {
            repeat("macro_rules! m { () => {}; ($a:tt $($b:tt)*) => { m!($($b)*); } } m!(", n, ");", |_| "a ".into())
        },
    },
    Shape {
        name: "macro that repeats",
        text: |n| {
            repeat("macro_rules! m { ($($a:ident),*) => { $(struct $a;)* } } m!(", n, "z);", |i| format!("a{i}, "))
        },
    },
    Shape {
        name: "metavariables",
        text: |n| {
            let params = repeat("macro_rules! m { (", n, ") => { [", |i| format!("$a{i}:expr,"));
            repeat(&params, n, "] } }", |i| format!("$a{i},\n"))
        },
    },
    Shape { name: "tokens", text: |n| repeat("a! {", n, "}", |_| "a => b; ".into()) },
    Shape { name: "tokens in brackets", text: |n| repeat("a! {", n, "}", |i| format!("[{i} =>] ")) },
    Shape { name: "closures", text: |n| repeat("fn f() {", n, "}", |i| format!("g(|a{i}| a{i});\n")) },
    Shape { name: "closures in closures", text: |n| repeat("fn f() {", n.min(2000), "0 }", |i| format!("|a{i}| ")) },
    Shape {
        name: "loops in loops",
        text: |n| format!("fn f() {{ {} {} }}", "loop {".repeat(n.min(2000)), "}".repeat(n.min(2000))),
    },
    Shape { name: "labels", text: |n| repeat("fn f() {", n, "}", |i| format!("'a{i}: loop {{ break 'a{i} }}\n")) },
    Shape { name: "what does not parse", text: |n| repeat("fn f( {", n, "", |i| format!("let a{i} = ;\n")) },
    Shape { name: "items that do not parse", text: |n| repeat("", n, "", |i| format!("fn {i}() {{ a }}\n")) },
    Shape { name: "quotes", text: |n| repeat("(", n, "", |i| format!("\"{i}\" ")) },
];
