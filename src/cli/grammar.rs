//! The option `--grammar`: a grammar that is shipped, or one in a file.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::exit::{Exit, Failed, OrExit, failed};
use super::oracle_args::OracleArgs;
use mcve_dd::grammar::derivation::Symbol;
use mcve_dd::grammar::notation;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar::shipped::{SHIPPED, shipped};
use mcve_reduce::event::{Event, Observer};
use mcve_reduce::program::Program;
use mcve_reduce::sentence::Sentences;

/// The most characters of a text that a message quotes.
const LONGEST: usize = 40;

/// Refuses a grammar where rustc decides what fails.
pub(super) fn check_judged(grammar: Option<&Path>, oracle: &OracleArgs) -> Result<(), Failed> {
    if grammar.is_some() && !oracle.is_judged() {
        return Err(failed!(
            Usage,
            "with --grammar, a script or a command says what fails: add --test, or conditions and a command"
        ));
    }
    Ok(())
}

/// The grammar that is shipped under this name, or that is in this file.
pub(super) fn read(path: &Path) -> Result<Grammar, Failed> {
    let shown = path.display();
    let text = match path.to_str().and_then(shipped) {
        Some(text) => text.to_owned(),
        None => std::fs::read_to_string(path)
            .with_context(|| {
                let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
                format!("--grammar {shown} is no file that can be read, and none of {}", names.join(", "))
            })
            .or_exit(Exit::Input)?,
    };
    notation::read(&text).with_context(|| format!("{shown} is no grammar")).or_exit(Exit::Input)
}

/// The sentences of a grammar, if there is one, of which `program` is one. Warns if it has several derivations.
/// Fails if the grammar does not exist, or does not accept the program.
pub(super) fn sentences(
    grammar: Option<&Path>,
    file: &Path,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<Option<Arc<Sentences>>, Failed> {
    let Some(path) = grammar else { return Ok(None) };
    let (shown, file) = (path.display(), file.display());
    let (sentences, ambiguity) = Sentences::with(read(path)?, &program.text)
        .map_err(|error| failed!(Input, "{file} does not follow the grammar {shown}: {error}"))?;
    if let Some(ambiguity) = ambiguity {
        let (Symbol::Nonterminal(name) | Symbol::Terminal(name)) = &ambiguity.symbol;
        let text = ambiguity.text.chars().take(LONGEST).collect::<String>();
        let rest = if text.len() < ambiguity.text.len() { " .." } else { "" };
        let message = format!(
            "the grammar {shown} is ambiguous: `{name}` derives `{}{rest}` in {} in several ways; mcve goes by the first alternative",
            text.escape_debug(),
            ambiguity.place
        );
        observer.event(&Event::Warning { message });
    }
    Ok(Some(Arc::new(sentences)))
}
