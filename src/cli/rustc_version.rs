//! Versions of rustc: nightlies by their days, and releases.

use time::{Date, Month};

/// A version of rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// A nightly of this day.
    Nightly(Date),
    /// The release `1.N.0`.
    Release(usize),
}

impl std::str::FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("nightly-").unwrap_or(text);
        let day = |text: &str| {
            let mut parts = text.splitn(3, '-');
            let year = parts.next()?.parse().ok()?;
            let month = Month::try_from(parts.next()?.parse::<u8>().ok()?).ok()?;
            Date::from_calendar_date(year, month, parts.next()?.parse().ok()?).ok()
        };
        let minor = |text: &str| text.strip_prefix("1.")?.split('.').next()?.parse().ok();
        let found = day(text).map(Self::Nightly).or_else(|| minor(text).map(Self::Release));
        found.ok_or_else(|| "give a day such as 2026-01-31, or a release such as 1.90".to_owned())
    }
}

impl Version {
    /// The version that `rustc -vV` names: a nightly is of the day after its last commit.
    pub(super) fn of(said: &str) -> Option<Self> {
        let field = |name: &str| said.lines().find_map(|line| line.strip_prefix(name));
        let release = field("release: ")?;
        if release.contains("nightly") {
            let Self::Nightly(day) = field("commit-date: ")?.parse().ok()? else { return None };
            return day.next_day().map(Self::Nightly);
        }
        release.parse().ok()
    }

    /// The place among all of its kind.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Nightly(day) => day.to_julian_day().unsigned_abs() as usize,
            Self::Release(minor) => minor,
        }
    }

    /// Another one of its kind.
    pub(super) fn at(self, index: usize) -> Self {
        match self {
            Self::Nightly(day) => Self::Nightly(Date::from_julian_day(index as i32).unwrap_or(day)),
            Self::Release(_) => Self::Release(index),
        }
    }

    /// The name of its toolchain.
    pub(super) fn toolchain(self) -> String {
        match self {
            Self::Nightly(day) => format!("nightly-{day}"),
            Self::Release(minor) => format!("1.{minor}.0"),
        }
    }

    /// How far the search for a version without the failure goes at first.
    pub(super) fn step(self) -> usize {
        match self {
            Self::Nightly(_) => 7,
            Self::Release(_) => 1,
        }
    }

    /// No version before this is asked.
    pub(super) fn first(self) -> usize {
        match self {
            Self::Nightly(_) => {
                Date::from_calendar_date(2018, Month::January, 1).map_or(0, |day| Self::Nightly(day).index())
            }
            Self::Release(_) => 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_days_or_releases() {
        for (text, expected) in [
            ("2026-01-31", "nightly-2026-01-31"),
            ("nightly-2020-02-29", "nightly-2020-02-29"),
            ("1.90", "1.90.0"),
            ("1.74.1", "1.74.0"),
        ] {
            assert_eq!(text.parse::<Version>().map(Version::toolchain).as_deref(), Ok(expected));
        }
        for text in ["2026-02-30", "beta", "1", ""] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
        let said = "rustc 1.97.0-nightly\ncommit-date: 2026-02-28\nrelease: 1.97.0-nightly\n";
        let nightly = Version::of(said).expect("it is a version");
        assert_eq!(nightly.toolchain(), "nightly-2026-03-01");
        assert_eq!(nightly.at(nightly.index() - 1).toolchain(), "nightly-2026-02-28");
        assert_eq!(Version::of("release: 1.95.0\n"), Some(Version::Release(95)));
    }
}
