// The suggestion to make the `if` a guard of the arm cuts the label of its block (rust-clippy#17427).
//@ tool: clippy
//@ lint: clippy::collapsible_match
//@ new-error: unclosed delimiter|closing delimiter|^error: expected
#[derive(Debug, Clone, Copy)]
enum Event { Key(char), Resize(u16, u16), Quit }

struct Editor { text: String, size: (u16, u16), is_locked: bool }

impl Editor {
    fn handle(&mut self, event: Option<Event>) {
        match event {
            Some(Event::Key(key)) => 'typed: {
                if !self.is_locked {
                    if key.is_control() { break 'typed; }
                    self.text.push(key);
                }
            }
            Some(Event::Resize(width, height)) => self.size = (width, height),
            Some(Event::Quit) => {
                if !self.text.is_empty() {
                    println!("unsaved: {}", self.text);
                }
            }
            _ => {}
        }
    }
}

fn main() {
    let mut editor = Editor { text: String::new(), size: (80, 25), is_locked: false };
    for event in [Event::Key('h'), Event::Key('\n'), Event::Resize(90, 30), Event::Quit] { editor.handle(Some(event)); }
    println!("{} {:?}", editor.text, editor.size);
}
