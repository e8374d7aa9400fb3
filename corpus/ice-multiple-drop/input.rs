//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Tile cache of a map viewer: tiles are loaded once, leased to the views which
//! draw them, and given back when the lease ends.

#![allow(drop_bounds)]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Display};

/// Address of a tile: zoom level, column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKey {
    pub zoom: u8,
    pub x: u32,
    pub y: u32,
}

impl TileKey {
    pub const WORLD: TileKey = TileKey {
        zoom: 0,
        x: 0,
        y: 0,
    };

    /// Checked constructor; columns and rows are limited by the zoom level.
    pub fn new(zoom: u8, x: u32, y: u32) -> Result<Self, CacheError> {
        let side = 1u32.checked_shl(u32::from(zoom)).unwrap_or(0);
        if x < side && y < side {
            Ok(TileKey { zoom, x, y })
        } else {
            Err(CacheError::OutsideWorld { zoom, x, y })
        }
    }

    pub fn parent(self) -> Option<TileKey> {
        let zoom = self.zoom.checked_sub(1)?;
        Some(TileKey {
            zoom,
            x: self.x / 2,
            y: self.y / 2,
        })
    }

    pub fn children(self) -> [TileKey; 4] {
        let TileKey { zoom, x, y } = self;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| TileKey {
            zoom: zoom + 1,
            x: 2 * x + dx,
            y: 2 * y + dy,
        })
    }
}

impl Display for TileKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.zoom, self.x, self.y)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheError {
    OutsideWorld { zoom: u8, x: u32, y: u32 },
    Missing(TileKey),
    Busy { key: TileKey, leases: u32 },
}

impl Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideWorld { zoom, x, y } => {
                write!(f, "{x}/{y} does not exist at zoom {zoom}")
            }
            Self::Missing(key) => write!(f, "tile {key} is not cached"),
            Self::Busy { key, leases } => write!(f, "tile {key} is leased {leases} times"),
        }
    }
}

impl std::error::Error for CacheError {}

pub mod clock {
    use std::cell::Cell;

    /// Where leases get their times from.
    pub trait Clock {
        fn now(&self) -> u64;

        fn since(&self, earlier: u64) -> u64 {
            self.now().saturating_sub(earlier)
        }
    }

    /// Counts calls; good enough for tests.
    #[derive(Debug, Default)]
    pub struct Ticks(Cell<u64>);

    impl Clock for Ticks {
        fn now(&self) -> u64 {
            let now = self.0.get() + 1;
            self.0.set(now);
            now
        }
    }

    impl<C: Clock + ?Sized> Clock for &C {
        fn now(&self) -> u64 {
            (**self).now()
        }
    }
}

pub mod tile {
    use super::TileKey;

    /// The contents of a tile.
    pub trait Tile {
        const KIND: &'static str;

        fn key(&self) -> TileKey;

        fn bytes(&self) -> usize;
    }

    #[derive(Debug, Clone)]
    pub struct Raster {
        pub key: TileKey,
        pub pixels: Vec<u32>,
    }

    #[derive(Debug, Clone)]
    pub struct Outline {
        pub key: TileKey,
        pub points: Vec<(i16, i16)>,
        pub closed: bool,
    }

    macro_rules! impl_tile {
        ($($name:ident { $field:ident, $kind:literal, $size:expr }),* $(,)?) => {$(
            impl Tile for $name {
                const KIND: &'static str = $kind;

                fn key(&self) -> TileKey {
                    self.key
                }

                fn bytes(&self) -> usize {
                    self.$field.len() * $size
                }
            }
        )*};
    }

    impl_tile! {
        Raster { pixels, "raster", 4 },
        Outline { points, "outline", 2 * std::mem::size_of::<i16>() },
    }
}

pub mod lease {
    use super::clock::Clock;
    use super::tile::Tile;
    use super::{Cache, CacheError, Cell, Debug, TileKey};

    /// How a lease came to its end.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Ending {
        #[default]
        Open,
        Returned,
        Stolen,
    }

    /// A tile which is taken out of the cache for a while.
    #[derive(Debug)]
    pub struct Lease<'c, T, C>
    where
        T: Tile + Debug,
        C: Clock,
        [T]: Sized,
        Self: Drop,
    {
        pub(crate) cache: &'c Cache<T>,
        pub(crate) tile: Option<T>,
        pub(crate) clock: C,
        pub(crate) began: u64,
        pub(crate) ending: Cell<Ending>,
    }

    impl<'c, T, C> Lease<'c, T, C>
    where
        T: Tile + Debug,
        C: Clock,
        [T]: Sized,
        Self: Drop,
    {
        pub fn open(cache: &'c Cache<T>, key: TileKey, clock: C) -> Result<Self, CacheError> {
            let tile = cache.take(key)?;
            let began = clock.now();
            Ok(Lease {
                cache,
                tile: Some(tile),
                clock,
                began,
                ending: Cell::default(),
            })
        }

        pub fn key(&self) -> Option<TileKey> {
            self.tile.as_ref().map(T::key)
        }

        pub fn age(&self) -> u64 {
            self.clock.since(self.began)
        }

        /// Takes the tile away from the lease.
        pub fn steal(&mut self) -> Option<T> {
            self.ending.set(Ending::Stolen);
            self.tile.take()
        }
    }
}

