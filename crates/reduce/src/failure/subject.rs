//! The unreduced program as the user gave it.

use std::ffi::OsStr;
use std::path::Path;

use super::shown::Shown;
use crate::oracle::shell::quote;

/// The unreduced program as the user gave it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The file or folder.
    pub file: &'a Path,
    /// Whether the file holds choices, and the command line of the generator that made them, unless it is a built-in one.
    pub choices: Option<Option<&'a OsStr>>,
    /// The failures that cargo showed, if the program is the crate of a package.
    pub shown: Option<&'a Shown>,
}

impl<'a> Subject<'a> {
    /// A file that is itself the program, or a folder.
    pub fn file(file: &'a Path) -> Self {
        Self { file, choices: None, shown: None }
    }

    /// The command that does to the unreduced program what `command` does to the program at a path.
    pub fn by_hand(&self, command: &dyn Fn(&Path) -> String) -> String {
        // A pipe cannot be read a second time.
        let file = if self.file.is_file() || self.file.is_dir() { self.file } else { Path::new("FILE") };
        let Some(generator) = self.choices else { return command(file) };
        let program = self.file.with_extension("rs");
        let generator = generator.map_or(String::new(), |line| format!(" --generator {}", quote(line)));
        let (file, made) = (quote(self.file), quote(&program));
        format!("mcve generate{generator} --replay {file} > {made} && {}", command(&program))
    }
}
