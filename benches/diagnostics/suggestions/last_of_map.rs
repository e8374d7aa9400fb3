// `last()` runs every step, and the suggested `next_back()` runs only the last one (rust-clippy#14444).
//@ tool: clippy
//@ lint: clippy::double_ended_iterator_last
//@ run: yes
#[derive(Debug, Clone, PartialEq)]
enum Status { Done(u32), Failed(String) }

struct Step { name: &'static str, seconds: u32 }

impl Step {
    fn run(&self) -> Status {
        println!("{} ..", self.name);
        if self.seconds == 0 { return Status::Failed(format!("{} has no time", self.name)); }
        Status::Done(self.seconds)
    }
}

fn run_all(steps: &[Step]) -> Option<Status> { steps.iter().map(|step| step.run()).last() }

fn extension(path: &str) -> Option<&str> { path.split('.').last() }

fn total(steps: &[Step]) -> u32 { steps.iter().map(|step| step.seconds).sum() }

fn main() {
    let steps = [Step { name: "fetch", seconds: 4 }, Step { name: "unpack", seconds: 9 }];
    println!("{:?} of {} s", run_all(&steps), total(&steps));
    println!("{:?}", extension("release.tar.gz"));
}
