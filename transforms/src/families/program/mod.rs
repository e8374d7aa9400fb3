//! Transforms of programs of several files: files, data, arguments of the compiler.

use crate::document::Document;
use crate::names::analysis::Analysis;
use crate::rule::transform::Room;

pub mod arguments;
pub mod crates;
pub mod files;

/// The document of a source, if it has marks. Where its root file is matters only for where its modules are looked for.
fn document(names: &Analysis<'_>) -> Option<Document> {
    let text = names.source().text();
    if text.contains(Document::SIGN) { Document::read(text, "") } else { None }
}

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "program",
    about: "Files, data and arguments",
    families: &[&files::FAMILY, &crates::FAMILY, &arguments::FAMILY],
};
