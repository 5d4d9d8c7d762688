//! Reads FEN, the notation of chess programs for a state, where the rules allow it.
//!
//! FEN has letters and rows, rules have names and sites. FEN is accepted if the board is one
//! upright grid, the game has two players, and each kind of piece has a letter of its own.
//! Fields whose meaning is not clear in a game are refused, not guessed.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use anyhow::{Context, Result, bail};
use boardwright_game::{Attribute, PieceKind, Player, Ruleset, Site};
use boardwright_play::{Rules, State};

use crate::codec;

/// Reads a state from FEN.
pub(crate) fn read(rules: &Arc<Rules>, text: &str) -> Result<State> {
    let reader = FenReader::new(&rules.ruleset)?;
    let text = reader.translate(text)?;
    Ok(State::from_text(Arc::clone(rules), &text)?)
}

/// A piece of a FEN on its site.
struct FenPiece {
    owner: usize,
    kind: PieceKind,
    site: Site,
    /// Whether it keeps the attribute that pieces have until their first move.
    is_fresh: bool,
}

/// The letters, rows and players of a game, to read FEN with.
struct FenReader<'a> {
    ruleset: &'a Ruleset,
    players: [Player; 2],
    /// The rows from the top, each from the left.
    rows: Vec<Vec<Site>>,
    /// The kinds by their label in capitals, `Q` or `+P`.
    kinds: BTreeMap<String, PieceKind>,
    /// The attribute of pieces that have not moved, which castling requires; if there is one.
    fresh: Option<Attribute>,
}

