//! The examples of *Validity-Preserving Delta Debugging via Generator*, as the paper has them: the password generator, the
//! two kinds of infeasible alignment, a tree of parts, and graphs.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

use mcve_generate::choices::{Choices, Halt};
use mcve_generate::generator::{Execution, Generator, rerun, run};
use mcve_generate::question::Value;
use mcve_generate::reduction::{Order, Settings, TraceTester, reduce};
use mcve_generate::replay::Alignment;
use mcve_generate::trace::{Kind, Trace};

const ORDERS: [Order; 2] = [Order::Sequence, Order::Tree];
const ALIGNMENTS: [Alignment; 3] = [Alignment::Halt, Alignment::Bypass, Alignment::Realign];

/// A generator that is a function.
struct Function<F>(F);

impl<F: Fn(&mut Choices) -> Result<String, Halt> + Send + Sync> Generator for Function<F> {
    fn name(&self) -> &str {
        "function"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn generate(&self, choices: &mut Choices) -> Result<String, Halt> {
        (self.0)(choices)
    }
}

/// The generator `f`, whose choices know nothing of where it is.
fn generator(
    f: impl Fn(&mut Choices) -> Result<String, Halt> + Send + Sync,
) -> Function<impl Fn(&mut Choices) -> Result<String, Halt> + Send + Sync> {
    Function(f)
}

const LIMIT: usize = 10_000;

/// The first run, by seed, whose output is as wanted.
fn search(generator: &dyn Generator, wanted: impl Fn(&str) -> bool) -> Execution {
    let mut runs = (0..1_000_000).map(|seed| run(generator, seed, LIMIT).expect("it ends"));
    runs.find(|execution| wanted(&execution.output)).expect("some seed makes it")
}

/// Judges by a predicate, and holds every candidate to a law.
struct Predicate<F, G> {
    fails: F,
    is_valid: G,
    tests: usize,
    halted: usize,
}

impl<F: Fn(&str) -> bool, G: Fn(&str) -> bool> TraceTester<Infallible> for Predicate<F, G> {
    fn first(
        &mut self,
        runs: &mut dyn Iterator<Item = Option<Execution>>,
    ) -> Result<Option<(usize, Execution)>, Infallible> {
        for (position, run) in runs.enumerate() {
            let Some(run) = run else {
                self.halted += 1;
                continue;
            };
            self.tests += 1;
            assert!((self.is_valid)(&run.output), "not valid: {}", run.output);
            if (self.fails)(&run.output) {
                return Ok(Some((position, run)));
            }
        }
        Ok(None)
    }
}

/// What is left of a run, with the tests that it took and the runs that were halted.
fn reduced(
    generator: &dyn Generator,
    execution: Execution,
    (order, alignment): (Order, Alignment),
    fails: impl Fn(&str) -> bool,
    is_valid: impl Fn(&str) -> bool,
) -> (String, usize, usize) {
    let mut judge = Predicate { fails, is_valid, tests: 0, halted: 0 };
    let settings = Settings { order, alignment, limit: LIMIT };
    let Ok(best) = reduce(generator, execution, settings, &mut judge);
    let again = rerun(generator, &best.trace, &[], Alignment::Halt, LIMIT);
    assert_eq!(again.as_ref(), Ok(&best), "the trace of what is left makes what is left");
    (best.output, judge.tests, judge.halted)
}

fn settings() -> impl Iterator<Item = (Order, Alignment)> {
    ORDERS.into_iter().flat_map(|order| ALIGNMENTS.map(|alignment| (order, alignment)))
}

/// The password generator makes `abc` of it.
const SEED: u64 = 889_624;

/// Listing 1.
fn password(choices: &mut Choices) -> Result<String, Halt> {
    let letters: Vec<char> = ('a'..='z').collect();
    let word = choices.repeat("letters", 0..=19, |choices| choices.choose("letter", &letters).copied())?;
    let word: String = word.into_iter().chain(['\n']).collect();
    Ok(word.repeat(2))
}

/// The run that makes `abc`: the paper's seed is another one, as its random numbers are.
fn abc(generator: &dyn Generator) -> Execution {
    let execution = run(generator, SEED, LIMIT).expect("it ends");
    assert_eq!(execution.output, "abc\nabc\n");
    execution
}

#[test]
fn the_password_is_reduced_to_what_no_deletion_of_text_reaches() {
    let generator = generator(password);
    let execution = abc(&generator);
    let is_valid = |text: &str| text.ends_with('\n') && text[..text.len() / 2] == text[text.len() / 2..];
    for setting in settings() {
        let (text, tests, halted) =
            reduced(&generator, execution.clone(), setting, |text| text.contains('c'), is_valid);
        assert_eq!(text, "c\nc\n");
        // The empty one, the half with the c, and then the next round: nothing of a trace of one.
        assert!(tests <= 6, "{tests} tests");
        assert_eq!(halted, 0, "this generator can follow every reduced trace");
    }
    // The same by the text: no part of it can go.
    let input: Vec<char> = "abc\nabc\n".chars().collect();
    for start in 0..input.len() {
        for end in start + 1..=input.len() {
            let rest: String = [&input[..start], &input[end..]].concat().iter().collect();
            assert!(!(rest.len() > 1 && is_valid(&rest) && rest.contains('c')), "{rest:?}");
        }
    }
}

#[test]
fn every_reduced_trace_of_the_password_makes_its_subsequence() {
    let generator = generator(password);
    let execution = abc(&generator);
    let (parts, _) = execution.trace.parts();
    for kept in 0..8_u32 {
        let is_kept = |index: usize| kept >> index & 1 == 1;
        let removed: Vec<usize> = (0..3).filter(|&index| !is_kept(index)).map(|index| parts[index]).collect();
        let word: String = "abc".chars().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, c)| c).collect();
        for alignment in ALIGNMENTS {
            let run = rerun(&generator, &execution.trace, &removed, alignment, LIMIT).expect("it can be aligned");
            assert_eq!(run.output, format!("{word}\n{word}\n"));
        }
    }
}

