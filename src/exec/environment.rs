//! The environment of checks: that of mcve, with changes.

use std::ffi::OsString;

use super::shim::Changes;

/// The variables that all checks have.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    /// That of this process.
    pub(super) fn inherited() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// With these changes, of which the last one of a name counts.
    pub(super) fn with(&self, changes: &Changes) -> Vec<(OsString, OsString)> {
        let is_changed = |name: &OsString| changes.iter().any(|(other, _)| other == name);
        let kept = self.variables.iter().filter(|(name, _)| !is_changed(name)).cloned();
        let is_last = |index: usize, name: &OsString| changes[index + 1..].iter().all(|(other, _)| other != name);
        let last = changes.iter().enumerate().filter(|(index, (name, _))| is_last(*index, name));
        let set = last.filter_map(|(_, (name, value))| Some((name.clone(), value.clone()?)));
        kept.chain(set).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_change_of_a_name_counts() {
        let pairs = |pairs: &[(&str, &str)]| -> Vec<(OsString, OsString)> {
            pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
        };
        let environment = Environment { variables: pairs(&[("A", "1"), ("B", "2"), ("C", "3")]) };
        let change = |name: &str, value: Option<&str>| (OsString::from(name), value.map(OsString::from));
        let changes = vec![change("B", Some("4")), change("C", None), change("B", Some("5")), change("D", Some(""))];
        assert_eq!(environment.with(&changes), pairs(&[("A", "1"), ("B", "5"), ("D", "")]));
        assert_eq!(environment.with(&Changes::new()), environment.variables);
    }
}
