//! The environment of checks: that of mcve, with changes.

use std::ffi::{OsStr, OsString};

use super::shim::Changes;

/// Variables that influence rustc regardless of its arguments.
pub(crate) const VARIABLES: [&str; 5] =
    ["LD_PRELOAD", "RUSTC_BOOTSTRAP", "RUST_MIN_STACK", "RUST_TARGET_PATH", "SOURCE_DATE_EPOCH"];

/// Prefixes of variables that hold secrets, or give access to a program that holds secrets.
const SECRET_BEGINNINGS: &str = "AWS_ AZURE_ DBUS_SESSION_ GNOME_KEYRING_ GPG_ KUBE OP_SESSION_ SSH_ VAULT_";

/// Words in such names. Any character but a letter or a digit separates words.
const SECRET_PARTS: &str = "ASKPASS AUTH BEARER COOKIE DSN PASS PAT PW WEBHOOK";

/// Ends of such words.
const SECRET_ENDS: &str = "\
    CONNECTIONSTRING CRED CREDENTIAL CREDENTIALS CREDS JWT KEY KEYS PASSPHRASE PASSWD PASSWORD PWD SECRET TOKEN";

/// Whole names of such variables.
const SECRET_NAMES: &str = "DATABASE_URL MONGO_URL NETRC PGPASSFILE PGSERVICEFILE REDIS_URL";

/// Variables that name folders and only look like secrets.
const FOLDERS: &str = "OLDPWD PWD";

/// A user name in a URL with this many characters counts as a token.
const LONG: usize = 20;

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
        let is_left = |(name, value): &(OsString, OsString)| {
            kept.contains(name) || !is_secret(name) && !has_password(&value.to_string_lossy())
        };
        Self { variables: std::env::vars_os().filter(is_left).collect() }
    }

    /// The environment with these changes; the last one for a name counts.
    pub(super) fn with(&self, changes: &Changes) -> Vec<(OsString, OsString)> {
        let mut variables = self.variables.clone();
        for (name, value) in changes {
            variables.retain(|(other, _)| other != name);
            variables.extend(value.iter().map(|value| (name.clone(), value.clone())));
        }
        variables
    }
}

/// Whether a variable of this name is likely to hold a secret: `GITHUB_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `SSH_AUTH_SOCK`.
fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    let has = |table: &str, word: &str| table.split(' ').any(|other| other == word);
    let is_part = |part: &str| has(SECRET_PARTS, part) || SECRET_ENDS.split(' ').any(|end| part.ends_with(end));
    SECRET_BEGINNINGS.split(' ').any(|beginning| name.starts_with(beginning))
        || has(SECRET_NAMES, &name)
        || !has(FOLDERS, &name) && name.split(|c: char| !c.is_ascii_alphanumeric()).any(is_part)
}

/// Whether a value has a URL with a password or a token: `https://user:password@host`.
fn has_password(value: &str) -> bool {
    let is_secret = |user: &str| user.split_once(':').map_or(user.len() >= LONG, |(_, password)| !password.is_empty());
    value.split("://").skip(1).any(|rest| {
        let host = rest.split(['/', '?', '#', ' ', '"', '\'']).next().unwrap_or_default();
        host.rsplit_once('@').is_some_and(|(user, _)| is_secret(user))
    })
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
            "MYSQL_PWD",
            "APIKEY",
            "ACCESSKEY",
            "PRIVATEKEY",
            "JWT",
            "DEPLOY_CREDS",
            "SESSION_JWT",
            "stripeSecretKey",
            "npm_config_//registry/:_authToken",
            "GIT_ASKPASS",
            "PGPASSFILE",
        ] {
            assert!(is_secret(name.as_ref()), "{name}");
        }
        for name in ["PATH", "HOME", "KEYBOARD", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "LD_LIBRARY_PATH", "PATTERN", "LANG"]
            .into_iter()
            .chain(["PWD", "OLDPWD", "RUSTFLAGS", "CARGO_PKG_NAME", "XDG_CONFIG_HOME"])
        {
            assert!(!is_secret(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn passwords_are_known_by_their_urls() {
        for value in [
            "postgres://ada:pw@db.example.org/main",
            "--proxy http://:pw@proxy:3128",
            "https://0123456789abcdef0123@example.org",
            "a, amqp://a%40b:p%2Fw@[::1]:5672/",
        ] {
            assert!(has_password(value), "{value}");
        }
        for value in
            ["ssh://git@example.org/a:b@c", "http://proxy:3128/@a", "https://example.org", "a:b@c", "git://a:@b"]
        {
            assert!(!has_password(value), "{value}");
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