/// Removes one part of a trace, and returns what each strategy makes of it.
fn without(generator: &dyn Generator, execution: &Execution, part: usize) -> [Result<String, Halt>; 3] {
    let (parts, _) = execution.trace.parts();
    ALIGNMENTS
        .map(|alignment| rerun(generator, &execution.trace, &[parts[part]], alignment, LIMIT).map(|run| run.output))
}

/// Section 4.4.1, case 1: without the selection the program goes another way.
#[test]
fn an_alignment_is_infeasible_where_the_generator_goes_another_way() {
    let generator = generator(|choices| {
        let x = i32::from(choices.optional("x", 50, |_| Ok(()))?.is_some());
        let called = match x {
            0 => format!("f{}", choices.range("f", 0..=9)?),
            _ => format!("g{}", choices.range("g", 0..=9)?),
        };
        Ok(format!("{called} {}", choices.range("line-8", 0..=9)?))
    });
    let execution = search(&generator, |text| text == "g7 5");
    let [halt, bypass, realign] = without(&generator, &execution, 0);
    let infeasible = Err(Halt::Infeasible { place: "f".to_owned(), part: None, at: 2 });
    assert_eq!(halt, infeasible);
    assert_eq!(bypass, infeasible, "no part is around the place");
    assert_eq!(realign, Ok("f0 5".to_owned()), "any f, and line 8 is aligned again");
}

/// Section 4.4.1, case 2, and figure 3: without the selection there is no 1 to choose.
#[test]
fn an_alignment_is_infeasible_where_what_was_decided_is_not_possible() {
    let generator = generator(|choices| {
        let mut x = vec![0];
        x.extend(choices.optional("x", 50, |_| Ok(1))?);
        let y = choices.optional("y", 50, |choices| choices.choose("y", &x).copied())?;
        Ok(y.map_or("no y".to_owned(), |y| format!("y = {y}")))
    });
    let made_with_x = |wanted: &'static str| {
        let mut runs = (0..1000).map(|seed| run(&generator, seed, LIMIT).expect("it ends"));
        runs.find(|run| run.trace.parts().0.len() == 2 && run.output == wanted).expect("some seed makes it")
    };
    let [halt, bypass, realign] = without(&generator, &made_with_x("y = 1"), 0);
    assert!(matches!(halt, Err(Halt::Infeasible { part: Some(_), .. })), "{halt:?}");
    assert_eq!(bypass, Ok("no y".to_owned()), "the second selection is removed as well");
    assert_eq!(realign, Ok("y = 0".to_owned()), "what is possible is chosen");
    // The other situation: what was decided is still possible, though the options are others.
    let all = without(&generator, &made_with_x("y = 0"), 0);
    assert_eq!(all, [(); 3].map(|()| Ok("y = 0".to_owned())));
}

/// Section 4.4.2: a turn of a loop that cannot be aligned is bypassed, and the next one takes its place.
#[test]
fn bypass_removes_the_turn_and_aligns_the_next_one() {
    let generator = generator(|choices| {
        let mut known = vec![0];
        let turns = choices.repeat("turns", 0..=5, |choices| {
            let next = i64::try_from(known.len()).expect("it is small");
            let chosen = *choices.choose("known", &known)?;
            known.push(next);
            Ok(format!("{chosen}"))
        })?;
        Ok(turns.join(" "))
    });
    let execution = search(&generator, |text| text == "0 1 0");
    let [halt, bypass, realign] = without(&generator, &execution, 0);
    assert!(matches!(halt, Err(Halt::Infeasible { .. })));
    assert_eq!(bypass, Ok("0".to_owned()), "the 1 cannot be chosen first");
    assert_eq!(realign, Ok("0 0".to_owned()));
}

