//! Names of the user, of the machine and of folders, which no page and no issue may have.

use std::path::Path;

use mcve_reduce::visible::visible_line;
use regex::{Regex, escape};

/// What is private here.
pub(crate) struct Private {
    /// What is replaced, and by what.
    rules: Vec<(Regex, &'static str)>,
}

impl Private {
    /// What the environment says.
    pub(crate) fn here() -> Self {
        let home = std::env::var("HOME").unwrap_or_default();
        let users = ["USER", "LOGNAME"].map(|name| std::env::var(name).unwrap_or_default());
        let host = nix::unistd::gethostname().ok().and_then(|host| host.into_string().ok());
        Self::new(home.trim_end_matches('/'), &users, &host.unwrap_or_default())
    }

    fn new(home: &str, users: &[String], host: &str) -> Self {
        let mut rules = Vec::new();
        let mut add = |name: &str, before: &str, after: &str, by| {
            let rule = Regex::new(&format!("({before}){}({after})", escape(name))).expect("the name is escaped");
            rules.extend((!name.is_empty()).then_some((rule, by)));
        };
        add(home, r"^|[^\w./-]", r"$|[^\w.-]", "$1~$2");
        let own = Path::new(home).file_name().unwrap_or_default().to_string_lossy().into_owned();
        for user in users.iter().chain([&own]).filter(|user| *user != "root") {
            // The name may be a word of the program.
            add(user, "/", r"$|[^\w.-]", "$1..$2");
            add(user, r"\b", "@", "$1..$2");
        }
        // A host that is called as a word is left.
        if host.contains(|char: char| !char.is_ascii_alphabetic()) && host != "localhost" {
            add(host, r"\b", r"\b", "$1..$2");
        }
        Self { rules }
    }

    /// A text with `~` for the home folder, and `..` for the names of the user and of the machine.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.rules.iter().fold(text.to_owned(), |text, (rule, by)| rule.replace_all(&text, *by).into_owned())
    }

    /// A text on one line, without what is private.
    pub(crate) fn hide_in_line(&self, text: &str) -> String {
        visible_line(&self.hide(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn home_user_and_machine_are_not_named() {
        let private = Private::new("/home/ann", &["ann".to_owned(), "root".to_owned()], "box-7");
        for (text, expected) in [
            ("rustc /home/ann/a.rs -o /home/ann", "rustc ~/a.rs -o ~"),
            ("/home/anna/a.rs /x/home/ann", "/home/anna/a.rs /x/home/.."),
            ("--x='/home/ann/b c'", "--x='~/b c'"),
            ("ann@box-7: root, let ann = 1;", "..@..: root, let ann = 1;"),
        ] {
            assert_eq!(private.hide(text), expected);
        }
        assert_eq!(Private::new("", &[], "").hide("/a"), "/a");
    }
}