pub mod audit {
    use super::clock::Clock;
    use super::lease::{Ending, Lease};
    use super::tile::Tile;
    use super::{Debug, RefCell};

    thread_local! {
        static LOG: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    pub fn note(line: impl Into<String>) {
        LOG.with(|log| log.borrow_mut().push(line.into()));
    }

    pub fn drain() -> Vec<String> {
        LOG.with(|log| std::mem::take(&mut *log.borrow_mut()))
    }

    /// Leases leave a line in the log.
    impl<'c, T, C> Drop for Lease<'c, T, C>
    where
        T: Tile + Debug,
        C: Clock,
        [T]: Sized,
        Self: Drop,
    {
        fn drop(&mut self) {
            let kind = T::KIND;
            match self.ending.get() {
                Ending::Stolen => note(format!("{kind}: stolen after {}", self.age())),
                ending => note(format!("{kind}: {ending:?} after {}", self.age())),
            }
        }
    }
}

/// All tiles of one kind.
#[derive(Debug)]
pub struct Cache<T> {
    tiles: RefCell<BTreeMap<TileKey, T>>,
    out: RefCell<BTreeMap<TileKey, u32>>,
    budget: usize,
    evicted: Cell<usize>,
}

impl<T: tile::Tile> Cache<T> {
    pub fn with_budget(budget: usize) -> Self {
        Cache {
            tiles: RefCell::default(),
            out: RefCell::default(),
            budget,
            evicted: Cell::new(0),
        }
    }

    pub fn put(&self, tile: T) {
        let key = tile.key();
        self.out.borrow_mut().remove(&key);
        self.tiles.borrow_mut().insert(key, tile);
        self.shrink();
    }

    pub fn take(&self, key: TileKey) -> Result<T, CacheError> {
        if let Some(&leases) = self.out.borrow().get(&key) {
            return Err(CacheError::Busy { key, leases });
        }
        let tile = self
            .tiles
            .borrow_mut()
            .remove(&key)
            .ok_or(CacheError::Missing(key))?;
        *self.out.borrow_mut().entry(key).or_insert(0) += 1;
        Ok(tile)
    }

    pub fn bytes(&self) -> usize {
        self.tiles.borrow().values().map(T::bytes).sum()
    }

    /// Removes the deepest tiles until the budget is met.
    fn shrink(&self) {
        while self.bytes() > self.budget {
            let Some((key, _)) = self.tiles.borrow_mut().pop_last() else {
                break;
            };
            self.evicted.set(self.evicted.get() + 1);
            audit::note(format!("evicted {key}"));
        }
    }
}

pub mod giveback {
    use super::clock::Clock;
    use super::lease::{Ending, Lease};
    use super::tile::Tile;
    use super::{CacheError, Debug, TileKey};

    /// Ends a lease early.
    pub fn finish<'c, T, C>(lease: Lease<'c, T, C>) -> u64
    where
        T: Tile + Debug,
        C: Clock,
        [T]: Sized,
        Lease<'c, T, C>: Drop,
    {
        lease.ending.set(Ending::Returned);
        lease.age()
    }

    /// Leased tiles go back to their cache.
    impl<'c, T, C> Drop for Lease<'c, T, C>
    where
        T: Tile + Debug,
        C: Clock,
        [T]: Sized,
        Self: Drop,
    {
        fn drop(&mut self) {
            if let Some(tile) = self.tile.take() {
                self.cache.put(tile);
            }
        }
    }

    /// The tile of `key`, or the closest tile above it.
    pub fn closest<T: Tile>(
        cache: &super::Cache<T>,
        mut key: TileKey,
    ) -> Result<(T, u8), CacheError> {
        let wanted = key.zoom;
        loop {
            match cache.take(key) {
                Ok(tile) => return Ok((tile, wanted - key.zoom)),
                Err(CacheError::Missing(_)) => {
                    key = key.parent().ok_or(CacheError::Missing(TileKey::WORLD))?;
                }
                Err(other) => return Err(other),
            }
        }
    }
}

/// Fills a cache with flat tiles, `depth` levels deep.
pub fn sample_cache(depth: u8, budget: usize) -> Cache<tile::Raster> {
    let cache = Cache::with_budget(budget);
    let mut level = vec![TileKey::WORLD];
    for zoom in 0..=depth {
        let next = level.iter().flat_map(|key| key.children()).collect();
        for key in std::mem::replace(&mut level, next) {
            cache.put(tile::Raster {
                key,
                pixels: vec![u32::from(zoom); 16],
            });
        }
    }
    cache
}
