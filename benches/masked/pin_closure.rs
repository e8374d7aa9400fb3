//@ toolchain: nightly
//@ args: -Zcrate-attr=feature(pin_ergonomics)
//@ valid-by: +nightly
//! Jobs that wait for each other, driven by an executor of a few lines.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

mod waker {
    use super::*;

    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, nothing, nothing, nothing);

    fn clone(data: *const ()) -> RawWaker {
        RawWaker::new(data, &TABLE)
    }
    fn nothing(_: *const ()) {}

    pub fn idle() -> Waker {
        unsafe { Waker::from_raw(RawWaker::new(std::ptr::null(), &TABLE)) }
    }
}

/// Is ready the second time.
#[derive(Default)]
struct Later {
    asked: bool,
}

impl Future for Later {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.asked, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = waker::idle();
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Event {
    Queued(String),
    Ran { name: String, cost: u32 },
}

#[derive(Clone, Default)]
struct Trace(Rc<RefCell<Vec<Event>>>);

impl Trace {
    fn note(&self, event: Event) {
        self.0.borrow_mut().push(event);
    }
    fn take(self) -> Vec<Event> {
        self.0.take()
    }
}

trait Job {
    fn name(&self) -> &str;
    fn cost(&self) -> u32 {
        self.name().len() as u32
    }
    fn finish(self: Box<Self>, trace: &Trace);
}

struct Named(String);

impl Job for Named {
    fn name(&self) -> &str {
        &self.0
    }
    fn finish(self: Box<Self>, trace: &Trace) {
        let cost = self.cost();
        trace.note(Event::Ran { name: self.0, cost });
    }
}

struct Costs {
    table: [u32; 4],
}

impl Costs {
    /// # Safety
    /// There are four entries.
    unsafe fn at(&self, index: usize) -> u32 {
        unsafe { *self.table.get_unchecked(index) }
    }
}

async fn run_all<F>(queue: &mut VecDeque<Box<dyn Job>>, run: F) -> u32
where
    F: AsyncFn(Box<dyn Job>) -> u32,
{
    let mut total = 0;
    while let Some(job) = queue.pop_front() {
        total += run(job).await;
    }
    total
}

async fn evening() -> u32 {
    let costs = Costs { table: [1, 2, 3, 4] };
    let trace = Trace::default();
    let mut queue: VecDeque<Box<dyn Job>> = VecDeque::new();
    for name in ["sweep", "fold", "lock"] {
        trace.note(Event::Queued(name.to_string()));
        queue.push_back(Box::new(Named(name.to_string())));
    }
    let label = String::from("evening");
    let run = async |job: Box<dyn Job>| {
        let index = (job.cost() % 4) as usize;
        Later::default().await;
        job.finish(&trace);
        unsafe { costs.at(index) + label.len() as u32 }
    };
    let total = run_all(&mut queue, run).await;
    for event in trace.take() {
        println!("{event:?}");
    }
    total
}

fn main() {
    let total = block_on(evening());
    println!("{total}");
}
