//! The picture: sizes over time, passes, the program, the failure, the keys.

use std::time::{Duration, Instant};

use indicatif::HumanCount;
use mcve_reduce::visible::visible_line;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Cell, Chart, Clear, Dataset, GraphType, Paragraph, Row, Table, Wrap};

use super::keys::{HELP, View};
use super::program::Page;
use super::state::State;
use crate::report::words::clock;

/// From so many columns on the program stands beside the rest, and not below it.
const WIDE: u16 = 100;

/// From so many lines on the failure has two.
const TALL: u16 = 24;

/// Draws all, and lets `view` know how much of the program there is to see.
pub(super) fn draw(frame: &mut Frame<'_>, state: &State, page: &Page, view: &mut View, is_skipping: bool) {
    let said = if frame.area().height < TALL { 1 } else { 2 };
    let rows = [Constraint::Length(1), Constraint::Length(said), Constraint::Min(0), Constraint::Length(1)];
    let [head, failure, body, foot] = frame.area().layout(&Layout::vertical(rows));
    frame.render_widget(header(state), head);
    let shown = state.failure.as_ref().map_or_else(
        || Line::raw("the first check runs"),
        |failure| Line::from_iter([Span::raw("failure: "), Span::styled(visible_line(failure), Color::Red)]),
    );
    frame.render_widget(Paragraph::new(shown).wrap(Wrap { trim: true }), failure);
    let (chart, passes, program) = if body.width >= WIDE {
        let [left, right] = body.layout(&Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]));
        let [chart, passes] = right.layout(&Layout::vertical([Constraint::Fill(2), Constraint::Fill(3)]));
        (chart, passes, left)
    } else {
        let [above, below] = body.layout(&Layout::vertical([Constraint::Fill(3), Constraint::Fill(4)]));
        let [chart, passes] = above.layout(&Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]));
        (chart, passes, below)
    };
    draw_curve(frame, state, chart);
    frame.render_widget(table(state), passes);
    draw_program(frame, page, view, program);
    let line = view.said.map(str::to_owned).or_else(|| message(state, is_skipping));
    let line = line.map_or_else(|| keys(state), |line| Line::raw(visible_line(&line)));
    frame.render_widget(line, foot);
    if view.is_help {
        draw_help(frame);
    }
}

/// What is reduced, how far it is, and for how long.
fn header(state: &State) -> Line<'static> {
    let bold = |text: String| Span::styled(text, Modifier::BOLD);
    let mut line = Line::from_iter([Span::raw("mcve "), bold(visible_line(&state.name))]);
    let (progress, now) = (&state.progress, Instant::now());
    if progress.before.bytes > 0 {
        let [before, left] = [progress.before, progress.now].map(|size| HumanCount(size.tokens as u64).to_string());
        line.push_span(format!("  {before} -> "));
        line.push_span(bold(left));
        line.push_span(format!(" {}", progress.unit));
    }
    let share = progress.share().map(|share| format!("  {share}")).unwrap_or_default();
    let left = progress.left(now).map(|left| format!(", {} left", clock(left))).unwrap_or_default();
    let checks = HumanCount(progress.checks as u64);
    line.push_span(format!("{share}  {checks} checks  {}{left}", clock(progress.elapsed(now))));
    line
}

/// What the search waits for, or what was said last.
fn message(state: &State, is_skipping: bool) -> Option<String> {
    let now = Instant::now();
    if state.is_waiting {
        Some("paused: `p` goes on. The time of --budget does not stop".to_owned())
    } else if state.is_pause_asked {
        Some("pauses when the check under way ends".to_owned())
    } else if is_skipping {
        Some(format!("skips {} when the check under way ends", state.pass()))
    } else {
        state.progress.waiting(now).map(|(what, since)| format!("{what}, {}", clock(since)))
    }
}

