// The suggestion leaves a bare `Default::default()` of which no type is known (rust-clippy#10548).
//@ tool: clippy
//@ lint: clippy::unnecessary_struct_initialization
//@ new-error: type annotations needed|cannot call associated function on trait
#![warn(clippy::unnecessary_struct_initialization)]

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Style { bold: bool, indent: u8 }

#[derive(Debug, Default)]
struct Page { lines: Vec<String>, style: Style }

impl Page {
    fn add(&mut self, text: &str, style: Style) {
        let own = Style { ..style };
        let mark = if own.bold { "*" } else { "" };
        self.lines.push(format!("{:width$}{mark}{text}{mark}", "", width = own.indent as usize));
        self.style = own;
    }

    fn wide(&self) -> Style { Style { indent: 8, ..self.style } }
}

fn main() {
    let plain = Style { ..Default::default() };
    let mut page = Page::default();
    page.add("title", Style { bold: true, indent: plain.indent + 2 });
    page.add("text", page.wide());
    println!("{:?} {:?}", page.lines, page.style);
}
