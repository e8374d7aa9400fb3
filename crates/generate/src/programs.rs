//! The built-in generator of random Rust programs: a small example of a generator that reduces well.
//!
//! Its programs compile without a warning, end, and print the same each time. Whatever can go is a turn of a loop or an
//! optional part; what replaces a part is drawn before it, so that the trace has it; names are fresh numbers, and
//! whatever has a name is chosen by it.

use crate::choices::{Choices, Halt};
use crate::generator::Generator;

/// Must change whenever the same choices make another program.
const VERSION: &str = "2";

/// The lines that each program begins with: the edition as in rustc's tests, and what would be a warning.
const HEAD: &str = "//@ edition: 2021\n#![allow(unused)]\n";

/// The type of everything that is not a struct.
const NUMBER: &str = "i32";

/// The maximum nesting of expressions.
const DEPTH: usize = 3;

/// The maximum nesting of blocks in a body.
const BLOCKS: usize = 2;

/// The maximum number of calls that run in a body, with the calls in the functions that it calls.
const CALLS: i64 = 100;

/// Makes random Rust programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The approximate number of items in a program.
    pub size: usize,
}

impl Programs {
    /// The generator of these [`settings`](Generator::settings).
    pub fn of_settings(settings: &str) -> Option<Self> {
        Some(Self { size: settings.strip_prefix("size=")?.parse().ok()? })
    }
}

impl Generator for Programs {
    fn name(&self) -> &str {
        "rust"
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn settings(&self) -> String {
        format!("size={}", self.size)
    }

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        let text = Writer::default().program(choices, self.size)?;
        let file = syn::parse_file(&text)
            .map_err(|error| Halt::Broken(format!("the generator wrote invalid Rust: {error}: {text}")))?;
        Ok(format!("{HEAD}{}", prettyplease::unparse(&file)))
    }
}

/// The name and the type of a field or a parameter.
type NamedType = (String, String);

/// A struct or a function, which returns a number.
struct Item {
    name: String,
    parts: Vec<NamedType>,
    /// The maximum number of calls that run when it is called, its own included.
    calls: i64,
}

/// A constant, a parameter, a variable, or a field of one of them.
struct Value {
    path: String,
    ty: String,
    is_variable: bool,
}

#[derive(Default)]
struct Writer {
    structs: Vec<Item>,
    functions: Vec<Item>,
    /// What is in scope.
    values: Vec<Value>,
    /// The calls that run in one run of the current body.
    calls: i64,
    /// How often the current block runs in one run of the body.
    times: i64,
}

impl Writer {
    fn program(&mut self, c: &mut Choices, size: usize) -> Result<String, Halt> {
        let items = c.repeat("items", size.div_ceil(2)..=size, |c| self.item(c))?.concat();
        Ok(format!("{items} fn main() {{ {} }}", self.main(c)?))
    }

    fn item(&mut self, c: &mut Choices) -> Result<String, Halt> {
        match *c.weighted("item", &[(0, "nothing"), (3, "function"), (1, "struct"), (1, "constant")])? {
            "function" => self.function(c),
            "struct" => {
                let name = name(c, "S")?;
                let parts = c.repeat("fields", 0..=3, |c| Ok((self::name(c, "g")?, NUMBER.to_owned())))?;
                let text = format!("#[derive(Clone, Copy)] struct {name} {{ {} }}", written(&parts));
                self.structs.push(Item { name, parts, calls: 0 });
                Ok(text)
            }
            "constant" => {
                let (name, value) = (name(c, "C")?, self.value(c, "value", NUMBER, 0)?);
                self.declare(&name, NUMBER, false);
                Ok(format!("const {name}: {NUMBER} = {value};"))
            }
            _ => Ok(String::new()),
        }
    }

