#!/bin/sh
# Makes a repository in the new folder $1: a package with a history of 60 commits, of which a large one, the 41st, makes a
# test fail, and of which two do not build. All dates and names are fixed, so that the commits are always the same.
set -eu
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'

mkdir "$1"
cd "$1"
git init --quiet --initial-branch=main

commit() {
    git add --all
    git commit --quiet --message "$1"
}

mkdir src
cat > Cargo.toml <<'END'
[package]
name = "markup"
version = "0.1.0"
edition = "2024"
END
cat > Cargo.lock <<'END'
version = 4

[[package]]
name = "markup"
version = "0.1.0"
END
printf '/target\n' > .gitignore
cat > src/entities.rs <<'END'
pub const ENTITIES: &[(&str, &str)] = &[
    ("amp", "&"),
];
END
cat > src/lib.rs <<'END'
mod entities;

pub fn remove_html_markup(s: &str) -> String {
    let mut tag = false;
    let mut out = String::new();

    for c in s.chars() {
        if c == '<' {
            tag = true;
        } else if c == '>' {
            tag = false;
        } else if !tag {
            out.push(c);
        }
    }

    out
}

pub fn decode(s: &str) -> String {
    let mut out = s.to_owned();
    for (name, text) in entities::ENTITIES {
        out = out.replace(&format!("&{name};"), text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go() {
        assert_eq!(remove_html_markup("<b>bold</b>"), "bold");
    }

    #[test]
    fn quotes_stay() {
        assert_eq!(remove_html_markup("\"quoted\""), "\"quoted\"");
    }

    #[test]
    fn entities_are_decoded() {
        assert_eq!(decode("a &amp; b"), "a & b");
    }
}
END
commit 'Removes markup'
git tag v1

# A line of the table.
entry() {
    for table in src/entities.rs src/references.rs; do
        [ -e "$table" ] || continue
        { sed '$d' "$table" && printf '    ("e%s", "%s"),\n];\n' "$1" "$1"; } > table
        mv table "$table"
    done
    commit "Entity e$1"
}

for number in $(seq 2 29); do entry "$number"; done

printf 'fn unfinished(\n' >> src/lib.rs
commit 'Begins a parser'
printf ') {\n' >> src/lib.rs
commit 'Goes on with the parser'
git checkout --quiet HEAD~2 -- src/lib.rs
commit 'Does without a parser'

for number in $(seq 33 40); do entry "$number"; done

git mv src/entities.rs src/references.rs
cat > src/quotes.rs <<'END'
//! What may stand in quotes.

/// Whether `c` begins or ends what is quoted.
pub fn is_quote(c: char) -> bool {
    c == '"' || c == '\''
}

/// `s` without the quotes around it.
pub fn unquoted(s: &str) -> &str {
    s.trim_matches(is_quote)
}
END
cat > src/lib.rs <<'END'
//! Text without its markup.

pub mod quotes;
mod references;

use quotes::is_quote;

/// `s` without its tags. What is in quotes inside of a tag may hold `>`.
pub fn remove_html_markup(s: &str) -> String {
    let mut tag = false;
    let mut quote = false;
    let mut out = String::with_capacity(s.len());

    for c in s.chars() {
        if c == '<' && !quote {
            tag = true;
        } else if c == '>' && !quote {
            tag = false;
        } else if is_quote(c) || c == '`' && tag {
            quote = !quote;
        } else if !tag {
            out.push(c);
        }
    }

    out
}

/// `s` with characters in the place of their names.
pub fn decode(s: &str) -> String {
    let mut out = s.to_owned();
    for (name, text) in references::ENTITIES.iter().rev() {
        out = out.replace(&format!("&{name};"), text);
    }
    out
}

/// Both.
pub fn text(s: &str) -> String {
    decode(&remove_html_markup(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go() {
        assert_eq!(remove_html_markup("<b>bold</b>"), "bold");
    }

    #[test]
    fn quotes_stay() {
        assert_eq!(remove_html_markup("\"quoted\""), "\"quoted\"");
    }

    #[test]
    fn entities_are_decoded() {
        assert_eq!(decode("a &amp; b"), "a & b");
    }

    #[test]
    fn a_tag_may_hold_a_quoted_bracket() {
        assert_eq!(remove_html_markup("<a title='>'>link</a>"), "link");
    }
}
END
printf '# markup\n\nText without its markup.\n' > README.md
commit 'Quotes in tags, text, documentation'

for number in $(seq 42 60); do entry "$number"; done
