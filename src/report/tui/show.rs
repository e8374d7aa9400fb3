//! The thread of the screen: it draws, and reads keys.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mcve_reduce::check::limits::Stop;
use ratatui::Terminal;
use ratatui::crossterm::event::{self, Event};

use super::keys::{View, Wish};
use super::program::Page;
use super::shared::Shared;
use super::terminal::{Backend, DRAWING, Suspension, give_back, is_taken, take};
use super::{draw, editor};
use crate::report::terminal::Shown;

/// How often it looks for signals and keys.
const POLL: Duration = Duration::from_millis(50);

/// The time between two pictures.
const EVERY: Duration = Duration::from_millis(250);

/// The screen, on its thread.
pub(super) struct Show {
    shared: Arc<Shared>,
    terminal: Terminal<Backend>,
    suspension: Suspension,
    view: View,
    page: Page,
    drawn: Option<Instant>,
}

impl Show {
    /// Takes the terminal.
    pub(super) fn begin(shared: Arc<Shared>) -> io::Result<Self> {
        let suspension = Suspension::new()?;
        let terminal = take().inspect_err(|_| give_back())?;
        Ok(Self { shared, terminal, suspension, view: View::default(), page: Page::default(), drawn: None })
    }

    /// Shows the run until its end, or until it is to stop: then Ctrl-C does what it does without a screen. A terminal that does not
    /// answer is no longer used.
    pub(super) fn run(mut self) {
        while !self.shared.is_over.load(Ordering::SeqCst) && is_taken() {
            if matches!(self.shared.limits.proceed(), Err(Stop::Interrupted)) {
                give_back();
                Shown::plain("stopping with the best so far; Ctrl-C ends at once").say();
                return;
            }
            if self.turn().is_err() {
                break;
            }
        }
        give_back();
    }

    /// Draws if it is time, and does what keys ask for.
    fn turn(&mut self) -> io::Result<()> {
        if self.suspension.stop_if_asked() {
            self.retake()?;
        }
        if self.drawn.is_none_or(|drawn| drawn.elapsed() >= EVERY) {
            self.draw()?;
        }
        if !event::poll(POLL)? {
            return Ok(());
        }
        let wish = match event::read()? {
            Event::Key(key) => {
                let wish = self.view.press(key, &mut self.shared.state(), &self.shared.limits);
                self.shared.pressed.notify_all();
                wish
            }
            Event::Resize(..) => Some(Wish::Draw),
            _ => None,
        };
        match wish {
            None => return Ok(()),
            Some(Wish::Draw) => self.drawn = None,
            Some(Wish::Suspend) => Suspension::ask(),
            Some(Wish::Edit) => {
                let program = self.shared.state().program.clone();
                if let Some(program) = program {
                    give_back();
                    self.view.said = editor::open(&program, &self.shared.limits, &self.suspension).err();
                    self.retake()?;
                }
            }
        }
        Ok(())
    }

    /// Takes the terminal anew, and draws all of it.
    fn retake(&mut self) -> io::Result<()> {
        give_back();
        self.terminal = take()?;
        self.drawn = None;
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let (state, is_skipping) = (self.shared.state().clone(), self.shared.limits.skip.is_asked());
        state.program.iter().for_each(|program| self.page.turn(program));
        let drawing = DRAWING.lock();
        if is_taken() {
            self.terminal.draw(|frame| draw::draw(frame, &state, &self.page, &mut self.view, is_skipping))?;
        }
        drop(drawing);
        self.drawn = Some(Instant::now());
        Ok(())
    }
}
