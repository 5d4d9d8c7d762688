//! The pieces of a variant: their code, pictures and attributes.

use std::{rc::Rc, sync::Arc};

use boardwright_game::{Attribute, Block, BlockKind, MoveType, PieceImage, PieceKindInfo, Player};

use super::{CachedCode, Compiler, section_id};
use crate::{
    board::BuiltBoard,
    code::Coder,
    errors,
    expand::{Item, ItemKind},
    file::{self, PieceDefinition},
    texts::TextForm,
    words::Kw,
};

/// Bytes that a piece takes besides its name, its blocks and its pictures.
const PIECE_BYTES: usize = size_of::<PieceKindInfo>() + 64;

impl Compiler<'_> {
    /// A piece, and the order in which its code names move types.
    pub(super) fn piece(
        &mut self,
        definition: &PieceDefinition,
        board: &BuiltBoard,
    ) -> Option<(PieceKindInfo, Vec<MoveType>)> {
        let cached = self.code(definition, board);
        let (n_blocks, n_types) = (cached.code.blocks.len(), cached.code.type_order.len());
        let bytes = PIECE_BYTES + n_blocks * size_of::<Block>() + n_types * size_of::<MoveType>();
        let at = definition.item;
        if !self.ctx.spend((n_blocks + n_types) as u64 / 8 + 10, &at)
            || !self.ctx.take_for_variant(bytes, &at)
        {
            return None;
        }
        self.failed |= cached.failed;
        let mut info = PieceKindInfo {
            name: self.text(definition.name),
            notation: None,
            help: None,
            description: None,
            images: Vec::new(),
            attributes: Vec::new(),
            attribute_mask: 0,
            default_attributes: 0,
            is_dummy: false,
            open: None,
            blocks: cached.code.blocks.clone(),
            program: Arc::clone(&cached.program),
            span: definition.item.span,
        };
        for (kw, part) in &definition.parts {
            match kw {
                Kw::Notation => info.notation = self.shown_string(part, TextForm::Display),
                Kw::Help => info.help = self.shown_string(part, TextForm::Help),
                Kw::Description => info.description = self.shown_string(part, TextForm::Display),
                Kw::Open => info.open = self.shown_string(part, TextForm::Raw),
                Kw::Dummy => info.is_dummy = true,
                Kw::Image => self.images(part, &mut info.images),
                Kw::Attribute => self.attribute(part, &mut info),
                _ => {}
            }
        }
        Some((info, cached.code.type_order.clone()))
    }

    /// The code of a piece; lowered once for all variants in which its words mean the same.
    pub(super) fn code(
        &mut self,
        definition: &PieceDefinition,
        board: &BuiltBoard,
    ) -> Rc<CachedCode> {
        let key = (section_id(&definition.item), self.fingerprint);
        if let Some(found) = self.cache.codes.get(&key) {
            return Rc::clone(found);
        }
        let parts: Vec<(BlockKind, Item)> = definition
            .parts
            .iter()
            .filter_map(|(kw, part)| file::block_kind(*kw).map(|kind| (kind, *part)))
            .collect();
        let before = self.ctx.sink.n_tried();
        let coder = Coder::new(
            self.ctx,
            &self.vocab,
            self.names,
            &board.board,
            &self.piece_names,
            self.limits,
            self.cache.n_ops,
        );
        let mut code = coder.piece(&parts);
        let mut seen = rustc_hash::FxHashSet::default();
        code.type_order.retain(|it| seen.insert(*it));
        self.cache.n_ops += code.program.ops.len();
        let program = Arc::new(std::mem::take(&mut code.program));
        let failed = self.ctx.sink.n_tried() > before;
        let cached = Rc::new(CachedCode { program, code, failed });
        self.cache.codes.insert(key, Rc::clone(&cached));
        cached
    }

    /// `(image White "a.bmp" "b.bmp" Black "c.bmp")`
    pub(super) fn images(&mut self, part: &Item, images: &mut Vec<PieceImage>) {
        let mut player: Option<Player> = None;
        let mut named = false;
        let mut tail = self.ctx.tail(part);
        while let Some(item) = tail.next(self.ctx) {
            match item.kind {
                ItemKind::Word(symbol) => {
                    named = true;
                    player = self.vocab.player(symbol);
                    if player.is_none() && !self.names.players.contains(&symbol) {
                        let name = self.text(symbol);
                        let warning = errors::image_for_unknown_player(item.span, &name);
                        self.ctx.report(&item, warning);
                    }
                }
                ItemKind::Text(text) => {
                    let Some(player) = player else {
                        if !named {
                            let warning = errors::image_without_player(item.span);
                            self.ctx.report(&item, warning);
                        }
                        continue;
                    };
                    let file = self.ctx.shown_text(text, TextForm::Raw, &item);
                    match images.iter_mut().find(|it| it.player == player) {
                        Some(it) => it.files.push(file),
                        None => images.push(PieceImage { player, files: vec![file] }),
                    }
                }
                _ => {
                    let what = "a player or the name of a picture";
                    self.ctx.report(&item, errors::ignored(item.span, what));
                }
            }
        }
    }

    /// `(attribute never-moved? true)`
    pub(super) fn attribute(&mut self, part: &Item, info: &mut PieceKindInfo) {
        let args = self.ctx.tail(part).collect(self.ctx, 3);
        let name = args.first().and_then(|it| it.word());
        let value = args.get(1).and_then(|it| it.word()).and_then(Kw::of);
        let attribute = name.and_then(|it| self.vocab.attribute(it));
        match (attribute, value) {
            (Some(attribute), Some(value @ (Kw::True | Kw::False))) => {
                if !info.attributes.contains(&attribute) {
                    info.attributes.push(attribute);
                }
                info.attribute_mask |= attribute.bit();
                if value == Kw::True {
                    info.default_attributes |= attribute.bit();
                } else {
                    info.default_attributes &= !attribute.bit();
                }
            }
            _ => {
                let what = "a name and `true` or `false`";
                self.ctx.report(part, errors::missing_argument(part.span, "attribute", what));
            }
        }
        if let Some(extra) = args.get(2) {
            self.ctx.report(extra, errors::extra_argument(extra.span, "attribute"));
        }
    }

    /// By attribute, the number that saved games use: pieces are scanned from
    /// the last to the first, and so are the attributes within a piece.
    pub(super) fn attribute_numbers(&self, pieces: &[PieceKindInfo]) -> Vec<Option<u32>> {
        let mut numbers = vec![None; self.names.attributes.list.len()];
        let mut next = 0;
        let scan = pieces.iter().rev().flat_map(|it| it.attributes.iter().rev());
        for &Attribute(idx) in scan {
            if let Some(it @ None) = numbers.get_mut(idx as usize) {
                *it = Some(next);
                next += 1;
            }
        }
        numbers
    }
}
