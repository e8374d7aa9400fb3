//! Rounds: what promises most is tried first, a few sets of reductions at a time, and what succeeds is taken together.

use std::ops::Range;

use mcve_transforms::{Reduction, Transform, apply};

use super::checker::Stop;
use super::engine::Search;
use super::trial::name;
use crate::program::Program;

/// How many sets a round tries.
const WIDTH: usize = 4;

/// How many reductions are looked at for a set.
const LOOKED_AT: usize = 256;

/// What a gain of bytes alone counts, in tokens.
const BYTES: f64 = 0.1;

/// Tries what `transforms` propose until nothing is left, or the program has lost `enough` percent.
pub(super) fn run(search: &mut Search<'_>, transforms: &[&'static Transform], enough: usize) -> Result<(), Stop> {
    let before = search.measure().tokens;
    loop {
        let proposed = search.reductions(transforms);
        let reductions = search.untried(proposed);
        if !until_gain(search, reductions)? || (before - search.measure().tokens) * 100 > before * enough {
            return Ok(());
        }
    }
}

/// Rounds over `reductions` of the best program until one gains; whether one did.
fn until_gain(search: &mut Search<'_>, mut reductions: Vec<Reduction>) -> Result<bool, Stop> {
    let base = search.best().clone();
    while !reductions.is_empty() {
        if search.tests_left().is_some_and(|left| *left == 0) || search.haste.patience() == 0 {
            return Ok(false);
        }
        let sets = sets(search, &reductions);
        let candidates: Vec<(Program, Vec<usize>)> = sets
            .into_iter()
            .map(|set| (base.with_text(apply(&base.text, set.iter().map(|&index| &reductions[index]))), set))
            .collect();
        let measure = search.measure();
        let worth = |search: &Search<'_>, program: &Program| {
            search.haste.is_worth(measure, program.measure()) && !search.attempt.as_ref().is_some_and(|attempt| attempt.is_undone(program))
        };
        let mut asked = candidates
            .iter()
            .map(|(program, set)| worth(search, program).then(|| (program.clone(), set.clone())))
            .collect::<Vec<_>>()
            .into_iter();
        if let Some(left) = search.tests_left() {
            *left = left.saturating_sub(candidates.len());
        }
        let n = asked.clone().flatten().count();
        let winners = search.checker.all(&mut asked, search.observer)?;
        if winners.is_empty() { search.haste.in_vain(n) } else { search.haste.renew() }
        let won: Vec<usize> = winners.iter().map(|(position, _)| *position).collect();
        let mut gone = Vec::new();
        for (position, (_, set)) in candidates.iter().enumerate() {
            let members: Vec<&Reduction> = set.iter().map(|&index| &reductions[index]).collect();
            let succeeded = won.contains(&position);
            if !worth(search, &candidates[position].0) { if set.len() == 1 { gone.push(set[0]); } else { search.odds.learn(&base.text, &members, false) } continue; }
            search.odds.learn(&base.text, &members, succeeded);
            if search.attempt.is_none() { eprintln!("S\t{}\t{}\t{}\t{}", succeeded, set.len(), members.iter().map(|m| m.gain).sum::<isize>(), members.iter().take(4).map(|m| m.transform.name).collect::<Vec<_>>().join("\t")); }
            if set.len() == 1 && !succeeded {
                if search.attempt.is_none() {
                    search.tried.remember(&base.text, members[0]);
                }
                gone.push(set[0]);
            }
        }
        if !winners.is_empty() {
            let sets: Vec<Vec<usize>> = winners.iter().map(|(_, (_, set))| set.clone()).collect();
            let steps = |sets: &[Vec<usize>]| {
                sets.iter().flatten().take(3).map(|&index| name(&base, &reductions[index])).collect::<Vec<_>>()
            };
            if winners.len() > 1 {
                let all = base.with_text(apply(&base.text, sets.iter().flatten().map(|&index| &reductions[index])));
                let best = winners.iter().map(|(_, (program, _))| program.measure()).min();
                if best.is_some_and(|best| all.measure() < best) {
                    let mut merged = std::iter::once(Some((all, ())));
                    if let Some((_, (program, ()))) = search.checker.first(&mut merged, search.observer)? {
                        search.accept(program, steps(&sets))?;
                        return Ok(true);
                    }
                }
            }
            let (index, (_, (program, _))) = winners
                .into_iter()
                .enumerate()
                .min_by_key(|(_, (_, (program, _)))| program.measure())
                .expect("there are winners");
            search.accept(program, steps(&sets[index..=index]))?;
            return Ok(true);
        }
        gone.sort_unstable();
        for index in gone.into_iter().rev() {
            reductions.remove(index);
        }
    }
    Ok(false)
}

/// The sets of the next round, by what they promise.
fn sets(search: &Search<'_>, reductions: &[Reduction]) -> Vec<Vec<usize>> {
    let text = &search.best().text;
    let odds: Vec<f64> = reductions.iter().map(|reduction| search.odds.of(text, reduction)).collect();
    let gain = |index: usize| (reductions[index].gain.max(0) as f64).max(BYTES);
    let mut order: Vec<usize> = (0..reductions.len()).collect();
    order.sort_by(|&a, &b| (odds[b] * gain(b)).total_cmp(&(odds[a] * gain(a))));
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut taken = vec![false; reductions.len()];
    while sets.len() < std::env::var("T_WIDTH").map_or(WIDTH, |v| v.parse().unwrap()) {
        let Some(&first) = order.iter().find(|&&index| !taken[index]) else { break };
        taken[first] = true;
        let (mut set, mut likely, mut gained) = (vec![first], odds[first], gain(first));
        for &index in order.iter().filter(|&&index| !taken[index]).take(LOOKED_AT).collect::<Vec<_>>() {
            let promise = likely * odds[index] * (gained + gain(index));
            if promise > likely * gained && set.iter().all(|&other| is_apart(&reductions[other], &reductions[index])) {
                set.push(index);
                (likely, gained) = (likely * odds[index], gained + gain(index));
            }
        }
        set.iter().for_each(|&index| taken[index] = true);
        sets.push(set);
    }
    sets
}

fn is_apart(one: &Reduction, other: &Reduction) -> bool {
    let clash = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    !clash(&one.site, &other.site)
        && !one.edits.iter().any(|edit| other.edits.iter().any(|by| clash(&edit.range, &by.range)))
}
