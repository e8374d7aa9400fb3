//! Several services: which one gets a job, and what happens after a fault.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::sync::watch;

use crate::action::Action;
use crate::arguments::Arguments;
use crate::fault::{Fault, Kind};
use crate::node::Node;

/// How often a job is given to each service at most.
const TRIES: usize = 3;

/// How long a service gets no jobs after its second fault, if there are others. After each further one it is twice that.
const REST: Duration = Duration::from_millis(500);

/// The longest such time.
const LONGEST: Duration = Duration::from_secs(60);

/// Services that all can do all jobs.
#[derive(Debug)]
pub(crate) struct Nodes(Vec<Node>);

impl Nodes {
    /// Connects to all services. Fails if one cannot be used.
    pub(crate) async fn connect(arguments: &Arguments) -> anyhow::Result<Self> {
        let mut nodes = Vec::new();
        for url in &arguments.services {
            nodes.push(Node::connect(url, arguments).await.with_context(|| url.clone())?);
        }
        Ok(Self(nodes))
    }

    /// Executes an action on each service, whose output `read` accepts. Fails if one does not do it.
    pub(crate) async fn prove<T>(
        &self,
        action: &Action,
        read: impl Fn(&[u8]) -> Result<T, Fault>,
    ) -> anyhow::Result<()> {
        let (_sender, cancel) = watch::channel(false);
        for node in &self.0 {
            let output = node.execute(action, true, &cancel).await;
            let output = output.with_context(|| node.url.clone())?.unwrap_or_default();
            read(&output).with_context(|| node.url.clone())?;
        }
        Ok(())
    }

    /// What `read` makes of the output of an action, by the service with the fewest jobs; after a fault by another one. None if it was
    /// cancelled.
    pub(crate) async fn run<T>(
        &self,
        action: &Action,
        cancel: watch::Receiver<bool>,
        read: impl Fn(&[u8]) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let mut tried = vec![0; self.0.len()];
        loop {
            let index = self.next(&tried);
            let node = &self.0[index];
            // What the cache has may be the fault.
            let is_fresh = tried.iter().any(|count| *count > 0);
            tried[index] += 1;
            node.outstanding.fetch_add(1, Ordering::Relaxed);
            let output = node.execute(action, is_fresh, &cancel).await;
            node.outstanding.fetch_sub(1, Ordering::Relaxed);
            let fault = match output.and_then(|output| output.map(|output| read(&output)).transpose()) {
                Ok(answer) => {
                    *node.faults.lock().unwrap_or_else(PoisonError::into_inner) = (0, None);
                    return Ok(answer);
                }
                Err(fault) => fault,
            };
            if fault.kind == Kind::Incomplete {
                node.store.forget();
            } else {
                rest(node);
            }
            if fault.kind == Kind::Refused {
                tried[index] = TRIES;
            }
            if tried.iter().all(|count| *count >= TRIES) {
                return Err(fault);
            }
        }
    }

    /// The service that gets the next job: the one with the fewest jobs, among those that were tried least and do not rest.
    fn next(&self, tried: &[usize]) -> usize {
        let now = Instant::now();
        let order = |index: &usize| {
            let node = &self.0[*index];
            let until = node.faults.lock().unwrap_or_else(PoisonError::into_inner).1;
            (until.is_some_and(|until| until > now), tried[*index], node.outstanding.load(Ordering::Relaxed))
        };
        let open = (0..self.0.len()).filter(|index| tried[*index] < TRIES);
        open.min_by_key(order).unwrap_or_default()
    }
}

/// Lets a service rest after a fault.
fn rest(node: &Node) {
    let mut faults = node.faults.lock().unwrap_or_else(PoisonError::into_inner);
    faults.0 += 1;
    if faults.0 > 1 {
        let time = REST.saturating_mul(1 << (faults.0 - 2).min(16)).min(LONGEST);
        faults.1 = Instant::now().checked_add(time);
    }
}
