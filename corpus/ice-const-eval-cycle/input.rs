//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Bitboards for a chess program: masks, zones, attacks, and a plain
//! evaluation that counts who holds which part of the board.

/// Squares and sets of squares.
pub mod bits {
    use std::fmt;
    use std::ops::{BitAnd, BitOr, Not};

    /// A square, a1 = 0, b1 = 1, ... h8 = 63.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct Square(u8);

    impl Square {
        pub const fn new(file: u8, rank: u8) -> Option<Square> {
            if file < 8 && rank < 8 {
                Some(Square(rank * 8 + file))
            } else {
                None
            }
        }

        pub const fn index(self) -> usize {
            self.0 as usize
        }

        pub const fn file(self) -> u8 {
            self.0 & 7
        }

        pub const fn rank(self) -> u8 {
            self.0 >> 3
        }

        /// The square some files to the right and some ranks up.
        pub fn offset(self, files: i8, ranks: i8) -> Option<Square> {
            let file = self.file() as i8 + files;
            let rank = self.rank() as i8 + ranks;
            match (u8::try_from(file), u8::try_from(rank)) {
                (Ok(file), Ok(rank)) => Square::new(file, rank),
                _ => None,
            }
        }

        pub fn all() -> impl Iterator<Item = Square> {
            (0..64).map(Square)
        }
    }

    impl fmt::Display for Square {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let file = (b'a' + self.file()) as char;
            write!(f, "{file}{}", self.rank() + 1)
        }
    }

    impl fmt::Debug for Square {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Display::fmt(self, f)
        }
    }

    /// A set of squares.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Board(pub u64);

    impl Board {
        pub const EMPTY: Board = Board(0);

        pub const fn contains(self, square: Square) -> bool {
            self.0 >> square.index() & 1 == 1
        }

        pub fn insert(&mut self, square: Square) {
            self.0 |= 1 << square.index();
        }

        pub fn remove(&mut self, square: Square) {
            self.0 &= !(1 << square.index());
        }

        pub const fn len(self) -> u32 {
            self.0.count_ones()
        }

        pub const fn is_empty(self) -> bool {
            self.0 == 0
        }

        pub fn iter(self) -> impl Iterator<Item = Square> {
            Square::all().filter(move |&square| self.contains(square))
        }
    }

    impl BitAnd for Board {
        type Output = Board;

        fn bitand(self, other: Board) -> Board {
            Board(self.0 & other.0)
        }
    }

    impl BitOr for Board {
        type Output = Board;

        fn bitor(self, other: Board) -> Board {
            Board(self.0 | other.0)
        }
    }

    impl Not for Board {
        type Output = Board;

        fn not(self) -> Board {
            Board(!self.0)
        }
    }

    impl FromIterator<Square> for Board {
        fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Board {
            let mut board = Board::EMPTY;
            squares.into_iter().for_each(|square| board.insert(square));
            board
        }
    }

    impl fmt::Debug for Board {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_set().entries(self.iter()).finish()
        }
    }
}

/// Masks that are known before the program starts.
pub mod masks {
    /// The lowest rank and the leftmost file; all the others are shifts.
    pub const FIRST_RANK: u64 = 0x0000_0000_0000_00ff;
    pub const FIRST_FILE: u64 = 0x0101_0101_0101_0101;

    macro_rules! lines {
        ($(#[$meta:meta])* $module:ident: $base:expr, $step:expr => $($name:ident = $nth:expr),* $(,)?) => {
            $(#[$meta])*
            pub mod $module {
                use super::*;

                $(pub static $name: u64 = $base << ($step * $nth);)*
            }
        };
    }

    lines! {
        /// The eight files.
        files: FIRST_FILE, 1 => A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7
    }

    lines! {
        /// The eight ranks, from White's side.
        ranks: FIRST_RANK, 8 => R1 = 0, R2 = 1, R3 = 2, R4 = 3, R5 = 4, R6 = 5, R7 = 6, R8 = 7
    }

    /// Union of a number of masks.
    pub const fn union(parts: &[u64]) -> u64 {
        let mut all = 0;
        let mut index = 0;
        while index < parts.len() {
            all |= parts[index];
            index += 1;
        }
        all
    }

    /// Mirror image with White and Black exchanged.
    pub const fn mirror(mask: u64) -> u64 {
        mask.swap_bytes()
    }

    /// All squares at the edge of the board.
    pub static RIM: u64 = union(&[files::A, files::H, ranks::R1]) | mirror(RIM);

    /// The light squares.
    pub static LIGHT: u64 = {
        let row = 0xaa;
        union(&[row, mirror(row >> 1), row << 16, row << 32, row << 48]) | (row >> 1) << 8
    };
}

/// Named parts of the board, with the weight the evaluation gives them.
pub mod zones {
    use crate::bits::Board;
    use crate::masks::{files, ranks, LIGHT, RIM};
    use std::fmt;

    /// Which way a zone counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Bonus {
        /// Good to stand there.
        Hold(i32),
        /// Bad to stand there.
        Avoid(i32),
        Nothing,
    }

    impl Bonus {
        pub const fn value(self) -> i32 {
            match self {
                Bonus::Hold(points) => points,
                Bonus::Avoid(points) => -points,
                Bonus::Nothing => 0,
            }
        }
    }

    pub struct Zone {
        pub name: &'static str,
        pub squares: &'static u64,
        pub bonus: Bonus,
    }

    impl Zone {
        pub const fn new(name: &'static str, squares: &'static u64, bonus: Bonus) -> Zone {
            Zone {
                name,
                squares,
                bonus,
            }
        }

        pub fn board(&self) -> Board {
            Board(*self.squares)
        }
    }

    impl fmt::Display for Zone {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let sign = if self.bonus.value() < 0 { '-' } else { '+' };
            write!(f, "{}{sign}{}", self.name, self.bonus.value().abs())
        }
    }

