// Why can a function not return pieces of a text that it made itself?
//@ error: cannot return value referencing local variable `\w+`
//@ error: returns a value referencing data owned by the current function
//@ not-error: returns a reference to data owned|temporary value
use std::borrow::Cow;

struct Request { raw: Vec<u8>, limit: usize }

impl Request {
    fn text(&self) -> Cow<'_, str> { String::from_utf8_lossy(&self.raw) }

    fn headers(&self) -> Vec<&str> {
        let text = self.text().replace("\r\n", "\n");
        text.lines().skip(1).take(self.limit).filter(|line| line.contains(':')).collect()
    }

    fn method(&self) -> &str {
        let end = self.raw.iter().position(|byte| *byte == b' ').unwrap_or(0);
        std::str::from_utf8(&self.raw[..end]).unwrap_or_default()
    }

    fn path(&self) -> String {
        let text = self.text();
        text.split(' ').nth(1).unwrap_or("/").to_string()
    }
}

fn value<'a>(headers: &[&'a str], name: &str) -> Option<&'a str> {
    headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn main() {
    let request = Request { raw: b"GET /a HTTP/1.1\r\nHost: b\r\n\r\n".to_vec(), limit: 20 };
    let headers = request.headers();
    println!("{} {} {:?}", request.method(), request.path(), value(&headers, "Host"));
}
