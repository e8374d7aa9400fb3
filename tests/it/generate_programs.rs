//! Laws of the generator of Rust programs: whatever it decides and whatever goes of that, its programs are Rust, compile,
//! and end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use mcve_dd::random::Random;
use mcve_generate::choices::{Halt, LIMIT};
use mcve_generate::generator::{Execution, Generator, rerun, run};
use mcve_generate::programs::Programs;
use mcve_generate::replay::Alignment;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprStruct, ItemFn, ItemStruct};
use xxhash_rust::xxh3::Xxh3;

const ALIGNMENTS: [Alignment; 3] = [Alignment::Halt, Alignment::Bypass, Alignment::Realign];

fn programs(size: usize) -> Programs {
    Programs { size }
}

fn make(seed: u64, size: usize) -> Execution {
    run(&programs(size), seed, LIMIT).expect("it ends")
}

/// The program of a seed without parts that are chosen at random, `percent` of a hundred.
fn reduced(seed: u64, size: usize, percent: u64, alignment: Alignment) -> Result<Execution, Halt> {
    let execution = make(seed, size);
    let mut random = Random::new(seed ^ percent);
    let mut removed = execution.trace.parts().0;
    removed.retain(|_| random.below(100) < percent);
    rerun(&programs(size), &execution.trace, &removed, alignment, LIMIT)
}

/// Compiles a program in `folder`, and returns what rustc says.
fn compile(folder: &Path, program: &str, args: &[&str]) -> Output {
    std::fs::write(folder.join("p.rs"), program).expect("it can be written");
    let rustc = mcve_reduce::exec::programs::rustc(None, None).expect("there is a rustc");
    let mut command = Command::new(rustc);
    command.args(["p.rs", "--edition=2021"]).args(args).current_dir(folder).output().expect("rustc runs")
}

#[track_caller]
fn check_compiles(program: &str) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = compile(folder.path(), program, &["--emit=metadata"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}\n{program}");
}

#[test]
fn a_whole_trace_makes_the_same_program() {
    for seed in 0..12 {
        let execution = make(seed, 6);
        for alignment in ALIGNMENTS {
            assert_eq!(rerun(&programs(6), &execution.trace, &[], alignment, LIMIT).as_ref(), Ok(&execution));
        }
    }
}

/// The generator itself says [`Halt::Broken`] where what it writes does not parse.
#[test]
fn every_reduced_trace_makes_a_program_that_parses() {
    for seed in 0..30 {
        for percent in [5, 30, 70] {
            let realigned = reduced(seed, 6, percent, Alignment::Realign);
            assert!(realigned.is_ok(), "seed {seed}, {percent} %: {realigned:?}");
            let bypassed = reduced(seed, 6, percent, Alignment::Bypass);
            assert!(matches!(bypassed, Ok(_) | Err(Halt::Infeasible { part: None, .. })), "seed {seed}: {bypassed:?}");
        }
    }
    let execution = make(1, 6);
    let all = rerun(&programs(6), &execution.trace, &execution.trace.parts().0, Alignment::Realign, LIMIT);
    assert!(all.expect("it ends").output.ends_with("fn main() {}\n"), "nothing is left of a program without parts");
}

#[test]
fn programs_and_what_is_left_of_them_compile_without_a_warning() {
    for seed in 100..108 {
        check_compiles(&make(seed, 8).output);
    }
    for (seed, percent) in (200..212).zip([3, 10, 30, 60].into_iter().cycle()) {
        let alignment = if seed % 2 == 0 { Alignment::Realign } else { Alignment::Bypass };
        if let Ok(execution) = reduced(seed, 8, percent, alignment) {
            check_compiles(&execution.output);
        }
    }
}

#[test]
fn programs_end_well_and_print_the_same_each_time() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (seed, size) in [(300, 8), (301, 8), (302, 30)] {
        let output = compile(folder.path(), &make(seed, size).output, &["-o", "p"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let run = || Command::new(folder.path().join("p")).output().expect("it runs");
        let first = run();
        assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
        assert!(!first.stdout.is_empty());
        assert_eq!(run().stdout, first.stdout);
    }
}

/// What a seed makes is the same on every machine. Where this fails and more has changed than the layout, the version of the
/// generator has to change, as the traces of the old one say nothing to the new one.
#[test]
fn the_programs_of_this_version_are_what_they_were() {
    let mut hash = Xxh3::new();
    (0..20).for_each(|seed| hash.update(make(seed, 8).output.as_bytes()));
    assert_eq!((programs(8).version(), hash.digest()), ("2", 3_183_129_558_171_106_827));
}

/// The number of parts of each struct and function, and of each literal and call.
#[derive(Default)]
struct Counts {
    declared: BTreeMap<String, usize>,
    used: Vec<(String, usize)>,
}

impl<'ast> Visit<'ast> for Counts {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.declared.insert(item.ident.to_string(), item.fields.len());
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.declared.insert(item.sig.ident.to_string(), item.sig.inputs.len());
        visit::visit_item_fn(self, item);
    }

    fn visit_expr_struct(&mut self, expr: &'ast ExprStruct) {
        self.used.push((expr.path.require_ident().expect("it is a name").to_string(), expr.fields.len()));
        visit::visit_expr_struct(self, expr);
    }

    fn visit_expr_call(&mut self, expr: &'ast ExprCall) {
        let Expr::Path(function) = &*expr.func else { panic!("functions are called by their names") };
        self.used.push((function.path.require_ident().expect("it is a name").to_string(), expr.args.len()));
        visit::visit_expr_call(self, expr);
    }
}

#[test]
fn a_parameter_goes_with_its_arguments_and_an_item_with_what_names_it() {
    let mut changes = 0;
    for seed in 0..10 {
        let execution = make(seed, 6);
        let counts = |execution: &Execution| {
            let mut counts = Counts::default();
            counts.visit_file(&syn::parse_file(&execution.output).expect("it is Rust"));
            counts
        };
        let before = counts(&execution).declared;
        for part in execution.trace.parts().0 {
            let less = rerun(&programs(6), &execution.trace, &[part], Alignment::Realign, LIMIT).expect("it ends");
            let Counts { declared, used } = counts(&less);
            for (name, count) in used {
                assert_eq!(declared.get(&name), Some(&count), "{name}: {}", less.output);
            }
            changes += usize::from(declared != before);
        }
    }
    assert!(changes > 80, "{changes} parts are of a declaration");
}

#[test]
fn what_goes_leaves_the_names_of_the_rest() {
    let execution = make(5, 8);
    let names = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_alphabetic));
        words.filter(|word| word[1..].chars().all(|c| c.is_ascii_digit())).map(str::to_owned).collect()
    };
    let all = names(&execution.output);
    for part in execution.trace.parts().0 {
        let less = rerun(&programs(8), &execution.trace, &[part], Alignment::Bypass, LIMIT);
        if let Ok(less) = less {
            assert!(names(&less.output).is_subset(&all), "{}", less.output);
        }
    }
    assert_eq!(Arc::strong_count(&execution.trace), 1, "no run keeps the trace of another");
}
