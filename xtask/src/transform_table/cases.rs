//! The programs: the cases of the corpus, and those that nobody had when transforms were written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::Executor;
use mcve_reduce::failure::compiler::{Recogniser, editions, oracle};
use mcve_reduce::oracle::Oracle;
use mcve_reduce::oracle::crash::RustcOracle;
use mcve_reduce::oracle::headers::Headers;
use mcve_reduce::oracle::rustc::Rustc;
use mcve_reduce::oracle::script::{Script, ScriptOracle};
use mcve_reduce::program::Program;

use super::{crates, woven};
use crate::planted::{Compiler, Planted};
use crate::properties;

/// How many programs are crates that were broken.
const BROKEN: usize = 24;

/// How many crates are held to compiling and to having some syntax.
const HELD: usize = 16;

/// How many crates are tried for a failure of the corpus until it is there.
const CRATES: usize = 4;

/// A failing program.
pub(super) struct Case {
    pub(super) name: String,
    /// Whether it is one of the corpus.
    pub(super) is_corpus: bool,
    pub(super) program: Program,
    pub(super) oracle: Arc<dyn Oracle>,
    pub(super) executor: Arc<dyn Executor>,
}

fn corpus() -> PathBuf {
    crate::root().join("corpus")
}

/// The names of the cases of the corpus.
fn names() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(corpus())? {
        let entry = entry?;
        // A folder of cases is none.
        if entry.path().join("case.json").is_file() {
            names.extend(entry.file_name().into_string().ok());
        }
    }
    names.sort();
    Ok(names)
}

/// How rustc judges a program by the failure that it shows, if it shows one.
fn recognised(compiler: &Compiler, program: &Program) -> anyhow::Result<Option<Arc<RustcOracle>>> {
    let rustc = Rustc::new(compiler.rustc.clone(), &Headers::parse(&program.text), &[], Path::new("/"));
    let cancel = Cancel::default();
    let recogniser = Recogniser {
        executor: &*compiler.quick,
        program,
        timeout: None,
        allow_errors: false,
        looks_elsewhere: true,
        cancel: &cancel,
    };
    let recognised = recogniser.recognise(&[rustc.naming(program)], &editions(None));
    Ok(recognised.ok().and_then(oracle))
}

/// The corpus: by the script where a case asks for that, else by what rustc shows.
pub(super) fn of_corpus(compiler: &Compiler) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for name in names()? {
        let folder = corpus().join(&name);
        let program = Program::new("input.rs", std::fs::read_to_string(folder.join("input.rs"))?);
        let about = std::fs::read_to_string(folder.join("case.json"))?;
        let oracle: Arc<dyn Oracle> = if about.contains("\"--test\"") {
            let (rustc, headers) = (compiler.rustc.clone(), Headers::parse(&program.text));
            Arc::new(ScriptOracle {
                bad: 0,
                script: Script::File(folder.join("test.sh")),
                shown: Vec::new(),
                env: vec![("RUSTC".into(), Some(rustc.clone().into()))],
                rustc: Some(Rustc::guess(rustc, &program, &headers, &folder)),
            })
        } else {
            recognised(compiler, &program)?.with_context(|| format!("{name} does not fail"))?
        };
        cases.push(Case { name, is_corpus: true, program, oracle, executor: Arc::clone(&compiler.quick) });
    }
    Ok(cases)
}

/// Failures of the corpus in real crates, crates that were broken, crates that compile and have some syntax.
pub(super) fn others(compiler: &Compiler) -> anyhow::Result<Vec<Case>> {
    let codes = crates::all(&compiler.rustc)?;
    eprintln!("{} crates compile alone", codes.len());
    let mut cases = Vec::new();
    let add = |name: String, program: Program, oracle: Arc<RustcOracle>, cases: &mut Vec<Case>| {
        eprintln!("{name}: {} tokens", program.measure().tokens);
        cases.push(Case { name, is_corpus: false, program, oracle, executor: Arc::clone(&compiler.quick) });
    };
    for (number, name) in names()?.into_iter().enumerate() {
        let minimal = std::fs::read_to_string(corpus().join(&name).join("minimal.rs"))?;
        let Some(expected) = recognised(compiler, &Program::new("a.rs", &*minimal))? else { continue };
        let tried = (0..CRATES.min(codes.len())).map(|offset| &codes[(number + offset * 11) % codes.len()]);
        for woven in tried.flat_map(|code| woven::woven(&name, &minimal, code)) {
            let program = Program::new("a.rs", woven.text);
            if let Some(oracle) = recognised(compiler, &program)?
                && oracle.failure.is_same(&expected.failure)
                && oracle.failure.codes == expected.failure.codes
            {
                add(woven.name, program, oracle, &mut cases);
                break;
            }
        }
    }
    for broken in woven::broken(&codes, BROKEN, &compiler.rustc)? {
        let program = Program::new("a.rs", broken.text);
        if let Some(oracle) = recognised(compiler, &program)? {
            add(broken.name, program, oracle, &mut cases);
        }
    }
    let mut count = 0;
    for (number, code) in codes.iter().enumerate() {
        let had = (0..properties::ALL.len()).map(|offset| properties::ALL[(number + offset) % properties::ALL.len()]);
        let Some((name, has)) = had.into_iter().find(|(_, has)| properties::has(&code.text, has)) else { continue };
        let text = format!("//@ edition: {}\n//@ compile-flags: --crate-type=lib\n{}", code.edition, code.text);
        let planted = Arc::new(Planted { compiler: compiler.clone(), name, has });
        let (name, program) = (format!("{}: {name}", code.name), Program::new("a.rs", text));
        cases.push(Case { name, is_corpus: false, program, oracle: planted.clone(), executor: planted });
        count += 1;
        if count == HELD {
            break;
        }
    }
    Ok(cases)
}
