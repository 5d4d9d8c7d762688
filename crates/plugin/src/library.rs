//! The only unsafe code of this crate: a shared library and its routines.
//!
//! Whoever loads a library runs code that can do anything to its process, before the first
//! call already. So only the host process does it, which has confined itself before.

#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char, c_int, c_long},
    path::Path,
    sync::atomic::{AtomicI32, AtomicU8, Ordering},
};

#[cfg(any(windows, target_pointer_width = "32"))]
type AtomicLong = AtomicI32;
#[cfg(not(any(windows, target_pointer_width = "32")))]
type AtomicLong = std::sync::atomic::AtomicI64;

/// Bytes of each text that an engine may fill in. The interface promises 500 for a comment and
/// 1024 for a move; engines that write beyond that find more.
const ROOM: usize = 1 << 16;

type SearchFn = unsafe extern "system" fn(
    c_long,
    c_long,
    c_long,
    *const c_int,
    *mut c_char,
    *mut c_char,
    *mut c_long,
    *mut c_long,
    *mut c_long,
) -> c_int;
type TextFn = unsafe extern "system" fn(*const c_char) -> c_int;
type BareFn = unsafe extern "system" fn() -> c_int;
type GameOverFn = unsafe extern "system" fn(*mut c_long, *mut c_char) -> c_int;
type GenerateFn = unsafe extern "system" fn(*mut c_char) -> c_int;

/// A loaded engine. It is never unloaded: the process ends instead.
pub(crate) struct EngineLibrary {
    search: SearchFn,
    make_a_move: TextFn,
    start_new_game: TextFn,
    clean_up: BareFn,
    is_game_over: Option<GameOverFn>,
    generate_moves: Option<GenerateFn>,
}

/// What an engine and its host share during a search.
#[derive(Default)]
pub(crate) struct SearchBoard {
    /// 0: go on, 1: stop soon, 2: stop now.
    pub status: AtomicI32,
    nodes: AtomicLong,
    score: AtomicLong,
    depth: AtomicLong,
    best: TextRoom,
    current: TextRoom,
}

/// A text that an engine writes while the host reads it.
struct TextRoom(Box<[AtomicU8]>);

impl Default for TextRoom {
    fn default() -> TextRoom {
        TextRoom((0..ROOM).map(|_| AtomicU8::new(0)).collect())
    }
}

impl TextRoom {
    fn clear(&self) {
        self.0.iter().for_each(|it| it.store(0, Ordering::Relaxed));
    }

    fn bytes(&self) -> Vec<u8> {
        // The last byte is never given, so that a text always ends.
        let all = self.0.iter().take(ROOM - 1).map(|it| it.load(Ordering::Relaxed));
        all.take_while(|&it| it != 0).collect()
    }

    fn pointer(&self) -> *mut c_char {
        self.0.as_ptr().cast_mut().cast()
    }
}

/// The score that means that none is known.
pub(crate) const UNKNOWN_SCORE: i64 = -2_140_000_000;

impl SearchBoard {
    /// Makes everything ready for another search.
    pub fn reset(&self) {
        self.status.store(0, Ordering::SeqCst);
        self.nodes.store(0, Ordering::Relaxed);
        self.depth.store(0, Ordering::Relaxed);
        self.score.store(UNKNOWN_SCORE as c_long, Ordering::Relaxed);
        self.best.clear();
        self.current.clear();
    }

    /// Nodes, score and depth so far.
    pub fn numbers(&self) -> [i64; 3] {
        #[allow(clippy::useless_conversion, reason = "a long has 32 bits on some systems")]
        [&self.nodes, &self.score, &self.depth].map(|it| i64::from(it.load(Ordering::Relaxed)))
    }

    /// The best move so far, and the one being searched.
    pub fn moves(&self) -> [Vec<u8>; 2] {
        [self.best.bytes(), self.current.bytes()]
    }
}

