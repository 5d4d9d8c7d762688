//! `(board-setup …)`: what is where before the first move.

use boardwright_game::{HandEntry, PieceKind, Player, Setup, SetupEntry, Site};
use boardwright_text::Span;
use rustc_hash::FxHashMap;

use super::Compiler;
use crate::{board::BuiltBoard, errors, expand::Item, words::Kw};

/// Bytes that one entry of a setup takes, and its note that the position is filled.
const ENTRY_BYTES: usize = 40;

impl Compiler<'_> {
    pub(super) fn setup(&mut self, board: &BuiltBoard) -> Setup {
        let mut setup = Setup::default();
        let at = self.at();
        let Some(section) = self.merged.single.get(&Kw::BoardSetup).copied() else {
            self.ctx.report(&at, errors::no_setup(at.span.head()));
            return setup;
        };
        let mut filled = FxHashMap::default();
        let entries = self.ctx.tail(&section).rest(self.ctx);
        // `(board-setup White (King e1))`, as some examples in the manual have it.
        if entries.first().is_some_and(|it| it.word().is_some()) {
            self.side_setup(&entries, &section, board, &mut setup, &mut filled);
            return setup;
        }
        for side in entries {
            let parts = self.ctx.items(&side).rest(self.ctx);
            self.side_setup(&parts, &side, board, &mut setup, &mut filled);
        }
        setup
    }

    fn side_setup(
        &mut self,
        parts: &[Item],
        at: &Item,
        board: &BuiltBoard,
        setup: &mut Setup,
        filled: &mut FxHashMap<Site, Span>,
    ) {
        let Some((name, placements)) = parts.split_first() else {
            self.ctx.report(at, errors::bad_setup(at.span, "a side without a player"));
            return;
        };
        let Some(player) = self.player(name) else {
            return;
        };
        for placement in placements {
            let mut items = self.ctx.items(placement);
            let Some(kind_item) = items.next(self.ctx) else {
                self.ctx
                    .report(placement, errors::bad_setup(placement.span, "a piece is expected"));
                continue;
            };
            let Some(kind) = self.piece_kind(&kind_item) else {
                continue;
            };
            while let Some(item) = items.next(self.ctx) {
                if item.is(Kw::Off) && self.vocab.site(Kw::Off.symbol()).is_none() {
                    match items.next(self.ctx).map(|it| (it, self.ctx.count(&it))) {
                        Some((_, Some(Ok(count)))) => {
                            if !self.ctx.take_for_variant(ENTRY_BYTES, &item) {
                                return;
                            }
                            setup.hands.push(HandEntry { player, kind, count, span: item.span });
                        }
                        Some((number, Some(Err(error)))) => self.ctx.report(&number, error),
                        _ => {
                            let error = errors::bad_setup(item.span, "`off` needs a number");
                            self.ctx.report(&item, error);
                        }
                    }
                    continue;
                }
                self.placed(&item, player, kind, board, setup, filled);
            }
        }
    }

    fn placed(
        &mut self,
        item: &Item,
        player: Player,
        kind: PieceKind,
        board: &BuiltBoard,
        setup: &mut Setup,
        filled: &mut FxHashMap<Site, Span>,
    ) {
        let Some(symbol) = item.word() else {
            self.ctx.report(item, errors::expected(item.span, "the name of a position"));
            return;
        };
        let Some(site) = self.vocab.site(symbol) else {
            let name = self.text(symbol);
            if self.vocab.is_killed(symbol) {
                self.ctx.report(item, errors::killed_site(item.span, &name));
            } else {
                let known = board.board.sites.iter().map(|it| it.name.as_str());
                let known = self.ctx.candidates(known);
                let error = errors::unknown_site(item.span, &name, known);
                self.ctx.report(item, error);
            }
            return;
        };
        if let Some(old) = filled.insert(site, item.span) {
            let name = self.text(symbol);
            self.ctx.report(item, errors::filled_twice(item.span, &name, old));
        }
        if !self.ctx.take_for_variant(ENTRY_BYTES, item) {
            return;
        }
        setup.pieces.push(SetupEntry { player, kind, site, span: item.span });
    }
}
