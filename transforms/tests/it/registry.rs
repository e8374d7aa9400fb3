//! Tests of the table of transforms itself: names, documentation, examples, and the document made of them.

use std::collections::BTreeSet;
use std::path::Path;

use mcve_transforms::{
    Analysis, CATEGORIES, Edit, Hint, Rule, Source, Transform, Tree, apply, enumerate_hinted, enumerate_trials,
    families, tokens, transforms,
};

/// `text` as its tokens and comments with one space between.
fn without_layout(text: &str) -> String {
    tokens(text).into_iter().map(|token| &text[token.range]).collect::<Vec<_>>().join(" ")
}

/// A hint that says to do what makes `after` of `before`.
fn hint(before: &str, after: &str) -> Hint {
    let same = |pair: &(char, char)| pair.0 == pair.1;
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (rest, new) = (&before[start..], &after[start..]);
    let end: usize = rest.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let site = start..before.len() - end;
    let edits = vec![Edit::replace(site.clone(), &after[start..after.len() - end])];
    Hint { lint: "unused".to_owned(), site, edits }
}

/// Whether some reduction of `transform` makes `after` of `before`, layout aside if more than the layout changes. For one
/// that does what it is told, it is told to do this.
fn holds(transform: &'static Transform, before: &str, after: &str) -> bool {
    let same = |a: &str, b: &str| without_layout(a) == without_layout(b);
    let source = Source::parse(before);
    let hints = [hint(before, after)];
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let mut proposed = enumerate_hinted(&names, transform, &hints);
    proposed.extend(enumerate_trials(&names, transform));
    proposed.iter().any(|reduction| {
        let candidate = apply(before, [reduction]);
        if same(before, after) { candidate.trim() == after.trim() } else { same(&candidate, after) }
    })
}

fn is_kebab_case(name: &str) -> bool {
    name.split('-').all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
}

fn is_sentence(text: &str) -> bool {
    let second = text.match_indices(". ").any(|(dot, _)| text[dot + 2..].starts_with(char::is_uppercase));
    text.starts_with(char::is_uppercase) && text.ends_with('.') && !second
}

#[test]
fn every_transform_has_an_example_that_holds() {
    for transform in transforms() {
        let Some((before, after)) = transform.example() else { panic!("{transform:?} has no example") };
        assert!(holds(transform, &before, &after), "the example of {transform:?} does not hold");
    }
}

#[test]
fn examples_parse_where_their_rule_says_so() {
    for transform in transforms() {
        let (before, after) = transform.example().expect("another test asks for it");
        let parses = !matches!(transform.rule, Rule::Text(_));
        assert!(!parses || Source::is_valid(&before), "the example of {transform:?}, before");
        assert_eq!(Source::is_valid(&after), parses, "the example of {transform:?}, after");
    }
}

#[test]
fn documentation_begins_with_one_sentence() {
    for transform in transforms() {
        assert!(is_sentence(transform.summary()), "{transform:?}: {}", transform.summary());
        let second = transform.doc.trim().lines().nth(1).unwrap_or_default();
        assert!(second.trim().is_empty(), "{transform:?}: the sentence is one line, an empty one after it");
    }
    for family in families() {
        assert!(is_sentence(family.about), "{}: {}", family.name, family.about);
    }
}

#[test]
fn names_are_unique_and_in_kebab_case() {
    let names: Vec<&str> = families().map(|family| family.name).chain(transforms().map(|t| t.name)).collect();
    let mut known = BTreeSet::new();
    for name in names {
        assert!(is_kebab_case(name), "{name}");
        assert!(known.insert(name), "{name} is there twice");
    }
}

/// The files of the families that a category is named after: each says what its transforms do.
const NAMED_AS_CATEGORY: [&str; 6] =
    ["call-arguments", "pattern-parts", "short-forms", "shortening", "type-parts", "whole-items"];

/// The names of the families whose files are in the folder of `category`.
fn files(category: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families").join(category);
    let files = std::fs::read_dir(&folder).expect("the folder of the category is there");
    let stems = files.filter_map(|file| {
        let path = file.expect("it can be read").path();
        Some(path.file_stem()?.to_str()?.replace('_', "-"))
    });
    let family = |stem: String| if NAMED_AS_CATEGORY.contains(&&*stem) { category.to_owned() } else { stem };
    stems.filter(|stem| stem != "mod").map(family).collect()
}

#[test]
fn every_file_of_families_is_registered() {
    for category in CATEGORIES {
        let registered: BTreeSet<String> = category.families.iter().map(|family| family.name.to_owned()).collect();
        assert_eq!(registered, files(category.name), "{}", category.name);
    }
}

#[test]
fn every_family_has_transforms() {
    for family in families() {
        assert!(!family.transforms.is_empty(), "{}", family.name);
    }
}

/// The document: what there is in short, then category by category and family by family each transform with its example.
fn document() -> String {
    let mut document = String::from(
        "# Transforms\n\n\
         Generated from the documentation in `src/families/`: `MCVE_BLESS=1 cargo test -p mcve-transforms` renews it.\n\n\
         | category | what it does | by |\n| --- | --- | --- |\n",
    );
    for category in CATEGORIES {
        for family in category.families {
            let names: Vec<String> =
                family.transforms.iter().map(|transform| format!("`{}`", transform.name)).collect();
            document +=
                &format!("| {} | {} | {} |\n", category.name, family.about.trim_end_matches('.'), names.join(", "));
        }
    }
    for category in CATEGORIES {
        document += &format!("\n## {}\n", category.about);
        for family in category.families {
            document += &format!("\n### {}\n\n{}\n", family.name, family.about);
            for transform in family.transforms {
                let (before, after) = transform.example().expect("another test asks for it");
                let (name, summary) = (transform.name, transform.summary());
                document += &format!("\n#### `{name}`\n\n{summary}\n\n```text\n{before}\n=>\n{after}\n```\n");
            }
        }
    }
    document
}

#[test]
fn the_document_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("TRANSFORMS.md");
    if std::env::var_os("MCVE_BLESS").is_some() {
        std::fs::write(&path, document()).expect("the document can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == document(), "TRANSFORMS.md is stale: run `MCVE_BLESS=1 cargo test -p mcve-transforms`");
}
