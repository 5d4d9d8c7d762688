//! What templates say about their moves, and how states of the fast form differ.

use super::*;

/// What a move does, as far as it alone tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    pub(super) way: Way,
    pub(super) from: Loc,
    pub(super) to: Loc,
    pub(super) kind: PieceKind,
    pub(super) becomes: Option<PieceKind>,
    /// The first explicit capture.
    pub(super) capture: Option<Loc>,
    pub(super) n_captures: u8,
    pub(super) n_turned: u8,
    pub(super) is_drop: bool,
    pub(super) is_partial: bool,
    pub(super) is_vague: bool,
}

impl Hint {
    pub(super) fn new(way: Way, is_vague: bool, view: &View<'_>) -> Hint {
        let (from, to) = view.movements[0];
        let last = view.movements.len() - 1;
        let mut hint = Hint {
            way,
            from,
            to,
            kind: view.kind,
            becomes: view.promote.filter(|_| last == 0),
            capture: None,
            n_captures: 0,
            n_turned: 0,
            is_drop: view.is_drop || (view.is_copy && last == 0),
            is_partial: view.partial.is_some(),
            is_vague,
        };
        for change in view.changes {
            match *change {
                Change::Capture { at } => {
                    hint.n_captures = hint.n_captures.saturating_add(1);
                    hint.capture.get_or_insert(at);
                }
                Change::TurnInto { kind, at } if at == to => hint.becomes = Some(PieceKind(kind)),
                Change::Flip { .. } | Change::GiveTo { .. } => {
                    hint.n_turned = hint.n_turned.saturating_add(1);
                }
                _ => {}
            }
        }
        hint.becomes = hint.becomes.filter(|&it| it != view.kind);
        hint
    }

    /// Whether it changes who has what wherever it lands.
    #[inline]
    pub(super) fn is_loud(&self) -> bool {
        self.n_captures > 0 || self.n_turned > 0 || self.becomes.is_some()
    }

    /// What stands where it lands.
    #[inline]
    pub(super) fn lands<const W: usize>(&self, it: &FastState<W>, to: usize) -> u16 {
        if self.way == Way::Other && self.from == self.to { 0 } else { it.cell(to) }
    }
}

/// By turn: the blocks that ask for the last move; `None` if one of them cannot be run
/// alone, so that the last move always counts.
pub(super) fn last_askers<const W: usize>(game: &FastGame<W>) -> Vec<Option<Vec<Script<W>>>> {
    let asks = |it: usize| game.blocks.lanes[it].asks_for_last();
    let is_move = |lanes: usize| {
        game.blocks
            .going_on
            .iter()
            .flatten()
            .any(|it| matches!(it.1, Tier::Lanes(it) if it == lanes))
    };
    let drops_ask = (0..game.blocks.lanes.len()).any(|it| asks(it) && !is_move(it));
    let turns = game.rules.ruleset.turn_order.turns.iter().zip(&game.order.plans);
    turns
        .map(|(turn, plan)| {
            // Walks, and what is answered once a turn, are not asked for the last move alone.
            let escapes = game.blocks.templates.iter().any(|it| it.is_escape)
                || game.rules.uses_last() && game.blocks.lanes.iter().any(Lanes::asks_uniform);
            let is_walked =
                game.blocks.carries_flags || escapes || plan.iter().any(|it| !it.walks.is_empty());
            if drops_ask || is_walked {
                return None;
            }
            let kinds = (0..game.rules.n_kinds() as u16).map(PieceKind);
            let blocks = kinds.flat_map(|kind| {
                let of_kind = game.blocks.going_on[game.hand_slot(turn.owner, kind)].iter();
                of_kind.filter_map(move |&(of_type, tier, _)| match tier {
                    Tier::Lanes(lanes)
                        if asks(lanes)
                            && (turn.move_type.is_none() || of_type == turn.move_type) =>
                    {
                        Some((Start::Pieces(kind), &game.blocks.lanes[lanes]))
                    }
                    _ => None,
                })
            });
            Some(Script::of(game, turn.owner, blocks))
        })
        .collect()
}

/// Tells one state of a game from another, hands and chains included.
pub(super) fn sign<const W: usize>(it: &FastState<W>) -> u64 {
    let hands = it.hands.iter().fold(0u64, |acc, &it| acc.rotate_left(7) ^ u64::from(it));
    let going_on = it.going_on.map_or(0, |it| u64::from(it.0) + 1);
    let last = u64::from(it.last_from) << 16 | u64::from(it.last_to);
    mix(it.hash ^ mix(hands ^ last << 24 ^ going_on << 12 ^ u64::from(it.turn)))
}

#[inline]
pub(super) fn choice<const W: usize>(
    game: &FastGame<W>,
    it: &FastState<W>,
    hint: &Hint,
    template: u32,
    lane: usize,
) -> TreeMove {
    let to = hint.to.at(lane);
    let landed_on = hint.lands(it, to);
    let captured = hint.capture.map_or(0, |at| it.cell(at.at(lane)));
    let victim = if landed_on != 0 { landed_on } else { captured };
    let victim = (victim != 0).then(|| {
        let (owner, kind, _) = game.pieces.codes.parts(victim);
        (Player(owner as u8), PieceKind(kind as u16))
    });
    TreeMove {
        // Never 0, which is the pass.
        key: template.wrapping_mul(384).wrapping_add(lane as u32 + 1),
        slot: template,
        lane: lane as u16,
        from: if hint.is_drop { None } else { Some(game.layout.site(hint.from.at(lane))) },
        to: Some(game.layout.site(to)),
        kind: Some(hint.kind),
        becomes: hint.becomes,
        victim,
        n_taken: hint.n_captures + u8::from(landed_on != 0),
        n_turned: hint.n_turned,
        is_drop: hint.is_drop,
        is_partial: hint.is_partial,
        is_vague: hint.is_vague,
        weight: 1,
    }
}

/// Gives the lanes on which two states differ.
#[inline]
pub(super) fn differences<const W: usize>(
    one: &FastState<W>,
    other: &FastState<W>,
    mut take: impl FnMut(usize, u16, u16),
) {
    for (word, (old, new)) in one.cells.iter().zip(&other.cells).enumerate() {
        for (part, (old, new)) in old.chunks_exact(8).zip(new.chunks_exact(8)).enumerate() {
            if old != new {
                for idx in 0..8 {
                    if old[idx] != new[idx] {
                        take(word * 64 + part * 8 + idx, old[idx], new[idx]);
                    }
                }
            }
        }
    }
}