    const CENTRE_MASK: u64 = 0x0000_0018_1800_0000;

    /// The four squares in the middle.
    pub static CENTRE: Zone = Zone::new("centre", &CENTRE_MASK, Bonus::Hold(12));

    /// The ring around them.
    pub static RING: Zone = Zone {
        name: "ring",
        squares: &0x0000_3c24_243c_0000,
        bonus: Bonus::Hold(5),
    };

    /// Where knights do badly: the edge, and the squares in the corners' reach.
    pub static OUTSKIRTS: Zone =
        Zone::new("outskirts", &(0x0042_0000_0000_4200 | RIM), Bonus::Avoid(7));

    /// Every zone that the evaluation looks at.
    pub fn all() -> [&'static Zone; 3] {
        [&CENTRE, &RING, &OUTSKIRTS]
    }

    /// The squares of one colour on the queen's side.
    pub fn queen_side(light: bool) -> Board {
        let half = Board(files::A | files::B | files::C | files::D);
        let colour = if light { Board(LIGHT) } else { Board(!LIGHT) };
        half & colour
    }

    /// The ranks behind the pawns of one side.
    pub fn home(white: bool) -> Board {
        if white {
            Board(ranks::R1 | ranks::R2)
        } else {
            Board(ranks::R7 | ranks::R8)
        }
    }
}

/// Pieces and positions.
pub mod position {
    use crate::bits::{Board, Square};
    use std::fmt;
    use std::str::FromStr;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Side {
        White,
        Black,
    }

    impl Side {
        pub fn other(self) -> Side {
            match self {
                Side::White => Side::Black,
                Side::Black => Side::White,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Kind {
        Pawn,
        Knight,
        Bishop,
        Rook,
        Queen,
        King,
    }

    impl Kind {
        pub const ALL: [Kind; 6] = [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
            Kind::King,
        ];

        pub fn letter(self) -> char {
            match self {
                Kind::Pawn => 'p',
                Kind::Knight => 'n',
                Kind::Bishop => 'b',
                Kind::Rook => 'r',
                Kind::Queen => 'q',
                Kind::King => 'k',
            }
        }

        pub fn value(self) -> i32 {
            match self {
                Kind::Pawn => 100,
                Kind::Knight => 310,
                Kind::Bishop => 330,
                Kind::Rook => 500,
                Kind::Queen => 900,
                Kind::King => 0,
            }
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    pub enum FenError {
        Piece(char),
        Ranks(usize),
        Overfull { rank: u8 },
    }

    impl fmt::Display for FenError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                FenError::Piece(letter) => write!(f, "`{letter}` is not a piece"),
                FenError::Ranks(found) => write!(f, "expected 8 ranks, found {found}"),
                FenError::Overfull { rank } => write!(f, "rank {} is too long", rank + 1),
            }
        }
    }

    impl std::error::Error for FenError {}

    /// Where everything stands.
    #[derive(Clone, Debug, Default)]
    pub struct Position {
        kinds: [Board; 6],
        white: Board,
    }

    impl Position {
        pub fn put(&mut self, square: Square, side: Side, kind: Kind) {
            self.clear(square);
            self.kinds[kind as usize].insert(square);
            if side == Side::White {
                self.white.insert(square);
            }
        }

        pub fn clear(&mut self, square: Square) {
            self.white.remove(square);
            for board in &mut self.kinds {
                board.remove(square);
            }
        }

        pub fn occupied(&self) -> Board {
            self.kinds
                .iter()
                .fold(Board::EMPTY, |all, &board| all | board)
        }

        pub fn pieces(&self, side: Side, kind: Kind) -> Board {
            let own = match side {
                Side::White => self.white,
                Side::Black => !self.white,
            };
            self.kinds[kind as usize] & own
        }
    }

    impl FromStr for Position {
        type Err = FenError;

        fn from_str(text: &str) -> Result<Position, FenError> {
            let placement = text.split(' ').next().unwrap_or("");
            let rows: Vec<&str> = placement.split('/').collect();
            if rows.len() != 8 {
                return Err(FenError::Ranks(rows.len()));
            }
            let mut position = Position::default();
            for (rank, row) in (0..8u8).rev().zip(rows) {
                let mut file = 0;
                for letter in row.chars() {
                    if let Some(skip) = letter.to_digit(10) {
                        file += skip as u8;
                        continue;
                    }
                    let kind = Kind::ALL
                        .into_iter()
                        .find(|kind| kind.letter() == letter.to_ascii_lowercase())
                        .ok_or(FenError::Piece(letter))?;
                    let side = if letter.is_ascii_uppercase() {
                        Side::White
                    } else {
                        Side::Black
                    };
                    let square = Square::new(file, rank).ok_or(FenError::Overfull { rank })?;
                    position.put(square, side, kind);
                    file += 1;
                }
            }
            Ok(position)
        }
    }
}

/// Who attacks what.
pub mod attacks {
    use crate::bits::{Board, Square};
    use crate::position::{Kind, Position, Side};