/// The keys, with the last note where there is room.
fn keys(state: &State) -> Line<'static> {
    let key = |key: &'static str| Span::styled(key, Modifier::BOLD);
    let keys = [("p", "pause"), ("s", "skip"), ("q", "stop"), ("e", "edit"), ("?", "help")];
    let spans = keys.iter().flat_map(|(name, does)| [key(name), Span::raw(format!(" {does}  "))]);
    let mut line = Line::from_iter(spans);
    line.extend(state.said.iter().map(|said| Span::styled(visible_line(said), Modifier::DIM)));
    line
}

fn block(title: String) -> Block<'static> {
    Block::bordered().border_style(Modifier::DIM).title(Span::styled(title, Modifier::BOLD))
}

/// Sizes over time. The scale is logarithmic, as the last tokens take as long as the first ones.
fn draw_curve(frame: &mut Frame<'_>, state: &State, area: Rect) {
    let end = state.progress.elapsed(Instant::now()).as_secs_f64().max(1.0);
    let last = state.curve.last().map(|(_, tokens)| (end, *tokens));
    let points: Vec<(f64, f64)> =
        state.curve.iter().copied().chain(last).map(|(at, tokens)| (at, tokens.max(1.0).log10())).collect();
    let most = state.curve.iter().map(|(_, tokens)| *tokens).fold(10.0, f64::max);
    let [from, middle, to] = [1.0, most.sqrt(), most].map(|tokens| HumanCount(tokens as u64).to_string());
    let line = Dataset::default().data(&points).marker(Marker::Braille).graph_type(GraphType::Line);
    let chart = Chart::new(vec![line.style(Style::new().fg(Color::Cyan))])
        .block(block(format!(" {} ", state.progress.unit)))
        .x_axis(Axis::default().bounds([0.0, end]).labels(["0:00".to_owned(), clock(Duration::from_secs_f64(end))]))
        .y_axis(Axis::default().bounds([0.0, most.log10()]).labels([from, middle, to]));
    frame.render_widget(chart, area);
}

/// The passes, the last one first, with what they took away, and in how many of their checks the failure was still there.
fn table(state: &State) -> Table<'static> {
    let right = |text: String| Cell::from(Line::raw(text).right_aligned());
    let shown = state.passes.iter().enumerate().filter(|(at, pass)| *at == 0 || pass.checks > 0);
    let rows = shown.map(|(at, pass)| {
        let taken = if pass.taken > 0 { format!("-{}", HumanCount(pass.taken as u64)) } else { String::new() };
        let row = Row::new([
            Cell::from(pass.name),
            right(taken).style(Color::Green),
            right(format!("{}/{}", pass.good, pass.checks)),
        ]);
        if at == 0 { row.style(Modifier::BOLD) } else { row }
    });
    let head = Row::new([Cell::from("pass"), right("taken".to_owned()), right("checks".to_owned())]);
    let widths = [Constraint::Fill(1), Constraint::Length(7), Constraint::Length(8)];
    Table::new(rows, widths).header(head.style(Modifier::DIM)).block(block(" passes ".to_owned()))
}

fn draw_program(frame: &mut Frame<'_>, page: &Page, view: &mut View, area: Rect) {
    let height = usize::from(area.height.saturating_sub(2));
    let first = view.first_line(page, height);
    let lines: Vec<Line<'_>> = page.lines.iter().skip(first).take(height).cloned().collect();
    let place = match page.lines.len() {
        0 => " program: it is shown once it is smaller ".to_owned(),
        all => format!(" program: lines {} to {} of {all} ", first + 1, first + lines.len()),
    };
    frame.render_widget(Paragraph::new(lines).block(block(place)), area);
}

fn draw_help(frame: &mut Frame<'_>) {
    let rows = HELP.iter().map(|(key, does)| Row::new([Cell::from(*key).style(Modifier::BOLD), Cell::from(*does)]));
    let (width, height) = (58, HELP.len() as u16 + 2);
    let area = frame.area().centered(Constraint::Length(width), Constraint::Length(height));
    frame.render_widget(Clear, area);
    let widths = [Constraint::Length(14), Constraint::Fill(1)];
    frame.render_widget(Table::new(rows, widths).block(block(" keys ".to_owned())), area);
}

#[cfg(test)]
mod tests;
