// bug: `emit` holds a borrow of the listeners while it calls them, so one that adds a listener borrows them twice.
// run: main
// fails: already borrowed
// fixed: for listener in self.listeners.borrow().iter() { => let all = self.listeners.borrow().clone(); for listener in all.iter() {
// keeps: \.borrow\(\)
// keeps: \.borrow_mut\(\)
use std::cell::RefCell;
use std::rc::Rc;

type Listener = Rc<dyn Fn(&Emitter, u32)>;

#[derive(Default)]
struct Emitter {
    listeners: RefCell<Vec<Listener>>,
    log: RefCell<Vec<String>>,
}

impl Emitter {
    fn on(&self, name: &str, listener: Listener) {
        self.log.borrow_mut().push(format!("on {}", name));
        self.listeners.borrow_mut().push(listener);
    }

    fn emit(&self, value: u32) {
        let mut log = self.log.borrow_mut();
        log.push(format!("emit {}", value));
        drop(log);
        for listener in self.listeners.borrow().iter() {
            listener(self, value);
        }
    }
}

fn main() {
    let emitter = Emitter::default();
    emitter.emit(0);
    emitter.on("print", Rc::new(|_, value| println!("got {}", value)));
    emitter.emit(1);
    emitter.on("grow", Rc::new(|emitter, value| {
        if value > 5 {
            emitter.on("more", Rc::new(|_, value| println!("more {}", value)));
        }
    }));
    emitter.emit(2);
    emitter.emit(7);
    println!("{} lines", emitter.log.take().len());
}
