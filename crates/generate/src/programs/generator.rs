//! The generator of Rust programs as a [`Generator`].

use super::features::Settings;
use super::scope::Body;
use super::world::World;
use super::writer::Writer;
use crate::choices::{Choices, Halt};
use crate::generator::Generator;

/// Its name in files of choices.
const NAME: &str = "rust";

/// Must change whenever the same choices make another program.
const VERSION: &str = "1";

/// The edition of the programs, in the syntax of rustc's tests.
const EDITION: &str = "//@ edition: 2021";

/// Makes random Rust programs.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The features and the size of the programs.
    pub settings: Settings,
}

impl Programs {
    /// The generator's name.
    pub const NAME: &str = NAME;
}

impl Generator for Programs {
    fn name(&self) -> &str {
        NAME
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn settings(&self) -> String {
        self.settings.to_string()
    }

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        let mut writer = Writer {
            settings: self.settings.clone(),
            world: World::default(),
            modules: Vec::new(),
            body: Body::new(0),
        };
        let text = writer.program(choices)?;
        let file = syn::parse_file(&text).map_err(|error| {
            Halt::Broken(format!("the generator of Rust programs wrote what is no Rust: {error}: {text}"))
        })?;
        Ok(format!("{EDITION}\n{}", prettyplease::unparse(&file)))
    }
}
