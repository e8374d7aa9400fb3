// The name is used in a `move` closure, and later in the function: why is it gone by then?
//@ error: value moved into closure here
//@ error: variable moved due to use in closure
//@ error: value (borrowed|used) here after move
//@ code: \bmove\s*\|
#[derive(Debug, Clone)]
struct Camera { model: String, lens: String }

struct Shutter { listeners: Vec<Box<dyn Fn(u32) -> String>> }

impl Shutter {
    fn on_release(&mut self, listener: impl Fn(u32) -> String + 'static) { self.listeners.push(Box::new(listener)); }
    fn release(&self, number: u32) -> Vec<String> { self.listeners.iter().map(|listener| listener(number)).collect() }
}

fn pack(camera: Camera) -> String { camera.model + "+" + &camera.lens }

fn main() {
    let mut shutter = Shutter { listeners: Vec::new() };
    let camera = Camera { model: "M6".into(), lens: "35".into() };
    let folder = String::from("shots");
    let lens = camera.lens.clone();
    let bag = pack(camera.clone());
    shutter.on_release(move |number| format!("{folder}/{number}.raw"));
    shutter.on_release(move |number| format!("{number} with {lens}"));
    let taken = shutter.release(1);
    let rest = camera.model;
    println!("{bag} {rest} {}", taken.len());
    println!("the pictures are in {}", folder);
}
