//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! The tables of a chess tournament: results, ratings, and a report with helpers of its own.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    White,
    Black,
    Draw,
}

#[derive(Debug, Clone)]
pub struct Game {
    pub white: usize,
    pub black: usize,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    pub name: String,
    pub rating: f64,
}

/// What a player is expected to win against another one.
pub fn expected(own: f64, other: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((other - own) / 400.0))
}

pub fn rate(players: &mut [Player], game: &Game) {
    const SWING: f64 = 20.0;
    fn points(outcome: Outcome) -> (f64, f64) {
        match outcome {
            Outcome::White => (1.0, 0.0),
            Outcome::Black => (0.0, 1.0),
            Outcome::Draw => (0.5, 0.5),
        }
    }
    let (white, black) = (players[game.white].rating, players[game.black].rating);
    let (first, second) = points(game.outcome);
    players[game.white].rating += SWING * (first - expected(white, black));
    players[game.black].rating += SWING * (second - expected(black, white));
}

pub fn standings(players: &[Player], games: &[Game]) -> BTreeMap<Reverse<u32>, Vec<String>> {
    let mut halves = vec![0u32; players.len()];
    for game in games {
        match game.outcome {
            Outcome::White => halves[game.white] += 2,
            Outcome::Black => halves[game.black] += 2,
            Outcome::Draw => {
                halves[game.white] += 1;
                halves[game.black] += 1;
            }
        }
    }
    let mut table: BTreeMap<Reverse<u32>, Vec<String>> = BTreeMap::new();
    for (player, halves) in players.iter().zip(halves) {
        table.entry(Reverse(halves)).or_default().push(player.name.clone());
    }
    table
}

pub fn report(players: &[Player], games: &[Game]) -> String {
    /// What stands in a cell of the report.
    trait Cell {
        const WIDTH: usize;

        fn text(&self) -> String;
    }

    impl<T: ToString> Cell for T {
        const WIDTH: usize = 6;

        fn text(&self) -> String {
            format!("{:>1$}", self.to_string(), Self::WIDTH)
        }
    }

    struct Half(u32);

    impl Cell for Half {
        const WIDTH: usize = 4;

        fn text(&self) -> String {
            let rest = if self.0 % 2 == 1 { "½" } else { " " };
            format!("{:>2}{rest}", self.0 / 2)
        }
    }

    impl Cell for f64 {
        const WIDTH: usize = 8;

        fn text(&self) -> String {
            format!("{self:8.1}")
        }
    }

    let mut text = String::new();
    for (Reverse(halves), names) in standings(players, games) {
        for name in names {
            let rating = players.iter().find(|player| player.name == name).map(|player| player.rating);
            let cells = [Half(halves).text(), rating.unwrap_or_default().text()];
            let _ = writeln!(text, "{name:20} {}", cells.join(" "));
        }
    }
    text
}
