// bug: `width` takes the shortest cell of a column, so `width - cell.len()` is below zero for a longer one.
// run: main
// fails: attempt to subtract with overflow
// fixed: .min() => .max()
// keeps: \.min\(
// keeps: -[a-z("&*]
mod table {
    pub struct Table {
        pub rows: Vec<Vec<String>>,
    }

    impl Table {
        pub fn parse(text: &str) -> Table {
            let rows = text.split(';').map(|row| row.split(',').map(str::to_string).collect()).collect();
            Table { rows }
        }

        fn width(&self, column: usize) -> usize {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.len()).min().unwrap_or(0)
        }

        pub fn line(&self, row: usize, limit: usize) -> String {
            let mut out = String::new();
            for (column, cell) in self.rows[row].iter().enumerate() {
                if out.len() > limit {
                    out.truncate(limit - 3);
                    out.push_str("...");
                    break;
                }
                let width = self.width(column);
                out.push_str(cell);
                out.push_str(&" ".repeat(width - cell.len()));
                out.push('|');
            }
            out
        }
    }
}

fn main() {
    let even = table::Table::parse("ab,cd;ef,gh");
    println!("{}", even.line(0, 40));
    let table = table::Table::parse("name,age;Jo,41;Alexandra,7");
    for row in 0..table.rows.len() {
        println!("{}", table.line(row, 40));
    }
}