/// Section 4.3, equation 5: a loop A of selections B and loops C.
#[test]
fn the_parts_of_a_trace_are_a_tree() {
    let generator = generator(|choices| {
        choices.repeat("A", 2..=2, |choices| {
            choices.optional("B", 100, |_| Ok(()))?;
            choices.repeat("C", 2..=2, |_| Ok(()))
        })?;
        Ok(String::new())
    });
    let (parts, parents) = run(&generator, 0, LIMIT).expect("it ends").trace.parts();
    assert_eq!(parts.len(), 8);
    assert_eq!(parents, [None, Some(0), Some(0), Some(0), None, Some(4), Some(4), Some(4)]);
}

/// A graph: nodes, then edges between nodes that there are.
fn graph(choices: &mut Choices) -> Result<String, Halt> {
    let nodes = choices.repeat("nodes", 8..=16, |choices| choices.fresh("node"))?;
    let mut text: String = nodes.iter().map(|node| format!("node {node}\n")).collect();
    if !nodes.is_empty() {
        let edges = choices.repeat("edges", 20..=40, |choices| {
            Ok(format!("edge {} {}\n", choices.choose("from", &nodes)?, choices.choose("to", &nodes)?))
        })?;
        text.extend(edges);
    }
    Ok(text)
}

fn is_graph(text: &str) -> bool {
    let mut nodes = BTreeSet::new();
    text.lines().all(|line| match line.split(' ').collect::<Vec<_>>()[..] {
        ["node", node] => nodes.insert(node),
        ["edge", from, to] => nodes.contains(from) && nodes.contains(to),
        _ => false,
    })
}

/// Whether there is a cycle of two different nodes.
fn has_two_cycle(text: &str) -> bool {
    let edges: BTreeSet<(&str, &str)> =
        text.lines().filter_map(|line| line.strip_prefix("edge ")?.split_once(' ')).collect();
    edges.iter().any(|&(from, to)| from != to && edges.contains(&(to, from)))
}

#[test]
fn graphs_stay_graphs_and_become_two_nodes_with_two_edges() {
    let generator = generator(graph);
    let execution = search(&generator, has_two_cycle);
    let lines = |text: &str| text.lines().count();
    let mut sizes = Vec::new();
    for setting in settings() {
        let (text, tests, halted) = reduced(&generator, execution.clone(), setting, has_two_cycle, is_graph);
        assert!(has_two_cycle(&text));
        sizes.push((lines(&text), tests, halted));
    }
    let [halt, bypass, realign] = [0, 1, 2].map(|alignment| [sizes[alignment], sizes[alignment + 3]]);
    for (size, ..) in [halt, bypass, realign].concat() {
        assert_eq!(size, 4, "{sizes:?}");
    }
    for order in 0..2 {
        // Nothing halts a re-aligned run, and by bypass only the lack of all nodes, as no part is around the edges.
        let halted = [halt, bypass, realign].map(|setting| setting[order].2);
        assert!(halted[0] > halted[1] && halted[1] > 0 && halted[2] == 0, "{sizes:?}");
    }
}

#[test]
fn every_reduced_trace_of_a_graph_makes_a_graph() {
    let generator = generator(|choices| {
        let nodes = choices.repeat("nodes", 4..=4, |choices| choices.fresh("node"))?;
        let mut text: String = nodes.iter().map(|node| format!("node {node}\n")).collect();
        if !nodes.is_empty() {
            let edges = choices.repeat("edges", 5..=5, |choices| {
                Ok(format!("edge {} {}\n", choices.choose("from", &nodes)?, choices.choose("to", &nodes)?))
            })?;
            text.extend(edges);
        }
        Ok(text)
    });
    let execution = run(&generator, 3, LIMIT).expect("it ends");
    let (parts, _) = execution.trace.parts();
    for kept in 0..1_u32 << parts.len() {
        let removed: Vec<usize> =
            parts.iter().enumerate().filter(|(index, _)| kept >> index & 1 == 0).map(|(_, &part)| part).collect();
        let edges = (kept >> 4).count_ones();
        for alignment in [Alignment::Bypass, Alignment::Realign] {
            let run = match rerun(&generator, &execution.trace, &removed, alignment, LIMIT) {
                Ok(run) => run,
                Err(halt) => {
                    assert_eq!((kept & 15, alignment), (0, Alignment::Bypass), "only without nodes: {halt}");
                    continue;
                }
            };
            assert!(is_graph(&run.output), "{}", run.output);
            let now = run.output.matches("edge").count();
            match alignment {
                Alignment::Realign if kept & 15 != 0 => assert_eq!(now, edges as usize),
                _ => assert!(now <= edges as usize),
            }
        }
    }
}

