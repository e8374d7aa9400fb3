// Why is the handler that gives away a string only `FnOnce`, and not the `Fn` that is asked for?
//@ error: expected a closure that implements the `Fn(Mut)?` trait, but this closure only implements `FnOnce`
//@ error: closure is `FnOnce` because it moves the variable `\w+` out of its environment
//@ error: required by a bound in|required by this bound in|required for the cast
#[derive(Debug, Default)]
struct Log { lines: Vec<String> }

impl Log {
    fn keep(self, line: String) -> Log { let mut log = self; log.lines.push(line); log }
}

#[derive(Default)]
struct Router { routes: Vec<(String, Box<dyn Fn(&str) -> String>)>, visits: u32 }

impl Router {
    fn route(&mut self, path: &str, handler: impl Fn(&str) -> String + 'static) {
        self.routes.push((path.to_string(), Box::new(handler)));
    }
    fn finish(self, then: impl FnOnce(u32) -> Log) -> Log { then(self.visits) }
    fn visit(&mut self, path: &str) -> Option<String> {
        self.visits += 1;
        let (_, handler) = self.routes.iter().find(|(route, _)| route == path)?;
        Some(handler(path))
    }
}

fn count(times: u32, mut each: impl FnMut(u32)) { for time in 0..times { each(time); } }

fn main() {
    let mut router = Router::default();
    let greeting = String::from("welcome");
    let log = Log::default();
    let greet = move |path: &str| greeting + path;
    router.route("/", greet);
    router.route("/about", |path| path.to_uppercase());
    let mut total = 0;
    count(3, |time| total += time);
    println!("{:?} {total}", router.visit("/about"));
    println!("{:?}", router.finish(move |visits| log.keep(format!("{visits} visits"))));
}
