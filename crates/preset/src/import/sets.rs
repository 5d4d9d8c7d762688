//! Piece sets of the original: a PHP file that gives each label a picture.

use std::fmt::Write as _;

/// The most pieces that are read.
const MANY: usize = 1000;

/// A PHP set file as the index of a piece set here; nothing of it is run. `None` if it
/// gives no piece a picture.
///
/// `$pieces` and `$flipped` are read as lists of labels and files, `$flip`, `$width` and
/// `$height` as values; the first value counts where conditions give several. Pictures lie
/// in the folder of the index: `$dir`, which names a place on the web, is left out.
pub fn set_index(php: &str) -> Option<String> {
    let pieces = array(php, "pieces")?;
    let mut out = String::new();
    if value(php, "flip").is_some_and(|it| it.eq_ignore_ascii_case("true") || it == "1") {
        out.push_str("flip: yes\n");
    }
    for key in ["width", "height"] {
        if let Some(size) = value(php, key).and_then(|it| it.parse::<u32>().ok()) {
            let _ = writeln!(out, "{key}: {size}");
        }
    }
    let mut list = |title: &str, pairs: &[(String, String)]| {
        let _ = writeln!(out, "{title}:");
        for (label, file) in pairs {
            let _ = writeln!(out, "  {label} {file}");
        }
    };
    list("pieces", &pieces);
    if let Some(flipped) = array(php, "flipped") {
        list("flipped", &flipped);
    }
    Some(out)
}

/// What stands behind `$name =`, the first time.
fn after<'t>(php: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = php;
    loop {
        let (_, from) = rest.split_once('$')?;
        rest = from;
        let Some(tail) = from.strip_prefix(name) else { continue };
        if let Some(value) = tail.trim_start().strip_prefix('=').filter(|it| !it.starts_with('=')) {
            return Some(value.trim_start());
        }
    }
}

fn value(php: &str, name: &str) -> Option<String> {
    let text = after(php, name)?;
    let end = text.find(';')?.min(40);
    Some(text.get(..end)?.trim().trim_matches(['"', '\'']).to_owned())
}

/// The pairs of `array("K" => "king.gif", ..)` that are a label and a file name.
fn array(php: &str, name: &str) -> Option<Vec<(String, String)>> {
    let text = after(php, name)?;
    let text = text.strip_prefix("array").map_or(text, str::trim_start);
    let body = text.strip_prefix(['(', '['])?;
    let end = body.find([')', ']']).unwrap_or(body.len());
    let mut pairs = Vec::new();
    let mut texts = quoted(body.get(..end)?).into_iter();
    while let (Some(label), Some(file)) = (texts.next(), texts.next()) {
        let is_word = |it: &str| {
            !it.is_empty()
                && it.len() <= 100
                && !it.contains(|it: char| it.is_whitespace() || it.is_control())
        };
        if is_word(&label) && is_word(&file) && pairs.len() < MANY {
            pairs.push((label, file));
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// The texts in quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = rest.get(start..start + 1).unwrap_or("\"");
        let inner = rest.get(start + 1..).unwrap_or("");
        let Some((it, after)) = inner.split_once(quote) else { break };
        texts.push(it.to_owned());
        rest = after;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::set_index;

    #[test]
    fn a_set_file_is_read_and_not_run() {
        let php = "<?\n$dir = \"http://pond.example/wolves/\";\n$pieces = array(\n\
            \"K\" => \"flip/King.gif\", \"k\" => 'King.gif',\n\"P\"=>\"Pawn.gif\");\n\
            $flipped = array (\"K\" => \"King2.gif\");\nif ($shape == \"square\") {\n\
            $width = 42;\n$height = 45;\n}\n$flip = true;\nsystem('rm');\n?>";
        assert_eq!(
            set_index(php).as_deref(),
            Some(
                "flip: yes\nwidth: 42\nheight: 45\npieces:\n  K flip/King.gif\n  k King.gif\n  \
                 P Pawn.gif\nflipped:\n  K King2.gif\n"
            )
        );
    }

    #[test]
    fn nonsense_is_no_set() {
        for text in ["", "$", "$pieces", "$pieces = array(", "$pieces = 3;", "$pieces=array()"] {
            assert_eq!(set_index(text), None, "{text}");
        }
    }
}
