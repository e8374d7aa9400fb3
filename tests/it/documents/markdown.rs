//! What a document has: prose, code in backticks, and commands as words.

use std::ops::Range;

/// A block of code.
pub(crate) struct Block<'a> {
    pub(crate) language: &'a str,
    /// The numbers of its lines, from 0.
    pub(crate) lines: Range<usize>,
    /// Whether nothing but blank lines stands between it and the block above it.
    pub(crate) follows: bool,
}

/// The blocks of code of a document. A block ends with a fence as long as that of its beginning.
pub(crate) fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut fence, mut follows) = ("", false);
    for (number, line) in document.lines().enumerate() {
        let line = line.trim();
        let language = line.trim_start_matches('`');
        let ticks = &line[..line.len() - language.len()];
        if fence.is_empty() && ticks.len() >= 3 {
            blocks.push(Block { language, lines: number + 1..number + 1, follows });
            fence = ticks;
        } else if !fence.is_empty() && line == fence {
            blocks.last_mut().expect("it was opened").lines.end = number;
            (fence, follows) = ("", true);
        } else if fence.is_empty() {
            follows &= line.is_empty();
        }
    }
    blocks
}

/// Whether each line of a document is in a block of code, and of which language. Fences are left out.
fn lines(document: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut blocks = blocks(document).into_iter().peekable();
    document.lines().enumerate().filter_map(move |(number, line)| {
        let block = blocks.peek();
        let language = block.filter(|block| block.lines.contains(&number)).map(|block| block.language);
        let is_fence = block.is_some_and(|block| number + 1 == block.lines.start || number == block.lines.end);
        blocks.next_if(|block| number == block.lines.end);
        (!is_fence).then_some((language, line))
    })
}

/// The lines of a document outside of its blocks of code.
pub(super) fn prose(document: &str) -> Vec<&str> {
    lines(document).filter(|(language, _)| language.is_none()).map(|(_, line)| line).collect()
}

/// The code in backticks, each piece on one line.
pub(super) fn spans(document: &str) -> Vec<String> {
    let span = |text: &str| text.replace("\\|", "|").split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = prose(document);
    let paragraphs = lines.split(|line| line.trim().is_empty()).map(|lines| lines.join(" "));
    paragraphs.flat_map(|text| text.split('`').skip(1).step_by(2).map(span).collect::<Vec<_>>()).collect()
}

/// All commands, each as its words without the variables before it: in backticks, in blocks of `sh`, behind a prompt.
pub(super) fn commands(document: &str) -> Vec<Vec<String>> {
    let document = document.replace("\\\n", " ");
    let typed = lines(&document).filter_map(|(language, line)| match line.trim().strip_prefix("$ ") {
        Some(line) => language.map(|_| line.to_owned()),
        None => (language == Some("sh")).then(|| line.trim().to_owned()),
    });
    let lines: Vec<String> = typed.chain(spans(&document)).collect();
    let commands = lines.iter().flat_map(|line| simple_commands(line));
    let without_variables =
        commands.map(|words| words.into_iter().skip_while(|word| is_assignment(word)).collect::<Vec<_>>());
    without_variables.filter(|words| !words.is_empty()).collect()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_')))
}

/// The simple commands of a line for the shell.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut word, mut quote) = (vec![Vec::new()], None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some('\'') => word.get_or_insert_default().push(c),
            _ if c == '\\' => word.get_or_insert_default().extend(characters.next()),
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '#' && word.is_none() => break,
            None if matches!(c, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() || matches!(c, '|' | '&' | ';') => {
                commands.last_mut().expect("there is one").extend(word.take());
                if !c.is_whitespace() {
                    commands.push(Vec::new());
                }
            }
            None => word.get_or_insert_default().push(c),
        }
    }
    commands.last_mut().expect("there is one").extend(word);
    commands
}

#[test]
fn commands_are_found_with_their_words() {
    let page = "Type `A=1 x --b\n'c d'`, or:\n\n```sh\ncd e && x \\\n  f | y  # not this\n```\n```text\n$ z \"g\\\"h\"\nx\n```\n";
    let found = commands(page);
    let found: Vec<Vec<&str>> = found.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
    assert_eq!(found, [vec!["cd", "e"], vec!["x", "f"], vec!["y"], vec!["z", "g\"h"], vec!["x", "--b", "c d"]]);
    assert_eq!(spans(page), ["A=1 x --b 'c d'"]);
}

#[test]
fn a_block_may_have_shorter_fences_inside() {
    let page = "a\n````text\n```sh\nx\n```\n````\n\n```\n```\nb\n";
    let found: Vec<_> = blocks(page).into_iter().map(|block| (block.language, block.lines, block.follows)).collect();
    assert_eq!(found, [("text", 2..5, false), ("", 8..8, true)]);
    assert_eq!(prose(page), ["a", "", "b"]);
}
