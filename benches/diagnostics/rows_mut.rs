// Why can an iterator that holds a `&'a mut` not give out `&'a mut` references to what it points to?
//@ error: lifetime may not live long enough
//@ error: method was supposed to return data with lifetime `'\w+` but it is returning data with lifetime `'1`
//@ code: \bIterator for\b
//@ code: (?:struct|enum) \w+<'(\w+)[^;{(]*[({][^};]*&'\1 mut\b
struct Board { rows: Vec<Vec<u8>>, title: String }

struct RowsMut<'a> { board: &'a mut Board, at: usize }
struct Letters<'a> { text: &'a str, board: &'a Board }

impl<'a> Iterator for RowsMut<'a> {
    type Item = &'a mut Vec<u8>;
    fn next(&mut self) -> Option<Self::Item> {
        self.at += 1;
        self.board.rows.get_mut(self.at - 1)
    }
}

impl<'a> Iterator for Letters<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        if self.text.is_empty() { return None; }
        let (letter, rest) = self.text.split_at(1);
        self.text = rest;
        Some(letter)
    }
}

impl<'a> Letters<'a> {
    fn first_row(&self) -> Option<&'a Vec<u8>> { self.board.rows.first() }
}

fn main() {
    let mut board = Board { rows: vec![vec![1, 2], vec![3]], title: "go".into() };
    for row in (RowsMut { board: &mut board, at: 0 }) { row.push(9); }
    let letters = Letters { text: &board.title, board: &board };
    println!("{:?}", letters.first_row());
    println!("{}", letters.count());
}
