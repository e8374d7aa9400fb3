//! Begins a transform: its block, its function, its test, its row and its line of the changelog, all to be filled in.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

/// Which transform.
#[derive(Args)]
pub(crate) struct Options {
    /// Its name: words in lower case with `-` between them.
    name: String,
    /// The file of its family below transforms/src/families, such as expressions/boolean.
    #[arg(long, value_name = "FOLDER/FILE")]
    family: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let Options { name, family } = options;
    ensure!(is_kebab_case(name), "{name} is no name: write words in lower case with `-` between them");
    ensure!(mcve_transforms::named(name).is_empty(), "{name} is the name of a transform or a family");
    let family = family.trim_end_matches(".rs");
    let source = format!("transforms/src/families/{family}.rs");
    let read = |path: &str| std::fs::read_to_string(crate::root().join(path));
    let text = read(&source).ok().filter(|text| text.contains("family! {"));
    let text = text.with_context(|| format!("{source} is no family: name a file below transforms/src/families"))?;
    let [docs, log] = ["docs/transforms.md", "CHANGELOG.md"];
    let row = format!("| `{name}` |{}\n", " not measured |".repeat(3));
    let line = format!("- New transform `{name}`: TODO, in the user's words.\n");
    let files = [
        (&*source, with_transform(name, &text).with_context(|| format!("{source} has no tests: begin them first"))?),
        (docs, after(&read(docs)?, &format!("| `{}` |", last(&text)), &row).context("the table lacks the family")?),
        (log, after(&read(log)?, "## Unreleased\n", &line).context("CHANGELOG.md lacks `## Unreleased`")?),
    ];
    for (path, text) in files {
        std::fs::write(crate::root().join(path), text)?;
    }
    let module = PathBuf::from(family).file_name().map(|name| name.display().to_string()).unwrap_or_default();
    println!(
        "Added {name} to {source}, {docs} and {log}. Next:\n\
         1. In {source}, replace each TODO and write the function, until this passes:\n   \
         cargo test -p mcve-transforms --lib {module}\n\
         2. Renew the manual, which checks the example as well:\n   \
         MCVE_BLESS=1 cargo test -p mcve-transforms\n\
         3. Measure it, put the row into {docs}, and say in {log} what it does:\n   \
         benches/transforms.py (docs/transforms.md has the commands)"
    );
    Ok(())
}

fn is_kebab_case(name: &str) -> bool {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
    name.split('-').all(is_word) && name.chars().all(|c| c == '-' || c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// The name of the last transform of a family.
fn last(text: &str) -> &str {
    let block = text.split("\n}\n").find(|part| part.contains("family! {")).unwrap_or_default();
    let is_constant = |name: &str| name.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit());
    let heads = block.lines().filter_map(|line| line.trim_start().split_once(" = \""));
    let mut names = heads.filter(|(constant, _)| is_constant(constant)).filter_map(|(_, rest)| rest.split('"').next());
    names.next_back().unwrap_or_default()
}

/// `text` with `new` behind the line that begins with `start`, and behind the blank line after a heading.
fn after(text: &str, start: &str, new: &str) -> Option<String> {
    let at = text.find(&format!("\n{start}"))? + 1;
    let line = at + text[at..].find('\n')? + 1;
    let line = if text[line..].starts_with('\n') { line + 1 } else { line };
    Some([&text[..line], new, &text[line..]].concat())
}

/// The text of a family with one transform more.
fn with_transform(name: &str, text: &str) -> Option<String> {
    let (function, constant) = (name.replace('-', "_"), name.replace('-', "_").to_uppercase());
    let imported = |used: &str, path: &'static str, short| if text.contains(used) { short } else { path };
    let node = imported("Node", "crate::syntax::tree::Node", "Node");
    let check = imported(" check(", "crate::testing::check", "check");
    let block = format!(
        "\n    /// TODO: one imperative sentence\n    {constant} = \"{name}\", Rule::Node({function}),\n        \
         \"fn f() {{ todo() }}\" => \"fn f() {{}}\";\n"
    );
    let body = format!("fn {function}(node: {node}<'_>, out: &mut Proposals<'_>) {{}}\n\n");
    let test = format!(
        "\n    #[test]\n    fn todo_say_what_{function}_does() {{\n        \
         {check}(&{constant}, \"fn f() {{ todo() }}\", &[\"fn f() {{}}\"]);\n        \
         {check}(&{constant}, \"fn f() {{ todo_what_stays() }}\", &[]);\n    }}\n"
    );
    let end = text.find("family! {")?;
    let end = end + text[end..].find("\n}\n")? + 1;
    let tests = end + text[end..].find("#[cfg(test)]\n")?;
    let close = text.trim_end().strip_suffix('}')?.len();
    Some([&text[..end], &block, &text[end..tests], &body, &text[tests..close], &test, &text[close..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_with_dashes() {
        assert!(["drop-not", "bound-to-i32"].into_iter().all(is_kebab_case));
        assert!(!["", "Drop", "drop_not", "drop-", "drop--not", "1-not"].into_iter().any(is_kebab_case));
    }

    #[test]
    fn lines_go_behind_a_row_or_a_heading() {
        assert_eq!(after("a\n| b |\n| c |\n", "| b |", "new\n").as_deref(), Some("a\n| b |\nnew\n| c |\n"));
        assert_eq!(after("a\n## b\n\nc\n", "## b\n", "new\n").as_deref(), Some("a\n## b\n\nnew\nc\n"));
        assert_eq!(after("a\n", "b", "new\n"), None);
    }

    #[test]
    fn a_transform_has_a_block_a_function_and_a_test() {
        let family = "family! {\n    A = \"drop-a\", Rule::Node(a), \"a = \" => \"\";\n}\n\n#[cfg(test)]\nmod tests {\n    check(&A);\n}\n";
        let text = with_transform("drop-b", family).expect("the family has all parts");
        assert_eq!((last(family), last(&text)), ("drop-a", "drop-b"));
        let places = ["DROP_B = ", "}\n\nfn drop_b(node: Node<'_>", "#[cfg(test)]", "fn todo_", "    }\n}\n"];
        let found: Vec<usize> = places.into_iter().filter_map(|place| text.find(place)).collect();
        assert!(found.len() == 5 && found.is_sorted(), "{text}");
    }
}