impl<'a> FenReader<'a> {
    fn new(ruleset: &'a Ruleset) -> Result<FenReader<'a>> {
        let movers = codec::movers(ruleset);
        let [one, two] = movers[..] else {
            bail!("FEN is for two players; this game has {}", movers.len());
        };
        let mut kinds = BTreeMap::new();
        for (idx, info) in ruleset.pieces.iter().enumerate().filter(|(_, it)| !it.is_dummy) {
            let kind = PieceKind(idx as u16);
            let label = label(ruleset, kind);
            if let Some(other) = kinds.insert(label.clone(), kind) {
                let other = ruleset.piece_name(other);
                bail!("FEN is ambiguous here: `{label}` may be {other} or {}", info.name);
            }
        }
        let rows = rows(ruleset)?;
        let kept = |idx: usize| {
            let bit = Attribute(idx as u16).bit();
            ruleset.pieces.iter().filter(|it| it.default_attributes & bit != 0).count() > 1
        };
        let mut fresh = (0..ruleset.attributes.len()).filter(|&it| kept(it));
        let fresh = match (fresh.next(), fresh.next()) {
            (Some(it), None) => Some(Attribute(it as u16)),
            _ => None,
        };
        Ok(FenReader { ruleset, players: [one, two], rows, kinds, fresh })
    }

    /// Translates FEN to our text of a state.
    fn translate(&self, fen: &str) -> Result<String> {
        let mut fields = fen.split_whitespace();
        let placement = fields.next().context("the FEN is empty")?;
        let side = fields.next().unwrap_or("w");
        let castling = fields.next().unwrap_or("-");
        let en_passant = fields.next().unwrap_or("-");
        let number = fields.nth(1).unwrap_or("1");
        let (board, hands) = match placement.split_once('[') {
            Some((board, hands)) => (board, hands.trim_end_matches(']')),
            None => (placement, ""),
        };
        let mut placed = self.placement(board)?;
        self.castle(&mut placed, castling)?;
        let mover = self.side(side)?;
        let mut text = String::new();
        for (idx, &player) in self.players.iter().enumerate() {
            let _ = write!(text, "on {}", quoted(self.ruleset.player_name(player)));
            for it in placed.iter().filter(|it| it.owner == idx) {
                let _ = write!(text, " ({}", quoted(self.ruleset.piece_name(it.kind)));
                if let Some(attribute) = self.fresh.filter(|_| !it.is_fresh)
                    && self.has_attribute(it.kind, attribute)
                {
                    let name = &self.ruleset.attributes[attribute.idx()];
                    let _ = write!(text, " ({} false)", quoted(name));
                }
                let _ = write!(text, " {})", quoted(self.ruleset.board.site_name(it.site)));
            }
            text.push_str("; ");
        }
        text.push_str(&self.hands(hands)?);
        let turn = self.turn_of(self.players[mover])?;
        let name = quoted(self.ruleset.player_name(self.players[mover]));
        let number: u32 = number.parse().unwrap_or(1).max(1);
        let _ = write!(text, "turn {turn} {name}; move {number}");
        text.push_str(&self.last_move(en_passant, mover)?);
        Ok(text)
    }

    fn placement(&self, board: &str) -> Result<Vec<FenPiece>> {
        let given: Vec<&str> = board.split('/').collect();
        if given.len() != self.rows.len() {
            bail!("the FEN has {} rows, the board {}", given.len(), self.rows.len());
        }
        let mut placed = Vec::new();
        for (row, sites) in given.iter().zip(&self.rows) {
            let mut column = 0_usize;
            let mut chars = row.chars().peekable();
            while let Some(ch) = chars.next() {
                if let Some(digit) = ch.to_digit(10) {
                    let mut free = digit as usize;
                    while let Some(more) = chars.peek().and_then(|it| it.to_digit(10)) {
                        free = free.saturating_mul(10).saturating_add(more as usize);
                        chars.next();
                    }
                    column = column.saturating_add(free);
                    if column > sites.len() {
                        bail!("the row `{row}` is too long");
                    }
                    continue;
                }
                let mut label = ch.to_string();
                if ch == '+' {
                    label.extend(chars.next());
                }
                // The mark of promoted pieces in Crazyhouse.
                if chars.peek() == Some(&'~') {
                    bail!("promoted pieces with `~` are not understood");
                }
                let site = *sites.get(column).with_context(|| format!("`{row}` is too long"))?;
                let (owner, kind) = self.piece(&label)?;
                placed.push(FenPiece { owner, kind, site, is_fresh: true });
                column += 1;
            }
            if column != sites.len() {
                bail!("the row `{row}` has {column} cells, the board {}", sites.len());
            }
        }
        Ok(placed)
    }

    /// The owner and the kind of a label; capitals are the first player's.
    fn piece(&self, label: &str) -> Result<(usize, PieceKind)> {
        let upper = label.to_uppercase();
        let kind =
            *self.kinds.get(&upper).with_context(|| format!("no piece is called `{label}`"))?;
        Ok((usize::from(upper != label), kind))
    }

    fn side(&self, side: &str) -> Result<usize> {
        let begins = |player: &Player| {
            let name = self.ruleset.player_name(*player);
            name.to_lowercase().starts_with(&side.to_lowercase())
        };
        let named = self.players.iter().position(begins);
        match (named, side) {
            (Some(it), _) => Ok(it),
            (None, "w") => Ok(0),
            (None, "b") => Ok(1),
            _ => bail!("`{side}` is neither side to move"),
        }
    }

    fn has_attribute(&self, kind: PieceKind, attribute: Attribute) -> bool {
        let info = self.ruleset.pieces.get(kind.idx());
        info.is_some_and(|it| it.default_attributes & attribute.bit() != 0)
    }

    /// Pieces that may castle keep the attribute of unmoved pieces; all others lose it.
    fn castle(&self, placed: &mut [FenPiece], rights: &str) -> Result<()> {
        let Some(attribute) = self.fresh else {
            if rights.chars().any(|it| it != '-') {
                bail!("these rules have no castling: write `-`");
            }
            return Ok(());
        };
        placed.iter_mut().for_each(|it| it.is_fresh = false);
        for right in rights.chars().filter(|&it| it != '-') {
            let owner = usize::from(right.is_lowercase());
            let label = self.kinds.get("K").copied();
            let king = placed.iter().position(|it| it.owner == owner && Some(it.kind) == label);
            let king = king.with_context(|| format!("`{right}`: there is no king to castle"))?;
            let king_site = placed[king].site;
            let row = self.rows.iter().find(|it| it.contains(&king_site));
            let column = |site: Site| row.and_then(|it| it.iter().position(|&it| it == site));
            let partner = |it: &&FenPiece| {
                it.owner == owner && it.site != king_site && self.has_attribute(it.kind, attribute)
            };
            let partners = placed.iter().filter(partner);
            let partners = partners.filter_map(|it| Some((column(it.site)?, it.site)));
            let found = match right.to_ascii_lowercase() {
                'k' => partners.max(),
                'q' => partners.min(),
                _ => bail!("`{right}` is not a castling right: K, Q, k or q"),
            };
            let site = found.with_context(|| format!("`{right}`: there is no rook to castle"))?.1;
            for it in placed.iter_mut().filter(|it| it.site == site || it.site == king_site) {
                it.is_fresh = true;
            }
        }
        Ok(())
    }

    fn hands(&self, hands: &str) -> Result<String> {
        let mut counts: BTreeMap<(usize, PieceKind), u32> = BTreeMap::new();
        for ch in hands.chars().filter(|&it| it != '-') {
            *counts.entry(self.piece(&ch.to_string())?).or_default() += 1;
        }
        let one = |((owner, kind), count): (&(usize, PieceKind), &u32)| {
            let player = quoted(self.ruleset.player_name(self.players[*owner]));
            format!("hand {player} ({} {count}); ", quoted(self.ruleset.piece_name(*kind)))
        };
        Ok(counts.iter().map(one).collect())
    }

    /// The entry of the turn order at which a player moves, in its repeating part.
    fn turn_of(&self, player: Player) -> Result<usize> {
        let order = &self.ruleset.turn_order;
        let is_it = |it: &usize| order.turns[*it].mover == player;
        (order.repeat..order.turns.len()).find(is_it).context("that side never moves")
    }

    /// En passant becomes the last move: from the site behind the target to the one before it.
    fn last_move(&self, site: &str, mover: usize) -> Result<String> {
        if site == "-" {
            return Ok(String::new());
        }
        let at = self.ruleset.board.site_named(site);
        let at = at.with_context(|| format!("no position is called `{site}`"))?;
        let place = self.rows.iter().enumerate().find_map(|(row, sites)| {
            sites.iter().position(|&it| it == at).map(|column| (row, column))
        });
        let (row, column) = place.context("the en passant site is not on the board")?;
        let name = |row: Option<usize>| {
            let site = row.and_then(|it| self.rows.get(it)?.get(column));
            let site = site.context("no pawn can have passed there")?;
            anyhow::Ok(quoted(self.ruleset.board.site_name(*site)))
        };
        // The first player moves upwards.
        let (below, above) = (name(Some(row + 1)), name(row.checked_sub(1)));
        let (from, to) = if mover == 1 { (below?, above?) } else { (above?, below?) };
        Ok(format!("; last-from {from}; last-to {to}"))
    }
}

/// The label of a piece in FEN: its letter, or a letter after a `+`.
fn label(ruleset: &Ruleset, kind: PieceKind) -> String {
    let notation = ruleset.pieces.get(kind.idx()).and_then(|it| it.notation.as_deref());
    match notation.and_then(|it| it.strip_prefix('+')) {
        Some(rest) if rest.chars().count() == 1 => format!("+{}", rest.to_uppercase()),
        _ => codec::letter(ruleset, kind),
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The rows of a board that is one upright grid, from the top, each from the left.
fn rows(ruleset: &Ruleset) -> Result<Vec<Vec<Site>>> {
    let board = &ruleset.board;
    let is_upright = board.grids.first().is_some_and(|it| {
        let mut steps = it.steps.clone();
        steps.sort_unstable();
        matches!(steps[..], [(0, _), (_, 0)] | [(_, 0), (0, _)])
    });
    if board.grids.len() != 1 || !is_upright {
        bail!("FEN is for boards that are one upright grid");
    }
    let mut rows: BTreeMap<i32, Vec<(i32, Site)>> = BTreeMap::new();
    for site in board.all_sites() {
        let Some(info) = board.sites.get(site.idx()) else { continue };
        if let (Some(_), Some(rect)) = (&info.cell, info.rect) {
            rows.entry(rect.top).or_default().push((rect.left, site));
        }
    }
    let sorted = |mut row: Vec<(i32, Site)>| {
        row.sort_unstable();
        row.into_iter().map(|it| it.1).collect()
    };
    Ok(rows.into_values().map(sorted).collect())
}
