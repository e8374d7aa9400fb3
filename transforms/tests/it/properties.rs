//! Properties of every transform, over every corpus file, the project's own sources and those of its dependencies: each
//! single reduction gives a text that still parses and is smaller, unless it is marked, and no set of reductions makes `apply`
//! panic.

mod pieces;
mod single;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcve_transforms::{
    Analysis, Edit, Reduction, Rule, Source, Transform, Tree, Understanding, apply, enumerate, enumerate_trials,
    transforms,
};
use pieces::Pieces;
use single::{Subject, message};
use texts::Text;

fn reductions(text: &str) -> (Understanding, Vec<Reduction>) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    (source.understanding(), transforms().flat_map(|transform| enumerate(&names, transform)).collect())
}

/// Calls `check` for each of `texts`, on as many threads as there are cores.
fn for_all(texts: &[Text], check: impl Fn(&Path, &str) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, || {
                    while let Some((path, text)) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                        check(path, text);
                    }
                })
                .expect("threads can be had");
        }
    });
}

/// What is wrong with the reductions of each transform: how often, and the shortest story, which says most.
#[derive(Default)]
struct Broken(Mutex<BTreeMap<&'static str, (usize, String)>>);

impl Broken {
    fn add(&self, transform: &'static Transform, story: String) {
        let mut broken = self.0.lock().expect("no thread panics with it");
        let entry = broken.entry(transform.name).or_insert((0, story.clone()));
        entry.0 += 1;
        if story.len() < entry.1.len() {
            entry.1 = story;
        }
    }

    #[track_caller]
    fn assert_empty(self) {
        let broken = self.0.into_inner().expect("no thread panicked with it");
        for (name, (times, story)) in &broken {
            println!("{name}, {times} times, {story}\n");
        }
        assert!(broken.is_empty(), "these do not keep their promise: {:?}", broken.keys());
    }
}

/// The reductions that `transform` proposes, with whether each has to shrink the text; the message where it panics.
fn proposals(names: &Analysis<'_>, transform: &'static Transform) -> Result<Vec<(Reduction, bool)>, String> {
    let proposals = || {
        let smaller = enumerate(names, transform).into_iter().map(|reduction| (reduction, true));
        smaller.chain(enumerate_trials(names, transform).into_iter().map(|trial| (trial, false))).collect()
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(proposals)).map_err(|panic| message(&*panic))
}

/// Checks each single reduction of each of `texts`: it parses, unless it is marked as one for text or at syntax that is
/// not known, and it is smaller, unless it is a trial.
fn check_singles(texts: &[Text]) {
    let broken = Broken::default();
    let [reductions, trials] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    for_all(texts, |path, text| {
        let mut all = Vec::new();
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        for transform in transforms().filter(|transform| !matches!(transform.rule, Rule::Text(_))) {
            match proposals(&names, transform) {
                Ok(proposals) => all.extend(proposals),
                Err(message) => broken.add(transform, format!("panics: {message}\n{}", path.display())),
            }
        }
        let subject = Subject::of(&tree).moved_to(text);
        // The spans are given back where no source lives.
        drop(names);
        drop(tree);
        drop(source);
        for (reduction, shrinks) in &all {
            if let Some((_, words)) = subject.breach(reduction, *shrinks) {
                let story = format!("{words}\n{}\n{}", path.display(), subject.story(reduction));
                broken.add(reduction.transform, story);
            }
        }
        let smaller = all.iter().filter(|(_, shrinks)| *shrinks).count();
        reductions.fetch_add(smaller, Ordering::Relaxed);
        trials.fetch_add(all.len() - smaller, Ordering::Relaxed);
    });
    let [reductions, trials] = [reductions, trials].map(AtomicUsize::into_inner);
    println!("{} texts, {reductions} reductions, {trials} trials", texts.len());
    broken.assert_empty();
    assert!(reductions > 10_000 && trials > 100, "there are reductions: {reductions}, {trials}");
}

#[test]
fn every_single_reduction_of_a_whole_file_parses_and_only_trials_grow() {
    check_singles(&texts::whole_files());
}

#[test]
fn every_single_reduction_of_an_item_parses_and_only_trials_grow() {
    check_singles(texts::items());
}

#[test]
fn any_subset_can_be_applied() {
    for_all(texts::items(), |_, text| {
        let (_, reductions) = reductions(text);
        // Subsets of many sizes and strides, the same in every run.
        for stride in [1, 2, 3, 7] {
            for offset in 0..stride.min(3) {
                let _ = apply(text, reductions.iter().skip(offset).step_by(stride));
            }
        }
    });
}

#[test]
fn the_order_of_a_set_does_not_matter() {
    for_all(texts::items(), |_, text| {
        let (_, reductions) = reductions(text);
        assert_eq!(apply(text, &reductions), apply(text, reductions.iter().rev()));
    });
}

/// What may go on with what stands before it, or take what stands behind it in.
const GREEDY: [&str; 22] = [
    "", ";", ",", "|", "..", "..=", ".a", "?", "&", "-", "= a", "#[a]", "#![a]", "pub", "unsafe", "async", "default",
    "return", "else", "if a {}", "a!{}", "// a",
];

/// All kinds of pieces, next to what could be read as a part of them.
const SHAPES: [&str; 13] = [
    "#[a] mod a { #![b] struct A; a! { b } fn b() {} pub(crate) use c; } /* d */ struct E;",
    "impl A { #![a] const A: u8 = 0; /// a\n fn a(&self) -> u8 { 0 } type B = C; b!(); pub fn c() {} }",
    "trait A { fn a(); const B: u8; fn c() {} type D: E; e! {} } extern \"C\" { fn f(); static G: u8; type H; }",
    "enum A { B, #[c] C = 1, D(u8), E { f: u8 } } enum F { G }",
    "enum A { B, C = 1, } static D: [u8; 2] = [e, f + g,]; fn h() { match i { J => k + l, } }",
    "fn a() { #![a] ; if a {} -b; match c {} (d)(e); {} [f]; loop {} &g; a! {} *h; unsafe {} ..i; j }",
    "fn a() { let b = c; let Some(d) = e else { return }; fn f() {} return; 'a: loop { break 'a } }",
    "fn a() { match b { C => {} -1 => c, | D | E => d(), F if g => return, ..=5 => if h {} _ => {} } }",
    "fn a() { match b { C => (), D => { 0 } } b(c, -d, |e| f)(g).h(i, &j)[k]; }",
    "static A: [u8; 3] = [a, -b, c(d)]; const B: [u8; 2] = [0; 2]; const C: (u8, [u8; 1]) = (0, [1],);",
    "fn a() { b!(c, (d) [e]); f! { { g } h; } i![0; 1]; for j in [k, l] {} (m); (n,); }",
    "macro_rules! a { ($b:ident $(, $c:expr)*) => { fn $b() { $($c;)* } }; () => {}; }",
    "fn a() -> impl B { if let C = d && e {} else if f {} else {} async move { g.await? } // h\n}",
];

/// The property is checked by what pieces tell, so that they must tell the truth of reductions that break what there is.
#[test]
fn what_pieces_tell_of_a_change_is_true_of_the_file() {
    let transform = transforms().next().expect("there are transforms");
    let mut texts: Vec<Text> = SHAPES.iter().map(|text| (PathBuf::new(), (*text).to_owned())).collect();
    if texts::all() {
        texts.extend(texts::items().iter().filter(|(_, text)| text.len() < 1500).step_by(100).cloned());
    }
    let [told, untold] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    for_all(&texts, |path, text| {
        let source = Source::parse(text);
        if source.understanding() < Understanding::Full {
            assert!(path.exists(), "it is to parse: {text}");
            return;
        }
        let pieces = Pieces::of(&Tree::new(&source));
        let tokens: Vec<_> = source.tokens().iter().map(|token| token.range.clone()).collect();
        drop(source);
        for window in [1, 2] {
            for tokens in tokens.windows(window) {
                let site = tokens[0].start..tokens[window - 1].end;
                for word in GREEDY {
                    let edits = vec![Edit::replace(site.clone(), word)];
                    let reduction = Reduction { transform, site: site.clone(), rank: 0, edits, gain: 0 };
                    if !pieces.tell(text, &reduction, false) {
                        untold.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    told.fetch_add(1, Ordering::Relaxed);
                    let after = apply(text, [&reduction]);
                    assert!(Source::is_valid(&after), "{}: {:?} by {word:?}: {after}", path.display(), &text[site]);
                }
            }
        }
    });
    let [told, untold] = [told, untold].map(AtomicUsize::into_inner);
    println!("{} texts, {told} changes told of, {untold} not", texts.len());
    assert!(told > 1000 && untold > 1000, "both are there: {told}, {untold}");
}
