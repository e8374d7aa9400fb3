// Why can an `Option` not be used any more after `unwrap()` was called on it?
//@ error: (borrow|use) of (partially )?moved value
//@ error: moved due to this method call
//@ error: `Option::<T>::(unwrap\w*|expect)` takes ownership of the receiver `self`
//@ error: value (borrowed|used) here after (partial )?move
#[derive(Debug, Clone)]
struct Token { user: String, scopes: Vec<String> }

struct Session { token: Option<Token>, log: Vec<String> }

impl Session {
    fn open(user: &str) -> Session {
        let token = Token { user: user.to_string(), scopes: vec!["read".into(), "write".into()] };
        Session { token: Some(token), log: vec![format!("open {user}")] }
    }
    fn may(&self, scope: &str) -> bool {
        self.token.as_ref().is_some_and(|token| token.scopes.iter().any(|s| s == scope))
    }
    fn close(self) -> Vec<String> { self.log }
}

fn audit(lines: Vec<String>) -> usize {
    let mut longest = 0;
    for line in lines { longest = longest.max(line.len()); }
    longest
}

fn main() {
    let session = Session::open("mara");
    let other = Session::open("tom");
    let name = other.token.clone().unwrap().user;
    let can_write = session.may("write");
    let owner = session.token.unwrap().user;
    let is_open = session.token.is_some();
    println!("{owner} {name} {can_write} {is_open} {}", audit(other.close()));
}
