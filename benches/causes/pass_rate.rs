// bug: a mark equal to `PASS` does not count as passed, so a class with only such marks divides by zero.
// run: main
// fails: attempt to divide by zero
// fixed: > PASS => >= PASS
// keeps: [\w)]>[\w*&]
// keeps: (=(\d+);|>(\d+)(?!\d)).*(?<!\w)(\2|\3)(?!\d)
const PASS: u32 = 50;

struct Student {
    name: &'static str,
    marks: Vec<u32>,
}

impl Student {
    fn best(&self) -> u32 {
        self.marks.iter().copied().max().unwrap_or(0)
    }
}

fn student(name: &'static str, marks: &[u32]) -> Student {
    Student { name, marks: marks.to_vec() }
}

fn report(class: &[Student]) -> String {
    if class.is_empty() {
        return "nobody".to_string();
    }
    let all: u32 = class.iter().map(Student::best).sum();
    let mean = all / class.len() as u32;
    let passed: Vec<&Student> = class.iter().filter(|student| student.best() > PASS).collect();
    let letters: usize = passed.iter().map(|student| student.name.len()).sum();
    format!("mean {}, {} letters a name", mean, letters / passed.len())
}

fn main() {
    println!("{}", report(&[]));
    println!("{}", report(&[student("Ann", &[40, 71]), student("Bob", &[12])]));
    println!("{}", report(&[student("Cid", &[50, 31]), student("Dora", &[50])]));
}
