// Why can a task not be pushed to the `Vec` that the loop goes over?
//@ error: cannot borrow `[^`]+` as mutable because it is also borrowed as immutable
//@ error: immutable borrow later used here
//@ code: (?s)\b(for|while)\b.*\.push\(
use std::collections::HashMap;

#[derive(Debug, Clone)]
struct Task { name: String, days: u32, after: Option<String> }

struct Plan { tasks: Vec<Task>, done: HashMap<String, u32> }

impl Plan {
    fn finish(&mut self, name: &str) -> u32 {
        let days = self.tasks.iter().find(|task| task.name == name).map_or(0, |task| task.days);
        self.done.insert(name.to_string(), days);
        self.tasks.retain(|task| task.name != name);
        days
    }
    fn split_long(&mut self, limit: u32) {
        for task in self.tasks.iter() {
            if task.days > limit {
                let name = format!("{} (2)", task.name);
                self.tasks.push(Task { name, days: task.days - limit, after: Some(task.name.clone()) });
            }
        }
    }
    fn oldest(&mut self) -> Option<Task> {
        let first = self.tasks.first().cloned()?;
        self.done.entry(first.name.clone()).or_default();
        Some(first)
    }
}

fn main() {
    let task = Task { name: "roof".into(), days: 9, after: None };
    let mut plan = Plan { tasks: vec![task], done: HashMap::new() };
    plan.split_long(5);
    println!("{:?} {}", plan.oldest().and_then(|task| task.after), plan.finish("roof"));
}
