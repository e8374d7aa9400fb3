//! Reads the input file, and says clearly what is wrong with one that cannot be used.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;

use super::args::ReduceArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use mcve_generate::choices::LIMIT;
use mcve_generate::external::External;
use mcve_generate::file::ChoicesFile;
use mcve_generate::generator::{Execution, Generator, rerun};
use mcve_generate::programs::Programs;
use mcve_generate::replay::Alignment;
use mcve_reduce::exec::folder::RunFolder;
use mcve_reduce::exec::git::Git;
use mcve_reduce::exec::stream;
use mcve_reduce::failure::kinds::default_versions;
use mcve_reduce::output::{folder, program_name};
use mcve_reduce::program::{Language, Program};
use mcve_reduce::project::neighbours;
use mcve_reduce::search::by_generator::ByGenerator;

/// The most bytes that an input may have. It is parsed as a whole, many times.
const LARGEST: usize = 64 << 20;

/// Whether this is not a file but standard input; a file of that name is `./-`.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A program, and how it was made, if a generator made it.
pub(super) type Made = (Program, Option<ByGenerator>);

/// Reads what is to be reduced, or makes it where the file holds choices.
pub(super) fn read_reduced(args: &ReduceArgs) -> Result<Made, Failed> {
    if args.choices { made(args) } else { Ok((read_any(args)?, None)) }
}

/// Makes the program that a file of choices stands for.
/// Fails when the file is none, or is not of the generator that there is, or that does not make the same of it any more.
pub(super) fn made(args: &ReduceArgs) -> Result<Made, Failed> {
    let settings = args.trace.settings(LIMIT);
    let (generator, execution) = replay(&args.file, args.generator.as_deref(), settings.limit)?;
    let name = program_name(&made_file(&args.file));
    let made = ByGenerator::new(generator, execution, settings);
    let text = made.text().to_owned();
    let program = match Language::of(&name, text.as_bytes()) {
        Language::Rust => Program::new(name, text),
        _ => Program::of_bytes(name, text.into_bytes()),
    };
    Ok((program, Some(made)))
}

/// The file of the program that a file of choices makes: `p.rs` for `p.choices`, and `p.json` for `p.json.choices`.
pub(super) fn made_file(choices: &Path) -> PathBuf {
    let file = choices.with_extension("");
    if file.extension().is_some() { file } else { choices.with_extension("rs") }
}

/// Runs the generator of a file of choices, the one that the line `command` starts if there is one, as the file has it.
pub(super) fn replay(
    path: &Path,
    command: Option<&OsStr>,
    limit: usize,
) -> Result<(Arc<dyn Generator>, Execution), Failed> {
    let shown = path.display();
    let file = read(path)?;
    let file = ChoicesFile::parse(&file.text).with_context(|| format!("cannot use {shown}")).or_exit(Exit::Input)?;
    // One of another name is refused with its name; settings that this version does not know are those of another one.
    let programs = Programs::of_settings(&file.settings).unwrap_or(Programs { size: 0 });
    let generator = generator(command, programs)?;
    file.check(&*generator).with_context(|| format!("cannot use {shown}")).or_exit(Exit::Input)?;
    let trace = Arc::new(file.trace);
    let execution = rerun(&*generator, &trace, &[], Alignment::Halt, limit)
        .with_context(|| format!("{shown} does not make a program"))
        .or_exit(Exit::Input)?;
    Ok((generator, execution))
}

/// The generator that the line `command` starts, or else `programs`. Fails when the command starts none.
pub(super) fn generator(command: Option<&OsStr>, programs: Programs) -> Result<Arc<dyn Generator>, Failed> {
    Ok(match command {
        Some(line) => Arc::new(External::new(line).or_exit(Exit::Check)?),
        None => Arc::new(programs),
    })
}

/// Reads what is to be reduced: a file, or a folder that a script or a command judges.
pub(super) fn read_any(args: &ReduceArgs) -> Result<Program, Failed> {
    if let Some(step) = &args.from {
        return read_step(args, step);
    }
    if let Some(second) = &args.second {
        return merge(&args.file, second, default_versions(args.oracle.run));
    }
    if args.file.is_dir() && args.oracle.is_judged() && args.grammar.is_none() {
        read_folder(&args.file, args.in_place)
    } else {
        read_as(&args.file, args.grammar.is_some())
    }
}

/// The program of a step, under the name of the file that the run began with.
fn read_step(args: &ReduceArgs, step: &Path) -> Result<Program, Failed> {
    let has_grammar = args.grammar.is_some();
    if !step.is_dir() {
        return Ok(read_as(step, has_grammar)?.called(program_name(&args.file)));
    }
    let parts: Vec<_> = args.file.components().collect();
    let ends = (0..parts.len()).map(|start| step.join(parts[start..].iter().collect::<PathBuf>()));
    let root = ends.into_iter().find(|path| path.starts_with(step) && path.is_file());
    let missing = || format!("{} has no {}", step.display(), args.file.display());
    read_as(&root.with_context(missing).or_exit(Exit::Input)?, has_grammar)
}

