//! The memory limit of a check.

use std::str::FromStr;

/// The smallest default limit: rustc has been seen to need a tenth of it for a thousand lines.
#[cfg(target_os = "linux")]
const LEAST: u64 = 4 << 30;

/// The limit of each process of a check on its own memory, in bytes; none: no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(pub Option<u64>);

/// Half of the machine's memory, but at least 4 GiB: a macro that lost its end can make rustc take all of it.
#[cfg(target_os = "linux")]
impl Default for Memory {
    fn default() -> Self {
        let info = rustix::system::sysinfo();
        let all = u64::from(info.mem_unit).saturating_mul(info.totalram);
        Self(Some((all / 2).max(LEAST)))
    }
}

/// No limit, as memory cannot be limited on this system.
#[cfg(not(target_os = "linux"))]
impl Default for Memory {
    fn default() -> Self {
        Self(None)
    }
}

/// Parses `4G`, `512M`, `unlimited`.
impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "unlimited" {
            return Ok(Self(None));
        }
        let digits = text.trim_end_matches(|character: char| !character.is_ascii_digit());
        let shift = match text[digits.len()..].trim_start().to_ascii_uppercase().as_str() {
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err("a size has a unit, such as `4G` or `512M`".to_owned()),
        };
        let number: u64 = digits.parse().map_err(|_| format!("`{digits}` is no whole number"))?;
        match number.checked_mul(1 << shift) {
            Some(bytes) if bytes > 0 => Ok(Self(Some(bytes))),
            _ => Err("it is not between one byte and the largest number of bytes".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let check = |text: &str, bytes| assert_eq!(text.parse(), Ok(Memory(bytes)), "{text}");
        check("4G", Some(4 << 30));
        check("512 MiB", Some(512 << 20));
        check("1k", Some(1 << 10));
        check("unlimited", None);
        for text in ["", "G", "4", "4 Q", "0G", "-1G", "1.5G", "99999999999T"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn there_is_a_limit_without_being_asked_for_one() {
        assert!(Memory::default().0.is_some_and(|bytes| bytes >= LEAST));
    }
}
