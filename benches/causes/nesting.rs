// bug: the depth is compared with `>` before it grows, so one level too many is allowed and nothing panics.
// run: tests::fourth_level_is_refused
// fails: test did not panic as expected
// fixed: self.depth > MAX => self.depth >= MAX
// keeps: panic!
// keeps: [\w)]>[\w*&(]
// keeps: ^(?!.*true)(?!.*(?<![!\w.])[\w.]+&&)
// keeps: \+=1|\+1|=0;|>0
const MAX: usize = 3;

macro_rules! refuse {
    ($condition:expr, $why:literal) => {
        if $condition {
            panic!($why);
        }
    };
}

#[derive(Default)]
pub struct Writer {
    depth: usize,
    is_lenient: bool,
    out: String,
}

impl Writer {
    pub fn open(&mut self, name: &str) {
        refuse!(!self.is_lenient && self.depth > MAX, "too deep");
        self.depth += 1;
        self.out += &format!("<{}>", name);
    }

    pub fn close(&mut self) {
        refuse!(self.depth == 0, "nothing is open");
        self.depth -= 1;
        self.out += "</>";
    }
}

#[cfg(test)]
mod tests {
    use super::Writer;

    #[test]
    fn third_level_is_fine() {
        let mut writer = Writer::default();
        ["a", "b", "c"].map(|name| writer.open(name));
        writer.close();
        assert_eq!(writer.out, "<a><b><c></>");
    }

    #[test]
    #[should_panic(expected = "too deep")]
    fn fourth_level_is_refused() {
        let mut writer = Writer::default();
        for name in ["a", "b", "c", "d"] {
            writer.open(name);
        }
    }
}