    fn function(&mut self, c: &mut Choices) -> Result<String, Halt> {
        let name = name(c, "f")?;
        let parts = c.repeat("params", 0..=3, |c| Ok((self::name(c, "x")?, self.ty(c)?)))?;
        (self.calls, self.times) = (1, 1);
        let body = self.block(1, &parts, |writer| {
            let statements = writer.statements(c, BLOCKS)?;
            Ok(statements + &writer.value(c, "value", NUMBER, DEPTH)?)
        })?;
        let text = format!("fn {name}({}) -> {NUMBER} {{ {body} }}", written(&parts));
        self.functions.push(Item { name, parts, calls: self.calls });
        Ok(text)
    }

    /// Statements, then a call of each function.
    fn main(&mut self, c: &mut Choices) -> Result<String, Halt> {
        self.times = 1;
        let mut text = self.statements(c, BLOCKS)?;
        for number in 0..self.functions.len() {
            let name = self.functions[number].name.clone();
            text.extend(c.optional(&format!("show-{name}"), 80, |c| Ok(print(&self.call(c, &name, 1)?)))?);
            self.calls = 0;
        }
        text.extend(c.optional("show", 100, |c| Ok(print(&self.value(c, "value", NUMBER, DEPTH)?)))?);
        Ok(text)
    }

    /// Writes a block that runs `times` times where it is, with `parts` in scope.
    fn block(
        &mut self,
        times: i64,
        parts: &[NamedType],
        write: impl FnOnce(&mut Self) -> Result<String, Halt>,
    ) -> Result<String, Halt> {
        let (outer, before) = (self.values.len(), self.times);
        self.times *= times;
        parts.iter().for_each(|(name, ty)| self.declare(name, ty, false));
        let text = write(self)?;
        self.values.truncate(outer);
        self.times = before;
        Ok(text)
    }

    fn statements(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        Ok(c.repeat("statements", 0..=4, |c| self.statement(c, depth))?.concat())
    }

    /// A statement with at most `depth` blocks inside of each other.
    fn statement(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let mut kinds: Vec<(u32, String)> = vec![(0, "nothing".into()), (4, "let".into()), (2, "print".into())];
        if depth > 0 {
            kinds.extend([(2, "for".into()), (2, "if".into())]);
        }
        let variables = self.values.iter().filter(|value| value.is_variable && value.ty == NUMBER);
        kinds.extend(variables.map(|variable| (1, variable.path.clone())));
        Ok(match &**c.weighted("statement", &kinds)? {
            "nothing" => String::new(),
            "let" => {
                let (name, ty) = (name(c, "v")?, self.ty(c)?);
                let value = self.value(c, "value", &ty, DEPTH)?;
                self.declare(&name, &ty, true);
                format!("let mut {name} = {value};")
            }
            "print" => print(&self.value(c, "value", NUMBER, DEPTH)?),
            "for" => {
                let (name, end) = (name(c, "v")?, c.range("end", 0..=4)?);
                let dots = if c.flip("inclusive", 30)? { "..=" } else { ".." };
                let parts = [(name.clone(), NUMBER.to_owned())];
                let body = self.block(end + 1, &parts, |writer| writer.statements(c, depth - 1))?;
                format!("for {name} in 0{dots}{end} {{ {body} }}")
            }
            "if" => {
                let condition = self.condition(c, DEPTH)?;
                let body = self.block(1, &[], |writer| writer.statements(c, depth - 1))?;
                format!("if {condition} {{ {body} }}")
            }
            variable => format!("{variable} = {};", self.value(c, "value", NUMBER, DEPTH)?),
        })
    }

    /// An expression of type `ty` with at most `depth` others inside of each other. The `place` says what it is for.
    fn value(&mut self, c: &mut Choices, place: &str, ty: &str, depth: usize) -> Result<String, Halt> {
        c.group(place, |c| {
            let values = self.values.iter().filter(|value| value.ty == ty).map(|value| value.path.clone());
            let names: Vec<String> = ["literal".to_owned()].into_iter().chain(values).collect();
            let simple = match &**c.choose("name", &names)? {
                "literal" if ty == NUMBER => c.range("number", 0..=99)?.to_string(),
                "literal" => {
                    let known =
                        self.structs.iter().find(|known| known.name == ty).expect("it is the type of something");
                    let parts = self.parts(c, &known.parts.clone(), depth.saturating_sub(1))?;
                    format!("{ty} {{ {} }}", written(&parts))
                }
                name => name.to_owned(),
            };
            if ty != NUMBER || depth == 0 {
                return Ok(simple);
            }
            let compound = c.optional("compound", 40, |c| self.compound(c, &simple, depth - 1))?;
            Ok(compound.unwrap_or(simple))
        })
    }

