// bug: the text is split at `\n` alone, so the `\r` of each line stays in the value and no level equals it.
// run: main
// fails: called `Option::unwrap()` on a `None` value
// fixed: text.split('\n') => text.lines()
// keeps: \\r\\n
// keeps: '\\n'|"\\n"
const LEVELS: [&str; 4] = ["off", "low", "mid", "high"];

fn level(text: &str, key: &str) -> usize {
    let line = text.split('\n').find(|line| line.starts_with(key)).unwrap();
    let (_, value) = line.split_once('=').unwrap();
    LEVELS.iter().position(|level| *level == value).unwrap()
}

struct Device {
    sound: usize,
    light: usize,
}

impl Device {
    fn load(text: &str) -> Device {
        Device { sound: level(text, "sound"), light: level(text, "light") }
    }

    fn power(&self) -> usize {
        self.sound * 2 + self.light * 5
    }
}

fn main() {
    let files = ["sound=low\nlight=off\n", "light=mid\nsound=off", "sound=high\r\nlight=low\r\n"];
    let power: Vec<usize> = files.iter().map(|text| Device::load(text).power()).collect();
    println!("{:?}", power);
}
