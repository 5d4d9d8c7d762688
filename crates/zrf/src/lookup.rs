//! Names to what they stand for, where several parts of the rules ask for the same.

use boardwright_game::PieceKind;

use crate::{
    errors,
    expand::{Expander, Item},
    vocab::Vocab,
};

/// The piece that an item names; anything else is an error.
pub(crate) fn piece_kind(
    ctx: &mut Expander,
    vocab: &Vocab,
    piece_names: &[String],
    item: &Item,
) -> Option<PieceKind> {
    let Some(symbol) = item.symbol() else {
        ctx.report(item, errors::expected(item.span, "the name of a piece"));
        return None;
    };
    let found = vocab.piece(symbol);
    if found.is_none() {
        let known = ctx.candidates(piece_names.iter().map(String::as_str));
        let error = errors::unknown_piece(item.span, &ctx.shown(symbol), known);
        ctx.report(item, error);
    }
    found
}
