//! The protocol between this program and an engine host: one message a line; see
//! `docs/plugin-protocol.md`.
//!
//! The fields of a message are separated by tabs. Texts are bytes in the code page of the rule
//! file; `%`, control characters and nothing else are written as `%` and two digits, so that
//! a bridge in C needs ten lines for it.

use boardwright_text::Encoding;

/// The version that a host says first.
pub(crate) const HELLO: &str = "boardwright-engine-host 1";

/// The bytes of a text as one field.
pub(crate) fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if byte == b'%' || byte < 0x20 || byte == 0x7f {
            field.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            field.push(byte);
        }
    }
    field
}

/// The bytes that [`escaped`] wrote.
pub(crate) fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|it| str::from_utf8(it).ok());
        match (byte, code.and_then(|it| u8::from_str_radix(it, 16).ok())) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    bytes
}

/// A message: a word, and texts in a code page.
pub(crate) fn message(word: &str, texts: &[&str], encoding: Encoding) -> Vec<u8> {
    let mut line = word.as_bytes().to_vec();
    for text in texts {
        line.push(b'\t');
        line.extend_from_slice(&escaped(&encoding.encode(text)));
    }
    line
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum HostSays {
    /// The version of the protocol.
    Hello,
    /// A measure that confines the process, and whether it is in force.
    Confined { measure: String, is_on: bool },
    /// The library is loaded; the optional routines that it has.
    Loaded { has_game_over: bool, has_moves: bool },
    /// The library cannot be loaded.
    Failed(String),
    /// A search goes on.
    Info(LiveReport),
    /// One of the legal moves.
    Legal(String),
    /// A call has returned.
    Result { code: i32, texts: Vec<String> },
}

/// What an engine reports while it searches, and at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LiveReport {
    pub nodes: i64,
    pub score: i64,
    pub depth: i64,
    pub best: String,
    pub current: String,
}

/// Reads a line of a host; `None` if it makes no sense.
pub(crate) fn read(line: &[u8], encoding: Encoding) -> Option<HostSays> {
    if line == HELLO.as_bytes() {
        return Some(HostSays::Hello);
    }
    let mut fields = line.split(|&it| it == b'\t');
    let word = str::from_utf8(fields.next()?).ok()?;
    let texts: Vec<String> = fields.map(|it| encoding.decode_as(&unescaped(it))).collect();
    let number = |idx: usize| texts.get(idx)?.parse::<i64>().ok();
    let text = |idx: usize| texts.get(idx).cloned();
    Some(match word {
        "confined" => HostSays::Confined { measure: text(0)?, is_on: text(1)? == "on" },
        "loaded" => HostSays::Loaded {
            has_game_over: texts.iter().any(|it| it == "DLL_IsGameOver"),
            has_moves: texts.iter().any(|it| it == "DLL_GenerateMoves"),
        },
        "failed" => HostSays::Failed(text(0)?),
        "info" => HostSays::Info(LiveReport {
            nodes: number(0)?,
            score: number(1)?,
            depth: number(2)?,
            best: text(3)?,
            current: text(4)?,
        }),
        "legal" => HostSays::Legal(text(0)?),
        "result" => HostSays::Result {
            code: i32::try_from(number(0)?).ok()?,
            texts: texts.get(1..).unwrap_or_default().to_vec(),
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_any_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        let field = escaped(&all);
        assert!(!field.iter().any(|it| b"\t\n\r\0".contains(it)));
        assert_eq!(unescaped(&field), all);
        assert_eq!(unescaped(b"50%"), b"50%");
        assert_eq!(unescaped(b"%zz%4"), b"%zz%4");
    }

    #[test]
    fn names_go_in_the_code_page_of_the_rule_file() {
        let line = message("move", &["Bär e2 - e4"], Encoding::Windows1252);
        assert_eq!(line, b"move\tB\xe4r e2 - e4");
        let says = read(b"legal\tB\xe4r e2 - e4", Encoding::Windows1252);
        assert_eq!(says, Some(HostSays::Legal("Bär e2 - e4".to_owned())));
    }

    #[test]
    fn nonsense_is_not_understood() {
        for line in ["", "result", "result\tx", "info\t1\t2", "hello", "confined\ta"] {
            assert_eq!(read(line.as_bytes(), Encoding::Utf8), None, "{line}");
        }
    }
}
