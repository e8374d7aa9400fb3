// bug: the end of the last part is not cut at the length, so its thread slices behind the end and cannot be joined.
// run: main
// fails: range end index
// fixed: from + size => (from + size).min(data.len())
// keeps: spawn
// keeps: \.\.[^\];]*\+|=[^;=]*\+[^;]*;.*\[\w*\.\.
use std::sync::Arc;
use std::thread::{self, JoinHandle};

fn part(data: &[u64], from: usize, size: usize) -> u64 {
    if from >= data.len() {
        return 0;
    }
    let head = if data.len() >= 2 { &data[..2] } else { data };
    data[from..from + size].iter().map(|x| x * head[0]).sum()
}

fn total<F>(data: Vec<u64>, workers: usize, work: F) -> u64
where
    F: Fn(&[u64], usize, usize) -> u64 + Copy + Send + 'static,
{
    let data = Arc::new(data);
    let size = data.len().div_ceil(workers);
    let handles: Vec<JoinHandle<u64>> = (0..workers)
        .map(|worker| {
            let data = Arc::clone(&data);
            thread::spawn(move || work(&data, worker * size, size))
        })
        .collect();
    handles.into_iter().map(|handle| handle.join().unwrap()).sum()
}

fn main() {
    println!("{}", total((1..=8).collect(), 4, part));
    println!("{}", total((1..=10).collect(), 4, part));
}
