//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A pool of connections that are lent out by key and come back when the lease ends.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

/// Counts what happens to the connections of one pool.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    pub lent: usize,
    pub returned: usize,
    pub opened: usize,
    pub refused: usize,
}

impl Counters {
    pub fn open(&self) -> usize {
        self.lent.saturating_sub(self.returned)
    }
}

#[derive(Debug)]
pub enum PoolError<E> {
    Exhausted { limit: usize },
    Connect(E),
}

impl<E: fmt::Display> fmt::Display for PoolError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoolError::Exhausted { limit } => write!(f, "all {limit} connections are lent"),
            PoolError::Connect(error) => write!(f, "cannot connect: {error}"),
        }
    }
}

/// How a connection is made.
pub trait Connector<K> {
    type Connection;
    type Error;

    fn connect(&self, key: &K) -> Result<Self::Connection, Self::Error>;
}

/// A connection that is out of the pool, with what the pool wants to know when it comes back.
pub struct Lease<K, C, S> {
    key: K,
    connection: C,
    scope: S,
    notes: Vec<String>,
}

impl<K: Clone, C, S> Lease<K, C, S> {
    pub fn new(key: &K, connection: C, scope: S) -> Self {
        Lease { key: key.clone(), connection, scope, notes: Vec::new() }
    }

    pub fn note(&mut self, text: &str) -> &mut Self {
        self.notes.push(text.trim().to_string());
        self
    }

    pub fn key(&self) -> &K {
        &self.key
    }

    pub fn scope(&self) -> &S {
        &self.scope
    }
}

impl<K, C, S> Lease<K, C, S> {
    /// Ends the lease without a report, and gives the connection to the caller.
    pub fn finish(self) -> C {
        let connection = self.connection;
        connection
    }

    pub fn connection(&mut self) -> &mut C {
        &mut self.connection
    }
}

impl<K, C, S> Drop for Lease<K, C, S> {
    fn drop(&mut self) {
        for note in self.notes.drain(..) {
            eprintln!("lease: {note}");
        }
    }
}

pub struct Pool<K, F: Connector<K>> {
    connector: F,
    idle: HashMap<K, Vec<F::Connection>>,
    limit: usize,
    counters: Counters,
}

impl<K: Clone + Eq + Hash, F: Connector<K>> Pool<K, F> {
    pub fn new(connector: F, limit: usize) -> Self {
        Pool { connector, idle: HashMap::new(), limit, counters: Counters::default() }
    }

    pub fn lend<S>(&mut self, key: &K, scope: S) -> Result<Lease<K, F::Connection, S>, PoolError<F::Error>> {
        if self.counters.open() >= self.limit {
            self.counters.refused += 1;
            return Err(PoolError::Exhausted { limit: self.limit });
        }
        let connection = match self.idle.get_mut(key).and_then(Vec::pop) {
            Some(connection) => connection,
            None => {
                self.counters.opened += 1;
                self.connector.connect(key).map_err(PoolError::Connect)?
            }
        };
        self.counters.lent += 1;
        Ok(Lease::new(key, connection, scope))
    }

    /// Takes a connection back, and gives it to the caller.
    pub fn give_back<S>(&mut self, mut lease: Lease<K, F::Connection, S>) -> F::Connection
    where
        F::Connection: Clone,
    {
        let connection = lease.connection().clone();
        self.idle.entry(lease.key().clone()).or_default().push(connection);
        self.counters.returned += 1;
        lease.finish()
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }
}
