//! An engine for Breakthrough in Rust, with all six routines: prefers captures and advancing.
//!
//! rustc --edition 2024 --crate-type cdylib -O examples/engines/breaker.rs
//!
//! The interface is C, so pointers are checked nowhere; everything else is safe Rust.

use std::{
    ffi::{CStr, c_char, c_int, c_long},
    sync::Mutex,
};

/// The board: rank by rank from White's side; 1 is White, -1 Black.
struct Game {
    cells: [i8; 64],
    white_moves: bool,
    /// Where the list of moves that is being told stands.
    listed: usize,
}

static GAME: Mutex<Game> = Mutex::new(Game { cells: [0; 64], white_moves: true, listed: 0 });

const OK: c_int = 0;
const GENERIC_ERROR: c_int = -1;
const UNKNOWN_PIECE: c_int = -5;
const NO_MOVES: c_int = -8;
const UNKNOWN: c_long = -2_140_000_000;
const LOSS: c_long = -2_130_000_000;

fn cell_of(site: &str) -> Option<usize> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *site.as_bytes() else { return None };
    Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
}

fn site_of(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % 8) as u8), cell / 8 + 1)
}

impl Game {
    fn me(&self) -> i8 {
        if self.white_moves { 1 } else { -1 }
    }

    /// Moves as the cells where they begin and end.
    fn moves(&self) -> Vec<(usize, usize)> {
        let me = self.me();
        let mut moves = Vec::new();
        for from in (0..64).filter(|&it| self.cells[it] == me) {
            let rank = (from / 8) as i32 + i32::from(me);
            for step in [-1, 0, 1] {
                let file = (from % 8) as i32 + step;
                if !(0..8).contains(&rank) || !(0..8).contains(&file) {
                    continue;
                }
                let to = (rank * 8 + file) as usize;
                // Straight on only to empty squares; diagonally also to take.
                if self.cells[to] == 0 || (step != 0 && self.cells[to] == -me) {
                    moves.push((from, to));
                }
            }
        }
        moves
    }

    fn text(&self, (from, to): (usize, usize)) -> String {
        let mark = if self.cells[to] == 0 { "-" } else { "x" };
        format!("Pawn {} {mark} {}", site_of(from), site_of(to))
    }

    /// Whether the side to move has lost: the other has arrived, or nothing is left.
    fn is_lost(&self) -> bool {
        let (me, last) = (self.me(), if self.white_moves { 0..8 } else { 56..64 });
        last.into_iter().any(|it| self.cells[it] == -me) || !self.cells.contains(&me)
    }

    fn worth(&self, (from, to): (usize, usize)) -> i64 {
        let me = self.me();
        let rank = if self.white_moves { to / 8 } else { 7 - to / 8 } as i64;
        let takes = i64::from(self.cells[to] == -me);
        let is_hit = [-1, 1].iter().any(|side| {
            let (rank, file) = ((to / 8) as i32 + i32::from(me), (to % 8) as i32 + side);
            (0..8).contains(&rank)
                && (0..8).contains(&file)
                && self.cells[(rank * 8 + file) as usize] == -me
        });
        let _ = from;
        if rank == 7 { 1_000_000 } else { takes * 900 + rank * 40 - i64::from(is_hit) * 1000 }
    }

    fn make(&mut self, text: &str) -> Option<()> {
        if let Some(edit) = text.strip_prefix('(') {
            let words: Vec<&str> = edit.trim_end_matches(')').split(' ').collect();
            match words[..] {
                ["x", site] => self.cells[cell_of(site)?] = 0,
                [player, "Pawn", site] => {
                    self.cells[cell_of(site)?] = if player == "White" { 1 } else { -1 };
                }
                _ => return None,
            }
            return Some(());
        }
        let words: Vec<&str> = text.split(' ').collect();
        let ["Pawn", from, "-" | "x", to] = words[..] else { return None };
        let (from, to) = (cell_of(from)?, cell_of(to)?);
        self.cells[to] = std::mem::take(&mut self.cells[from]);
        self.white_moves = !self.white_moves;
        Some(())
    }
}

/// Runs a routine with the game.
fn with(routine: impl FnOnce(&mut Game) -> c_int) -> c_int {
    GAME.lock().map_or(GENERIC_ERROR, |mut game| routine(&mut game))
}

/// Writes a text for C.
unsafe fn put(to: *mut c_char, text: &str) {
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), to, text.len());
        *to.add(text.len()) = 0;
    }
}

#[unsafe(no_mangle)]
pub extern "system" fn DLL_StartNewGame(_variant: *const c_char) -> c_int {
    with(|game| {
        *game = Game { cells: [0; 64], white_moves: true, listed: 0 };
        OK
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn DLL_MakeAMove(text: *const c_char) -> c_int {
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    with(|game| game.make(&text).map_or(UNKNOWN_PIECE, |()| OK))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn DLL_Search(
    _time: c_long,
    _depth: c_long,
    _variety: c_long,
    _status: *const c_int,
    best: *mut c_char,
    current: *mut c_char,
    nodes: *mut c_long,
    score: *mut c_long,
    depth: *mut c_long,
) -> c_int {
    with(|game| {
        let moves = game.moves();
        let Some(&chosen) = moves.iter().max_by_key(|it| game.worth(**it)) else {
            return NO_MOVES;
        };
        unsafe {
            put(best, &game.text(chosen));
            put(current, &game.text(chosen));
            *nodes = moves.len() as c_long;
            *score = game.worth(chosen).clamp(-5000, 5000) as c_long;
            *depth = 1;
        }
        OK
    })
}

#[unsafe(no_mangle)]
pub extern "system" fn DLL_CleanUp() -> c_int {
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn DLL_IsGameOver(result: *mut c_long, comment: *mut c_char) -> c_int {
    with(|game| {
        let is_lost = game.is_lost();
        unsafe {
            *result = if is_lost { LOSS } else { UNKNOWN };
            if is_lost {
                put(comment, "A pawn has reached the last rank");
            }
        }
        OK
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn DLL_GenerateMoves(buffer: *mut c_char) -> c_int {
    with(|game| {
        // An empty text asks for the first move.
        if unsafe { *buffer } == 0 {
            game.listed = 0;
        }
        let moves = if game.is_lost() { Vec::new() } else { game.moves() };
        let text = moves.get(game.listed).map_or(String::new(), |it| game.text(*it));
        game.listed += 1;
        unsafe { put(buffer, &text) };
        OK
    })
}
