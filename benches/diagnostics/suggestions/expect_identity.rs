// The suggested closure calls a method on a value whose type is not known at that point (rust-clippy#15195).
//@ tool: clippy
//@ lint: clippy::expect_fun_call
//@ new-error: type annotations needed
use std::collections::HashMap;
use std::convert::identity;

struct Config { values: HashMap<String, u32>, name: String }

impl Config {
    fn parse(name: &str, text: &str) -> Config {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let values = pairs.filter_map(|(key, value)| Some((key.to_string(), value.parse().ok()?))).collect();
        Config { values, name: name.to_string() }
    }

    fn port(&self) -> u32 {
        let why = format!("{} has no port", self.name);
        let why = why.as_ref();
        let port = self.values.get("port").copied().expect(identity(why));
        if port < 1024 { println!("{why}, or a low one"); }
        port
    }

    fn depth(&self) -> u32 { *self.values.get("depth").expect(&format!("{} has no depth", self.name)) }

    fn width(&self) -> u32 { self.values.get("width").copied().unwrap_or(80) }
}

fn main() {
    let config = Config::parse("server", "port=8080\ndepth=3");
    println!("{} {} {}", config.port(), config.depth(), config.width());
}
