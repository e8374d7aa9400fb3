// Why may the closure that a new thread runs not use a local variable of the function that starts it?
//@ error: closure may outlive the current function, but it borrows `\w+`
//@ error: function requires argument type to outlive `'static`
//@ not-error: closure is returned here
//@ code: \bthread\b(?s:.*)\bspawn\b
use std::thread;

struct Page { title: String, words: Vec<String> }

fn load(title: &str) -> Page {
    Page { title: title.to_string(), words: title.split(' ').map(str::to_lowercase).collect() }
}

fn longer_than(limit: usize) -> impl Fn(&&String) -> bool {
    move |word| word.len() > limit
}

fn in_scope(pages: &[Page]) -> usize {
    thread::scope(|scope| {
        let workers: Vec<_> = pages.iter().map(|page| scope.spawn(|| page.words.len())).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    })
}

fn count(limit: usize) -> usize {
    let pages = vec![load("On Rivers"), load("The Long Way Home")];
    let total = in_scope(&pages);
    let worker = thread::spawn(|| {
        let is_long = longer_than(4);
        pages.iter().flat_map(|page| &page.words).filter(|word| is_long(word)).count()
    });
    total + worker.join().unwrap() + limit
}

fn main() {
    let first = load("Preface");
    println!("{} {}", first.title, count(3));
}