    const KNIGHT: &[(i8, i8)] = &[
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    const STRAIGHT: &[(i8, i8)] = &[(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: &[(i8, i8)] = &[(1, 1), (-1, 1), (1, -1), (-1, -1)];

    fn slide(from: Square, steps: &[(i8, i8)], blockers: Board) -> Board {
        let mut reached = Board::EMPTY;
        for &(files, ranks) in steps {
            let mut next = from.offset(files, ranks);
            while let Some(square) = next {
                reached.insert(square);
                next = if blockers.contains(square) {
                    None
                } else {
                    square.offset(files, ranks)
                };
            }
        }
        reached
    }

    fn step(from: Square, steps: &[(i8, i8)]) -> Board {
        steps
            .iter()
            .filter_map(|&(files, ranks)| from.offset(files, ranks))
            .collect()
    }

    pub fn from(square: Square, side: Side, kind: Kind, blockers: Board) -> Board {
        let up = if side == Side::White { 1 } else { -1 };
        match kind {
            Kind::Pawn => step(square, &[(1, up), (-1, up)]),
            Kind::Knight => step(square, KNIGHT),
            Kind::Bishop => slide(square, DIAGONAL, blockers),
            Kind::Rook => slide(square, STRAIGHT, blockers),
            Kind::Queen => slide(square, DIAGONAL, blockers) | slide(square, STRAIGHT, blockers),
            Kind::King => step(square, STRAIGHT) | step(square, DIAGONAL),
        }
    }

    /// Everything that one side attacks.
    pub fn by_side(position: &Position, side: Side) -> Board {
        let blockers = position.occupied();
        Kind::ALL
            .into_iter()
            .flat_map(|kind| {
                position
                    .pieces(side, kind)
                    .iter()
                    .map(move |square| from(square, side, kind, blockers))
            })
            .fold(Board::EMPTY, |all, board| all | board)
    }
}

/// The evaluation, in hundredths of a pawn, from White's side.
pub mod eval {
    use crate::attacks;
    use crate::masks::RIM;
    use crate::position::{Kind, Position, Side};
    use crate::zones;

    fn material(position: &Position, side: Side) -> i32 {
        Kind::ALL
            .iter()
            .map(|&kind| position.pieces(side, kind).len() as i32 * kind.value())
            .sum()
    }

    fn placement(position: &Position, side: Side) -> i32 {
        let knights = position.pieces(side, Kind::Knight);
        let attacked = attacks::by_side(position, side);
        zones::all()
            .into_iter()
            .map(|zone| {
                let standing = (knights & zone.board()).len() as i32;
                let seen = (attacked & zone.board()).len() as i32;
                standing * zone.bonus.value() + seen.min(4)
            })
            .sum()
    }

    pub fn evaluate(position: &Position) -> i32 {
        let of = |side| material(position, side) + placement(position, side);
        of(Side::White) - of(Side::Black)
    }

    /// Whether a king has left the edge of the board.
    pub fn king_is_out(position: &Position, side: Side) -> bool {
        let king = position.pieces(side, Kind::King);
        king.0 & RIM == 0 && !king.is_empty()
    }
}
