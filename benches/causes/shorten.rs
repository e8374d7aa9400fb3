// bug: `max` counts characters but cuts bytes, so the cut is in the middle of a character that has two.
// run: main
// fails: is not a char boundary
// fixed: &text[..max] => text.chars().take(max).collect::<String>()
// keeps: [^\x00-\x7f]|\\u\{
// keeps: \[\.\.\w+\]|split_at\(
trait Shorten {
    fn shorten(&self, max: usize) -> String;
}

impl Shorten for str {
    fn shorten(&self, max: usize) -> String {
        let colon = self.find(':');
        let label = colon.map_or("", |at| &self[..at + 1]);
        let text = &self[label.len()..];
        if text.len() <= max {
            return self.to_string();
        }
        format!("{}{}..", label, &text[..max])
    }
}

fn menu<'a, I>(titles: I, max: usize) -> Vec<String>
where
    I: Iterator<Item = &'a str>,
{
    titles.filter(|title| !title.is_empty()).map(|title| title.shorten(max)).collect()
}

fn main() {
    let list = "soup:potato\n\ncafé\nsweet:crème brûlée\nbread";
    for line in menu(list.lines(), 7) {
        println!("{}", line);
    }
    for line in menu(list.lines(), 3) {
        println!("{}", line);
    }
}