    /// A number that is made of others; `simple` if what it was made of is gone.
    fn compound(&mut self, c: &mut Choices, simple: &str, depth: usize) -> Result<String, Halt> {
        let mut forms: Vec<(u32, String)> = vec![(0, "simple".into()), (3, "sum".into()), (2, "if".into())];
        let is_cheap = |function: &&Item| self.calls + function.calls * self.times <= CALLS;
        forms.extend(self.functions.iter().filter(is_cheap).map(|function| (1, function.name.clone())));
        Ok(match &**c.weighted("form", &forms)? {
            "simple" => simple.to_owned(),
            "sum" => {
                let left = self.value(c, "left", NUMBER, depth)?;
                let operator = c.choose("operator", &["+", "-"])?;
                // Numbers stay small, so that nothing overflows.
                format!("({left} {operator} {}) % 1000", self.value(c, "right", NUMBER, depth)?)
            }
            "if" => {
                let (condition, then) = (self.condition(c, depth)?, self.value(c, "then", NUMBER, depth)?);
                format!("if {condition} {{ {then} }} else {{ {} }}", self.value(c, "else", NUMBER, depth)?)
            }
            function => self.call(c, function, depth)?,
        })
    }

    fn condition(&mut self, c: &mut Choices, depth: usize) -> Result<String, Halt> {
        let left = self.value(c, "compared", NUMBER, depth)?;
        let operator = c.choose("comparison", &["==", "<", ">="])?;
        Ok(format!("{left} {operator} {}", self.value(c, "with", NUMBER, depth)?))
    }

    fn call(&mut self, c: &mut Choices, name: &str, depth: usize) -> Result<String, Halt> {
        let function = self.functions.iter().find(|function| function.name == name).expect("it was chosen from them");
        self.calls += function.calls * self.times;
        let arguments = self.parts(c, &function.parts.clone(), depth)?.into_iter().map(|(_, value)| value + ",");
        Ok(format!("{name}({})", arguments.collect::<String>()))
    }

    /// The name of each part with a value for it.
    fn parts(&mut self, c: &mut Choices, parts: &[NamedType], depth: usize) -> Result<Vec<(String, String)>, Halt> {
        let value = |(name, ty): &NamedType| Ok((name.clone(), self.value(c, &format!("for-{name}"), ty, depth)?));
        parts.iter().map(value).collect()
    }

    fn ty(&self, c: &mut Choices) -> Result<String, Halt> {
        let structs = self.structs.iter().map(|known| (1, known.name.as_str()));
        let types: Vec<(u32, &str)> = [(3, NUMBER)].into_iter().chain(structs).collect();
        Ok((*c.weighted("type", &types)?).to_owned())
    }

    /// Adds a value and its fields to the scope.
    fn declare(&mut self, path: &str, ty: &str, is_variable: bool) {
        let parts = self.structs.iter().filter(|known| known.name == ty).flat_map(|known| &known.parts);
        let fields = parts.map(|(field, ty)| (format!("{path}.{field}"), ty.clone()));
        let all = [(path.to_owned(), ty.to_owned())].into_iter().chain(fields);
        self.values.extend(all.map(|(path, ty)| Value { path, ty, is_variable }));
    }
}

/// A new name, which no other name of the program is like.
fn name(c: &mut Choices, prefix: &str) -> Result<String, Halt> {
    Ok(format!("{prefix}{}", c.fresh("name")?))
}

/// `x: i32, y: i32,`
fn written(parts: &[(String, String)]) -> String {
    parts.iter().map(|(name, is)| format!("{name}: {is},")).collect()
}

fn print(value: &str) -> String {
    format!("println!(\"{{}}\", {value});")
}
