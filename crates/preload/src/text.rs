//! Zero-terminated C strings.

/// A string with a zero byte at its end, and none before.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t>(&'t [u8]);

impl<'t> Text<'t> {
    /// A literal that ends with a zero.
    pub(crate) const fn literal(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        assert!(bytes[bytes.len() - 1] == 0, "it ends with a zero");
        Self(bytes)
    }

    /// A pointer to its start for the C library.
    pub(crate) fn as_ptr(self) -> *const u8 {
        self.0.as_ptr()
    }
}

/// Consecutive zero-terminated strings.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'t>(&'t [u8]);

impl<'t> Texts<'t> {
    /// Splits off the first `count` strings of some bytes. None if there are fewer.
    pub(crate) fn split(bytes: &'t [u8], count: usize) -> Option<(Self, &'t [u8])> {
        let (mut texts, mut rest) = (Texts(bytes), bytes);
        for _ in 0..count {
            texts.next()?;
            rest = texts.0;
        }
        Some((Self(bytes.get(..bytes.len() - rest.len())?), rest))
    }
}

impl<'t> Iterator for Texts<'t> {
    type Item = Text<'t>;

    fn next(&mut self) -> Option<Text<'t>> {
        let end = 1 + self.0.iter().position(|&byte| byte == 0)?;
        let (text, rest) = (self.0.get(..end)?, self.0.get(end..)?);
        self.0 = rest;
        Some(Text(text))
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn so_many_texts_are_split_off_or_none() {
        let bytes = b"a\0\0bc\0d";
        for (count, length) in [(0, 0), (1, 2), (2, 3), (3, 6)] {
            let (texts, rest) = Texts::split(bytes, count).expect("there are so many");
            let lengths = texts.map(|text| text.0.len());
            assert_eq!((lengths.clone().count(), lengths.sum()), (count, length));
            assert_eq!(rest, &bytes[length..]);
        }
        assert!(Texts::split(bytes, 4).is_none());
        let texts: Vec<_> = Texts(bytes).map(|text| text.0).collect();
        assert_eq!(texts, [&b"a\0"[..], b"\0", b"bc\0"]);
    }
}
