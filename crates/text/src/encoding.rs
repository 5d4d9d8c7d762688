//! Bytes to text, by guessing the code page.
//!
//! Rule files were written on Windows around 2000: ASCII, Windows-1252, a few
//! Windows-1251. Newer ones are UTF-8. No file says which, so we look.

use encoding_rs::{Encoding as Table, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};

/// The code page a file was read with, and in which its saves are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// UTF-8, plain ASCII included.
    #[default]
    Utf8,
    /// UTF-16 with a byte order mark.
    Utf16,
    /// Windows-1252, Western Europe; what any other byte is taken for.
    Windows1252,
    /// Windows-1251, Cyrillic.
    Windows1251,
}

impl Encoding {
    /// Decodes `bytes`, choosing the encoding by their look; never fails.
    pub fn decode(bytes: &[u8]) -> (String, Encoding) {
        if let Some((table, bom)) = Table::for_bom(bytes) {
            let (text, _) = table.decode_without_bom_handling(bytes.get(bom..).unwrap_or_default());
            let found = if table == UTF_16LE || table == UTF_16BE {
                Encoding::Utf16
            } else {
                Encoding::Utf8
            };
            return (text.into_owned(), found);
        }
        if let Ok(text) = std::str::from_utf8(bytes) {
            return (text.to_owned(), Encoding::Utf8);
        }
        let (table, found) = if looks_cyrillic(bytes) {
            (WINDOWS_1251, Encoding::Windows1251)
        } else {
            (WINDOWS_1252, Encoding::Windows1252)
        };
        (table.decode_without_bom_handling(bytes).0.into_owned(), found)
    }

    /// Decodes `bytes` that are known to be in this code page; never fails.
    pub fn decode_as(self, bytes: &[u8]) -> String {
        let table = match self {
            // Files that say they are otherwise are believed.
            Encoding::Utf8 | Encoding::Utf16 => return Encoding::decode(bytes).0,
            Encoding::Windows1252 => WINDOWS_1252,
            Encoding::Windows1251 => WINDOWS_1251,
        };
        table.decode_without_bom_handling(bytes).0.into_owned()
    }

    /// Encodes `text` as a file in this code page would hold it.
    ///
    /// Characters the code page lacks become `?`.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let table = match self {
            Encoding::Utf8 | Encoding::Utf16 => return text.as_bytes().to_vec(),
            Encoding::Windows1252 => WINDOWS_1252,
            Encoding::Windows1251 => WINDOWS_1251,
        };
        let mut bytes = Vec::with_capacity(text.len());
        let mut buffer = [0; 4];
        for ch in text.chars() {
            let (encoded, _, failed) = table.encode(ch.encode_utf8(&mut buffer));
            if failed {
                bytes.push(b'?');
            } else {
                bytes.extend_from_slice(&encoded);
            }
        }
        bytes
    }
}

/// Whether the high bytes come in words, as Cyrillic does, rather than one by
/// one among ASCII letters, as accents do.
fn looks_cyrillic(bytes: &[u8]) -> bool {
    let is_letter = |byte: u8| byte >= 0xC0 || byte == 0xA8 || byte == 0xB8;
    let high = bytes.iter().filter(|&&it| is_letter(it)).count();
    let paired = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if is_letter(*a) && is_letter(*b)))
        .count();
    high > 0 && paired * 2 > high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], text: &str, encoding: Encoding) {
        assert_eq!(Encoding::decode(bytes), (text.to_owned(), encoding));
    }

    #[test]
    fn each_code_page_is_recognised() {
        check(b"plain", "plain", Encoding::Utf8);
        check("Läufer".as_bytes(), "Läufer", Encoding::Utf8);
        check(b"\xEF\xBB\xBFbom", "bom", Encoding::Utf8);
        check(b"\xFF\xFEh\0i\0", "hi", Encoding::Utf16);
        check(b"L\xE4ufer und K\xF6nig", "Läufer und König", Encoding::Windows1252);
        check(b"\xD8\xE0\xF5\xEC\xE0\xF2\xFB", "Шахматы", Encoding::Windows1251);
    }

    #[test]
    fn a_text_goes_back_to_its_bytes() {
        for bytes in [&b"L\xE4ufer, K\xF6nig"[..], b"\xD8\xE0\xF5\xEC\xE0\xF2\xFB"] {
            let (text, encoding) = Encoding::decode(bytes);
            assert_eq!(encoding.encode(&text), bytes);
        }
        assert_eq!(Encoding::Windows1252.encode("a→b"), b"a?b");
    }
}
