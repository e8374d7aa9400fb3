// bug: tasks run in the order of a hash map, so in about half of the runs a task comes before the one that it needs.
// run: main
// fails: is not done
// fixed: HashMap => BTreeMap
// keeps: Hash(Map|Set)|RandomState
// keeps: insert\(.*insert\(|\[\(.*\),\(
type Tasks = std::collections::HashMap<&'static str, Task>;

struct Task {
    needs: Vec<&'static str>,
    cost: u32,
}

fn tasks() -> Tasks {
    let mut tasks = Tasks::new();
    tasks.insert("archive", Task { needs: vec![], cost: 4 });
    tasks.insert("bundle", Task { needs: vec!["archive"], cost: 9 });
    tasks
}

fn run(tasks: &Tasks) -> u32 {
    let mut done: Vec<&str> = Vec::new();
    let mut cost = 0;
    for (name, task) in tasks {
        for need in &task.needs {
            if !tasks.contains_key(need) {
                panic!("{} is not done", need);
            }
            if !done.contains(need) {
                panic!("{} is not done", need);
            }
        }
        done.push(name);
        cost += task.cost;
    }
    cost
}

fn main() {
    println!("cost {}", run(&tasks()));
}