impl EngineLibrary {
    /// Loads a library, which runs its initialisation, and finds its routines.
    pub fn load(path: &Path) -> Result<EngineLibrary, String> {
        // SAFETY: nothing makes foreign code safe. This process is confined and has nothing to
        // lose; the program that started it expects it to crash at any time.
        let library = unsafe { libloading::Library::new(path) }.map_err(|it| it.to_string())?;
        // For ever, since the routines below are used without it.
        let library: &'static libloading::Library = Box::leak(Box::new(library));
        let required = |name: &str| format!("it has no routine {name}");
        // SAFETY: the types are those of the interface; a library that has a routine of such a
        // name with another type breaks its own process.
        unsafe {
            Ok(EngineLibrary {
                search: *library.get(b"DLL_Search").map_err(|_| required("DLL_Search"))?,
                make_a_move: *library
                    .get(b"DLL_MakeAMove")
                    .map_err(|_| required("DLL_MakeAMove"))?,
                start_new_game: *library
                    .get(b"DLL_StartNewGame")
                    .map_err(|_| required("DLL_StartNewGame"))?,
                clean_up: *library.get(b"DLL_CleanUp").map_err(|_| required("DLL_CleanUp"))?,
                is_game_over: library.get(b"DLL_IsGameOver").ok().map(|it| *it),
                generate_moves: library.get(b"DLL_GenerateMoves").ok().map(|it| *it),
            })
        }
    }

    /// Whether the engine says when a game is over.
    pub fn has_game_over(&self) -> bool {
        self.is_game_over.is_some()
    }

    /// Whether the engine lists legal moves.
    pub fn has_moves(&self) -> bool {
        self.generate_moves.is_some()
    }

    /// `DLL_StartNewGame`.
    pub fn start_new_game(&self, variant: &[u8]) -> i32 {
        let variant = text(variant);
        // SAFETY: the text ends with a zero and lives until the call returns.
        unsafe { (self.start_new_game)(variant.as_ptr()) }
    }

    /// `DLL_MakeAMove`.
    pub fn make_a_move(&self, mv: &[u8]) -> i32 {
        let mv = text(mv);
        // SAFETY: as above.
        unsafe { (self.make_a_move)(mv.as_ptr()) }
    }

    /// `DLL_CleanUp`.
    pub fn clean_up(&self) -> i32 {
        // SAFETY: the routine takes nothing.
        unsafe { (self.clean_up)() }
    }

    /// `DLL_Search`.
    pub fn search(&self, time: c_long, depth: c_long, variety: c_long, board: &SearchBoard) -> i32 {
        // SAFETY: all pointers stay valid until the call returns, and what they point to may be
        // written by the engine while the host reads it, since it is atomic here.
        unsafe {
            (self.search)(
                time,
                depth,
                variety,
                board.status.as_ptr(),
                board.best.pointer(),
                board.current.pointer(),
                board.nodes.as_ptr(),
                board.score.as_ptr(),
                board.depth.as_ptr(),
            )
        }
    }

    /// `DLL_IsGameOver`: code, score and comment.
    pub fn is_game_over(&self) -> Option<(i32, i64, Vec<u8>)> {
        let routine = self.is_game_over?;
        let mut result = UNKNOWN_SCORE as c_long;
        let mut comment = vec![0_u8; ROOM];
        // SAFETY: both pointers are valid until the call returns, and the room is larger than
        // the 500 bytes that the interface promises.
        let code = unsafe { routine(&raw mut result, comment.as_mut_ptr().cast()) };
        #[allow(clippy::useless_conversion, reason = "a long has 32 bits on some systems")]
        Some((code, i64::from(result), until_zero(&comment)))
    }

    /// `DLL_GenerateMoves`: puts the next move into a buffer, which says the one before.
    pub fn generate_move(&self, buffer: &mut MoveBuffer) -> Option<i32> {
        let routine = self.generate_moves?;
        // SAFETY: the room is larger than the 1024 bytes that the interface promises.
        Some(unsafe { routine(buffer.0.as_mut_ptr().cast()) })
    }
}

/// The buffer of `DLL_GenerateMoves`.
pub(crate) struct MoveBuffer(Vec<u8>);

impl MoveBuffer {
    /// An empty text, which asks for the first move.
    pub fn new() -> MoveBuffer {
        MoveBuffer(vec![0; ROOM])
    }

    /// The move in it; empty behind the last one.
    pub fn text(&self) -> Vec<u8> {
        until_zero(&self.0)
    }
}

fn until_zero(bytes: &[u8]) -> Vec<u8> {
    let text = CStr::from_bytes_until_nul(bytes);
    text.map_or_else(|_| bytes.to_vec(), |it| it.to_bytes().to_vec())
}

/// A text for C, up to its first zero.
fn text(bytes: &[u8]) -> CString {
    let bytes = bytes.split(|&it| it == 0).next().unwrap_or_default();
    CString::new(bytes).unwrap_or_default()
}
