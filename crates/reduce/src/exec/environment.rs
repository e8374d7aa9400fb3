//! The environment of checks: that of mcve, with changes.

use std::ffi::{OsStr, OsString};

use super::shim::Changes;

/// Prefixes of variables that hold secrets, or give access to a program that holds secrets.
const SECRET_BEGINNINGS: [&str; 9] =
    ["AWS_", "AZURE_", "DBUS_SESSION_", "GNOME_KEYRING_", "GPG_", "KUBE", "OP_SESSION_", "SSH_", "VAULT_"];

/// Parts of such names, between the ends of the name or underscores.
const SECRET_PARTS: [&str; 14] = [
    "AUTH",
    "COOKIE",
    "CREDENTIAL",
    "CREDENTIALS",
    "DSN",
    "KEY",
    "KEYS",
    "PASS",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PAT",
    "SECRET",
    "TOKEN",
];

/// Whole names of such variables.
const SECRET_NAMES: [&str; 4] = ["DATABASE_URL", "MONGO_URL", "NETRC", "REDIS_URL"];

/// The variables that all checks have.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    variables: Vec<(OsString, OsString)>,
}

impl Environment {
    pub(super) fn inherited() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// The environment of this process without variables that look like secrets, except for the names in `kept`.
    pub(super) fn without_secrets(kept: &[OsString]) -> Self {
        let is_left = |name: &OsString| kept.contains(name) || !is_secret(name);
        Self { variables: std::env::vars_os().filter(|(name, _)| is_left(name)).collect() }
    }

    /// The environment with these changes; the last one for a name counts.
    pub(super) fn with(&self, changes: &Changes) -> Vec<(OsString, OsString)> {
        let is_changed = |name: &OsString| changes.iter().any(|(other, _)| other == name);
        let kept = self.variables.iter().filter(|(name, _)| !is_changed(name)).cloned();
        let is_last = |index: usize, name: &OsString| changes[index + 1..].iter().all(|(other, _)| other != name);
        let last = changes.iter().enumerate().filter(|(index, (name, _))| is_last(*index, name));
        let set = last.filter_map(|(_, (name, value))| Some((name.clone(), value.clone()?)));
        kept.chain(set).collect()
    }
}

/// Whether a variable of this name is likely to hold a secret: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `SSH_AUTH_SOCK`.
fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let is_part = |part: &str| SECRET_PARTS.contains(&part) || part.ends_with("TOKEN") || part.ends_with("PASSWORD");
    SECRET_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || SECRET_NAMES.contains(&&*name)
        || name.split('_').any(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for name in [
            "GITHUB_TOKEN",
            "CARGO_REGISTRY_TOKEN",
            "NPM_AUTHTOKEN",
            "SSH_AUTH_SOCK",
            "AWS_PROFILE",
            "aws_session_token",
            "DB_PASSWORD",
            "PGPASSWORD",
            "OPENAI_API_KEY",
            "MY_SECRET",
            "SENTRY_DSN",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "DATABASE_URL",
        ] {
            assert!(is_secret(name.as_ref()), "{name}");
        }
        for name in ["PATH", "HOME", "KEYBOARD", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "LD_LIBRARY_PATH", "PATTERN", "LANG"]
        {
            assert!(!is_secret(name.as_ref()), "{name}");
        }
    }

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