/// Reads two versions of a program as one program, in which what they do not share has a `cfg` of one of these names.
/// Fails as [`read`], and when they cannot be one program.
fn merge(first: &Path, second: &Path, names: [&str; 2]) -> Result<Program, Failed> {
    let (old, new) = (read(first)?, read(second)?);
    let (old_rust, new_rust) = (old.text.split_at(old.lists()), new.text.split_at(new.lists()));
    let text = mcve_transforms::merged(old_rust.0, new_rust.0, names).filter(|_| old_rust.1 == new_rust.1);
    let program = text.map(|text| old.with_text(text + old_rust.1)).filter(Program::is_whole);
    program.ok_or_else(|| {
        let (first, second) = (first.display(), second.display());
        failed!(Input, "{first} and {second} cannot be one file with `cfg`s: they differ in files that are not Rust, or one does not parse")
    })
}

/// Reads the folder that is to be reduced, without the backups of its files where it is reduced `in_place`.
/// Fails when it cannot be read, or has no files.
pub(super) fn read_folder(path: &Path, in_place: bool) -> Result<Program, Failed> {
    let shown = path.display();
    let program = neighbours::gather_folder(path, in_place)
        .with_context(|| format!("cannot read {shown}"))
        .or_exit(Exit::Input)?;
    let program = program.ok_or_else(|| failed!(Input, "{shown} has files whose names are no text"))?;
    if program.files().is_empty() { Err(failed!(Input, "{shown} has no files")) } else { Ok(program) }
}

/// Reads the version that passes, if there is one: a file, or the file that is to be reduced as a revision of git has it.
/// Fails as [`read`], and when git has no such version.
pub(super) fn fixed(args: &ReduceArgs) -> Result<Option<Program>, Failed> {
    let Some(fixed) = &args.fixed else { return Ok(None) };
    if fixed.exists() {
        return read(fixed).map(Some);
    }
    let place = RunFolder::new().context("cannot make a folder for --fixed").or_exit(Exit::Input)?;
    let there = Git::at(folder(&args.file)).and_then(|git| git.check_out(fixed.as_os_str(), place.path()));
    let there = there
        .with_context(|| format!("--fixed {} is neither a file nor a revision of git", fixed.display()))
        .or_exit(Exit::Input)?;
    read(&there.join(args.file.file_name().unwrap_or_default())).map(Some)
}

/// Reads the file that is to be reduced.
/// Fails when it is missing, a directory, empty or too large, or a Rust file that is not UTF-8.
pub(super) fn read(path: &Path) -> Result<Program, Failed> {
    read_as(path, false)
}

/// Reads the file that is to be reduced. What has a grammar of its own is text, and may be Rust for others.
pub(super) fn read_as(path: &Path, has_grammar: bool) -> Result<Program, Failed> {
    if is_stdin(path) {
        return read_stdin(has_grammar);
    }
    let shown = path.display();
    if path.join("Cargo.toml").is_file() {
        return Err(failed!(Input, "{shown} is the folder of a package: `cargo mcve` in it reduces what fails there"));
    }
    let metadata = std::fs::metadata(path).with_context(|| format!("cannot read {shown}")).or_exit(Exit::Input)?;
    if metadata.is_dir() {
        return Err(failed!(
            Input,
            "{shown} is a directory: name the Rust file in it, or say by --test or a command when the directory fails"
        ));
    }
    if path.file_name().is_none() {
        return Err(failed!(Input, "{shown} is not the name of a file"));
    }
    // A device may never end.
    let bytes = stream::read(path, LARGEST + 1).with_context(|| format!("cannot read {shown}")).or_exit(Exit::Input)?;
    if bytes.len() > LARGEST {
        return Err(failed!(Input, "{shown} is too large: it has more than {} MiB", LARGEST >> 20));
    }
    let mut name = program_name(path);
    if !metadata.is_file() && name.extension().is_none() {
        // A pipe says nothing of what comes out of it, and rustc writes its output to the name without one.
        name.set_extension("rs");
    }
    let program = of_bytes(name, bytes, has_grammar, &shown)?;
    let gathered =
        (program.language == Language::Rust && !has_grammar).then(|| neighbours::gather(path, &program.text));
    Ok(gathered.flatten().unwrap_or(program))
}

/// Reads standard input, which has no name and no files beside it.
fn read_stdin(has_grammar: bool) -> Result<Program, Failed> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LARGEST as u64 + 1).read_to_end(&mut bytes);
    read.context("cannot read standard input").or_exit(Exit::Input)?;
    if bytes.len() > LARGEST {
        return Err(failed!(Input, "standard input is too large: it has more than {} MiB", LARGEST >> 20));
    }
    let mut name = PathBuf::from("input");
    if !has_grammar && Language::of(&name, &bytes) == Language::Rust {
        name.set_extension("rs");
    }
    of_bytes(name, bytes, has_grammar, &"standard input")
}

/// The program of this name.
fn of_bytes(name: PathBuf, bytes: Vec<u8>, has_grammar: bool, shown: &dyn Display) -> Result<Program, Failed> {
    if bytes.trim_ascii().is_empty() {
        return Err(failed!(Input, "{shown} is empty"));
    }
    if has_grammar || Language::of(&name, &bytes) != Language::Rust {
        return Ok(Program::of_bytes(name, bytes));
    }
    if bytes.contains(&0) {
        return Err(failed!(Input, "{shown} is a binary file"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        failed!(Input, "{shown} is not UTF-8 text: the byte at offset {offset} is not part of a character")
    })?;
    Ok(Program::new(name, text))
}
