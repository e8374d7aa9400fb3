//! Which notes of a diagnostic explain it, and which only advise. The former count, as an answer depends on them. Of a
//! suggestion, only its words count.

use crate::oracle::output::diagnostics::Diagnostic;

/// The begin of helps that explain. All others advise.
const EXPLAINING_HELPS: [&str; 5] =
    ["the trait `", "within `", "the nightly-only", "the following trait bounds", "expression's type"];

/// How notes begin that advise, or that say what depends on how long a type is or how rustc was called.
const ADVISING_NOTES: [&str; 20] = [
    "`#[",
    "`-",
    "and ",
    "consider ",
    "for more information",
    "if `",
    "perhaps ",
    "see issue",
    "the following other types implement",
    "the full name for the type",
    "the full type name",
    "the lint level is defined here",
    "this error originates",
    "this warning originates",
    "to ignore",
    "try ",
    "use ",
    "you can ",
    "you could ",
    "you might ",
];

/// Parts of notes that say no more than that there is more to see.
const ELISIONS: [&str; 4] = ["redundant requirement", "`--verbose`", "on by default", "implied by `"];

/// Behind this a sentence goes on with what would be fine. That is a part of the question where the program itself made it so.
const BUT: &str = "but trait ";

/// How suggestions begin that depend on which other names there are.
const OF_OTHER_NAMES: [&str; 12] = [
    "a ", "an ", "consider importing", "if this is intentional", "if you import", "maybe ", "one of the", "perhaps ",
    "similar", "the following", "there is ", "you might have meant",
];

/// How lines of a note begin that say nothing of the program.
const REFERENCES: [&str; 2] = ["for more information", "see issue"];

/// The label of a type of the program, whose missing trait a help names. For other types the label names the trait.
pub(crate) const UNSATISFIED: &str = "unsatisfied trait bound";

/// Which trait is not implemented for what, where a help says it in the place of a label.
pub(crate) fn unsatisfied(diagnostic: &Diagnostic) -> Option<&str> {
    let is_left_out = |label: &Option<String>| label.as_deref() == Some(UNSATISFIED);
    let labels = diagnostic.spans.iter().map(|span| &span.label);
    let helps = || diagnostic.children.iter().filter(|child| child.level == "help");
    let lines = || helps().filter_map(|help| help.message.lines().next());
    let mut lines = lines().filter(|line| line.starts_with("the trait `") && line.contains("is not implemented for"));
    labels.into_iter().any(is_left_out).then(|| lines.next()).flatten()
}

/// The explaining part of a note; none if it only advises. The note may be about code of the program.
pub(crate) fn explanation(note: &Diagnostic, is_of_program: bool) -> Option<String> {
    if note.spans.iter().any(|span| span.suggested_replacement.is_some()) {
        return None;
    }
    let text = note.message.as_str();
    // A linker is given temporary files, and names them; only the missing symbol is of the program.
    let is_of_linker = text.contains(".o\"") || text.contains(".rcgu.o");
    let text = if is_of_linker { text[text.find("undefined ")?..].lines().next()? } else { text };
    let begins = |with: &&str| text.starts_with(with);
    let explains = match note.level.as_str() {
        "help" if is_implemented(text) => false,
        // It points at code and does not say what to write there.
        "help" if !note.spans.is_empty() => !ADVISING_NOTES.iter().any(begins) && !text.contains(", consider "),
        "help" => EXPLAINING_HELPS.iter().any(begins),
        "note" => !ADVISING_NOTES.iter().any(begins) && !ELISIONS.iter().any(|part| text.contains(part)),
        _ => false,
    };
    let text = if is_of_program { text } else { text.split(BUT).next().unwrap_or_default() };
    let is_reference = |line: &&str| REFERENCES.iter().any(|with| line.starts_with(with));
    let lines: Vec<&str> = text.lines().filter(|line| !is_reference(line)).collect();
    explains.then(|| lines.join("\n")).filter(|text| !text.trim().is_empty())
}

/// The text of a note that suggests a change, if it does not depend on other names in scope.
pub(crate) fn suggestion(note: &Diagnostic) -> Option<&str> {
    let suggests = note.spans.iter().any(|span| span.suggested_replacement.is_some());
    let is_of_others = || OF_OTHER_NAMES.iter().any(|with| note.message.starts_with(with));
    (suggests && !is_of_others()).then_some(&*note.message)
}

/// Whether a help names an implementation that there is, beside one that there is not.
fn is_implemented(text: &str) -> bool {
    text.starts_with("the trait `") && text.contains("is implemented for") && !text.contains("is not implemented for")
}

pub(crate) fn is_advice(label: &str) -> bool {
    label.starts_with("help: ") || label.starts_with("consider ") || label.starts_with("you could ")
}