#[test]
fn a_whole_trace_makes_the_same_run() {
    let all: [&dyn Generator; 2] = [&generator(password), &generator(graph)];
    for generator in all {
        for seed in 0..200 {
            let first = run(generator, seed, LIMIT).expect("it ends");
            assert_eq!(run(generator, seed, LIMIT).as_ref(), Ok(&first), "a seed makes one run");
            for alignment in ALIGNMENTS {
                assert_eq!(rerun(generator, &first.trace, &[], alignment, LIMIT).as_ref(), Ok(&first));
            }
        }
    }
}

#[test]
fn fresh_names_stay_what_they_were() {
    let generator = generator(|choices| {
        let names = choices.repeat("names", 5..=5, |choices| choices.fresh("name"))?;
        Ok(format!("{names:?}"))
    });
    let execution = run(&generator, 0, LIMIT).expect("it ends");
    assert_eq!(execution.output, "[0, 1, 2, 3, 4]");
    let [halt, ..] = without(&generator, &execution, 1);
    assert_eq!(halt, Ok("[0, 2, 3, 4]".to_owned()));
}

#[test]
fn a_loop_keeps_the_turns_that_it_needs() {
    let generator = generator(|choices| {
        let times = mcve_generate::question::Times::from(3..=3).at_least(2);
        let turns = choices.repeat("turns", times, |choices| choices.range("turn", 1..=9))?;
        Ok(format!("{}", turns.len()))
    });
    let execution = run(&generator, 0, LIMIT).expect("it ends");
    let (parts, _) = execution.trace.parts();
    let left = |removed: &[usize], alignment| {
        rerun(&generator, &execution.trace, removed, alignment, LIMIT).map(|run| run.output)
    };
    assert_eq!(left(&parts[..1], Alignment::Halt), Ok("2".to_owned()));
    assert!(left(&parts[..2], Alignment::Halt).is_err());
    assert_eq!(left(&parts, Alignment::Realign), Ok("2".to_owned()));
}

#[test]
fn a_generator_that_never_ends_is_told() {
    let endless = generator(|choices| {
        while !choices.flip("end", 0)? {}
        Ok(String::new())
    });
    assert_eq!(run(&endless, 0, 500), Err(Halt::Endless(500)));
    let deep = generator(|choices| {
        fn deeper(choices: &mut Choices) -> Result<(), Halt> {
            choices.group("deeper", deeper)
        }
        deeper(choices)?;
        Ok(String::new())
    });
    let error = run(&deep, 0, 500).expect_err("it never ends");
    assert_eq!(error.to_string(), "the generator does not end: it took more than 500 decisions");
    // What ends by chance need not end where all is decided in the simplest way: that is a run that came to nothing.
    let by_chance = generator(|choices| {
        let more = choices.optional("part", 100, |_| Ok(()))?.is_none();
        while more && !choices.flip("end", 50)? {}
        Ok(String::new())
    });
    let execution = run(&by_chance, 0, 500).expect("it ends");
    let (parts, _) = execution.trace.parts();
    let realigned = rerun(&by_chance, &execution.trace, &parts, Alignment::Realign, 500);
    assert_eq!(realigned, Err(Halt::Endless(500)));
}

#[test]
fn decisions_are_recorded_with_place_and_nesting() {
    let generator = generator(|choices| {
        choices.group("call", |choices| choices.range("number", 4..=4))?;
        choices.weighted("word", &[(0, "a"), (1, "b")]).map(|word| (*word).to_owned())
    });
    let Execution { trace, output, .. } = run(&generator, 0, LIMIT).expect("it ends");
    assert_eq!(output, "b");
    let nodes: Vec<(&str, &Kind, usize)> =
        trace.nodes().iter().map(|node| (&*node.place, &node.kind, node.end)).collect();
    let (number, word) = (Kind::Decision(Value::Number(4)), Kind::Decision(Value::Name("b".to_owned())));
    assert_eq!(nodes, [("call", &Kind::Group, 2), ("number", &number, 2), ("word", &word, 3)]);
    assert_eq!(
        rerun(&generator, &Arc::new(Trace::default()), &[], Alignment::Realign, LIMIT).expect("it ends").output,
        "a"
    );
}
