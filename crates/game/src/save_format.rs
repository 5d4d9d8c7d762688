//! What save files of a variant need beside its rules; nothing in play depends on it but the
//! texts of moves.

use boardwright_text::Encoding;

use crate::{Attribute, MoveType};

/// How save files write games of one variant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SaveFormat {
    /// The rule file's name, without folders.
    pub file_name: String,
    /// The code page of the rule file, which is that of its save files.
    pub encoding: Encoding,
    /// Whether the file opens with this variant.
    pub is_default: bool,
    /// By attribute: its number, counted as the original did.
    pub attribute_numbers: Vec<Option<u32>>,
    /// By move type: its number, counted as the original did.
    pub move_type_numbers: Vec<Option<u32>>,
}

impl SaveFormat {
    /// The number that stands for an attribute.
    pub fn attribute_number(&self, attribute: Attribute) -> u32 {
        self.attribute_numbers.get(attribute.idx()).copied().flatten().unwrap_or(0)
    }

    /// The number that stands for a move type; 0 for none.
    pub fn move_type_number(&self, move_type: Option<MoveType>) -> u32 {
        let number = move_type.and_then(|it| self.move_type_numbers.get(it.idx()).copied());
        number.flatten().unwrap_or(0)
    }
}
