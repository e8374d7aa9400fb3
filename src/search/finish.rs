//! The last step: layout. A formatted text is a candidate like any other and is tested.

use mcve_transforms::{Kind, Source, Understanding};

use super::checker::Stop;
use super::engine::Search;

/// Formats the best program if it still fails then; whether it is formatted now.
///
/// # Errors
/// When the search is to stop.
pub fn format(search: &mut Search<'_>) -> Result<bool, Stop> {
    let best = search.best().clone();
    let Some(text) = formatted(&best.text) else { return Ok(false) };
    if text == *best.text {
        return Ok(true);
    }
    let program = best.with_text(text);
    let mut candidates = std::iter::once(Some((program, ())));
    let Some((_, (program, ()))) = search.checker.first(&mut candidates, search.observer)? else { return Ok(false) };
    search.accept(program, vec!["format".to_owned()])?;
    Ok(true)
}

/// `text` as prettyplease prints it, with what it would lose put back: the prefix and the comments before the first
/// token. None when it does not parse, or when a comment inside would be lost.
fn formatted(text: &str) -> Option<String> {
    let source = Source::parse(text);
    if source.understanding() != Understanding::Full {
        return None;
    }
    let first = source.tokens().iter().find(|token| token.kind != Kind::Comment).map_or(text.len(), |t| t.range.start);
    if source.tokens().iter().any(|token| token.kind == Kind::Comment && token.range.start > first) {
        return None;
    }
    let head = text[..first].trim_end_matches([' ', '\t', '\n', '\r']);
    let body = prettyplease::unparse(source.file()?);
    Some(if head.is_empty() { body } else { format!("{head}\n{body}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stay_before_the_formatted_text() {
        assert_eq!(
            formatted("//@ edition: 2021\n\n\nfn  main ( ) { }").as_deref(),
            Some("//@ edition: 2021\nfn main() {}\n")
        );
    }

    #[test]
    fn a_text_that_would_lose_a_comment_is_not_formatted() {
        assert_eq!(formatted("fn f() { /* why */ }"), None);
        assert_eq!(formatted("fn f( {"), None);
    }
}
