//! What a variant inherits from its game.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    expand::Item,
    file::{self, Definition, PieceDefinition},
    symbol::Symbol,
    words::Kw,
};

/// The sections that hold for a variant.
pub(super) struct Merged {
    pub(super) single: FxHashMap<Kw, Item>,
    pub(super) pieces: Vec<Rc<PieceDefinition>>,
    pub(super) options: Vec<(Kw, Item)>,
    pub(super) ends: Vec<(Kw, Item)>,
}

/// A variant's section replaces the game's of the same name; pieces go by name,
/// options add up, and end conditions come as a set.
pub(super) fn merge(game: &Definition, variant: &Definition) -> Merged {
    let own = (!variant.is_game).then_some(variant);
    let layers = || std::iter::once(game).chain(own);
    let mut single = FxHashMap::default();
    let mut all_options = Vec::new();
    for &(kw, item) in layers().flat_map(|it| &it.sections) {
        if file::is_option(kw) {
            all_options.push((kw, item));
        } else if !file::is_end_condition(kw) {
            single.insert(kw, item);
        }
    }
    let mut pieces: Vec<Rc<PieceDefinition>> = Vec::new();
    let mut slots: FxHashMap<Symbol, usize> = FxHashMap::default();
    for piece in layers().flat_map(|it| &it.pieces) {
        match slots.get(&piece.name).and_then(|&it| pieces.get_mut(it)) {
            Some(slot) => *slot = Rc::clone(piece),
            None => {
                slots.insert(piece.name, pieces.len());
                pieces.push(Rc::clone(piece));
            }
        }
    }
    let ends_of = |it: &Definition| -> Vec<(Kw, Item)> {
        it.sections.iter().filter(|(kw, _)| file::is_end_condition(*kw)).copied().collect()
    };
    let own_ends = own.map(ends_of).unwrap_or_default();
    let ends = if own_ends.is_empty() { ends_of(game) } else { own_ends };
    Merged { single, pieces, options: all_options, ends }
}
