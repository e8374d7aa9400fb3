//! The features and the size of generated programs.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A feature that programs may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// `async` functions and blocks, and their executor.
    Async,
    /// Closures.
    Closures,
    /// Vectors, arrays and their iterators.
    Collections,
    /// Constants, statics and `const` functions.
    Consts,
    /// Trait objects.
    Dyn,
    /// Enums.
    Enums,
    /// Type parameters, const parameters.
    Generics,
    /// Loops.
    Loops,
    /// Modules.
    Modules,
    /// `match`, `if let`, `let else` and their patterns.
    Patterns,
    /// Parameters that are references, lifetimes.
    References,
    /// Strings.
    Strings,
    /// Structs.
    Structs,
    /// Traits with impls.
    Traits,
}

impl Feature {
    /// All features, in the order of their names.
    pub const ALL: [Self; 14] = [
        Self::Async,
        Self::Closures,
        Self::Collections,
        Self::Consts,
        Self::Dyn,
        Self::Enums,
        Self::Generics,
        Self::Loops,
        Self::Modules,
        Self::Patterns,
        Self::References,
        Self::Strings,
        Self::Structs,
        Self::Traits,
    ];

    /// Its name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Async => "async",
            Self::Closures => "closures",
            Self::Collections => "collections",
            Self::Consts => "consts",
            Self::Dyn => "dyn",
            Self::Enums => "enums",
            Self::Generics => "generics",
            Self::Loops => "loops",
            Self::Modules => "modules",
            Self::Patterns => "patterns",
            Self::References => "references",
            Self::Strings => "strings",
            Self::Structs => "structs",
            Self::Traits => "traits",
        }
    }
}

/// A name that is not a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFeature(String);

impl fmt::Display for UnknownFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Feature::ALL.map(Feature::name).join(", ");
        write!(f, "programs have no feature `{}`; there are: {names}", self.0)
    }
}

impl std::error::Error for UnknownFeature {}

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(name: &str) -> Result<Self, UnknownFeature> {
        let found = Self::ALL.into_iter().find(|feature| feature.name() == name);
        found.ok_or_else(|| UnknownFeature(name.to_owned()))
    }
}

/// The settings that programs depend on besides the choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The approximate number of items in a program.
    pub size: usize,
    /// The features that it may have.
    pub features: BTreeSet<Feature>,
}

impl Settings {
    /// About `size` items with all features.
    #[must_use]
    pub fn of_size(size: usize) -> Self {
        Self { size, features: Feature::ALL.into() }
    }

    /// Whether programs may have `feature`.
    #[must_use]
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }
}

/// The format in a file of choices: `size=8 features=async,traits`.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.features.iter().map(|feature| feature.name()).collect();
        write!(f, "size={} features={}", self.size, names.join(","))
    }
}

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("`{text}` are no settings of programs");
        let (size, features) = text.split_once(' ').ok_or_else(unknown)?;
        let size = size.strip_prefix("size=").and_then(|size| size.parse().ok()).ok_or_else(unknown)?;
        let names = features.strip_prefix("features=").ok_or_else(unknown)?.split(',').filter(|name| !name.is_empty());
        let features =
            names.map(str::parse).collect::<Result<_, UnknownFeature>>().map_err(|error| error.to_string())?;
        Ok(Self { size, features })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_from_their_text() {
        for settings in [
            Settings::of_size(8),
            Settings { features: [Feature::Dyn].into(), size: 1 },
            Settings { features: BTreeSet::new(), size: 0 },
        ] {
            assert_eq!(settings.to_string().parse(), Ok(settings));
        }
        for text in ["", "size=8", "size=x features=", "size=1 features=everything", "8 features="] {
            assert!(text.parse::<Settings>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_in_order_and_lead_back() {
        let names = Feature::ALL.map(Feature::name);
        assert!(names.is_sorted());
        assert_eq!(names.map(str::parse), Feature::ALL.map(Ok));
    }
}
