// bug: `high` is the last place that is looked at, but it starts with the length, so a large key reads behind the end.
// run: main
// fails: index out of bounds
// fixed: = xs.len(); => = xs.len() - 1;
// keeps: \.len\(\)(?!-)
// keeps: \[\d
use std::fmt::Debug;

fn find<T: PartialOrd>(xs: &[T], key: &T) -> Option<usize> {
    if xs.is_empty() {
        return None;
    }
    let mut low = 0;
    let mut high = xs.len();
    while low <= high {
        let mid = (low + high) / 2;
        if xs[mid] == *key {
            return Some(mid);
        }
        if xs[mid] < *key {
            low = mid + 1;
        } else if mid == 0 {
            return None;
        } else {
            high = mid - 1;
        }
    }
    None
}

fn show<T: PartialOrd + Debug>(xs: &[T], keys: &[T]) {
    for key in keys {
        match find(xs, key) {
            Some(at) => println!("{:?} at {}", key, at),
            None => println!("{:?} is not there", key),
        }
    }
}

fn main() {
    show(&[], &[1]);
    show(&[2, 3, 5, 7, 11], &[5, 1, 7, 20]);
}
