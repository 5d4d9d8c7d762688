//! The three forms that settings come in, as pairs of key and text.

/// `key=value&key=value`, perhaps behind an address.
pub(super) fn query(text: &str) -> Vec<(String, String)> {
    let text = text.trim();
    let query = text.split_once('?').map_or(text, |it| it.1);
    let query = query.split('#').next().unwrap_or("");
    let parts = query.split(['&', ';']).filter_map(|it| it.split_once('='));
    parts.map(|(key, value)| (decode(key), decode(value))).filter(|it| !it.0.is_empty()).collect()
}

/// Undoes `+` and `%41`.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let mut ahead = rest.clone();
                let digits = ahead.next().zip(ahead.next());
                let hex = |it: u8| char::from(it).to_digit(16);
                match digits.and_then(|(a, b)| hex(a).zip(hex(b))) {
                    Some((high, low)) => {
                        bytes.push((high * 16 + low) as u8);
                        rest = ahead;
                    }
                    None => bytes.push(b'%'),
                }
            }
            other => bytes.push(other),
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) => text,
        // The original's pages are of one byte a letter.
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    }
}

/// `<input name=.. value=..>`, `<textarea name=..>..</textarea>` and chosen options.
pub(super) fn html(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut select: Option<String> = None;
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((tag, body)) = after.split_once('>') else { break };
        rest = body;
        let name = tag.split_whitespace().next().unwrap_or("").to_lowercase();
        match name.as_str() {
            "input" => {
                let kind = attribute(tag, "type").unwrap_or_default().to_lowercase();
                let is_off = kind == "checkbox" || kind == "radio";
                let is_chosen = !is_off || tag.to_lowercase().contains("checked");
                if let (Some(key), true) = (attribute(tag, "name"), is_chosen) {
                    pairs.push((key, attribute(tag, "value").unwrap_or_default()));
                }
            }
            "textarea" => {
                let end = end_of_textarea(body).unwrap_or(body.len());
                let (value, after) = body.split_at(end);
                rest = after;
                if let Some(key) = attribute(tag, "name") {
                    let value = value.strip_prefix('\n').unwrap_or(value);
                    pairs.push((key, unescape(value)));
                }
            }
            "select" => select = attribute(tag, "name"),
            "/select" => select = None,
            "option" => {
                let is_chosen = tag.to_lowercase().contains("selected");
                let shown = body.split('<').next().unwrap_or("").trim();
                if let (Some(key), true) = (&select, is_chosen) {
                    let value = attribute(tag, "value").unwrap_or_else(|| unescape(shown));
                    pairs.push((key.clone(), value));
                }
            }
            _ => {}
        }
    }
    pairs
}

/// Where `</textarea` stands, whatever the case of its letters.
fn end_of_textarea(text: &str) -> Option<usize> {
    let mut closers = text.match_indices("</").map(|it| it.0);
    closers
        .find(|at| text.get(at + 2..at + 10).is_some_and(|it| it.eq_ignore_ascii_case("textarea")))
}

/// Where a character stands among the first few; looking no further keeps
/// reading as fast as the text is long.
fn near(text: &str, wanted: &[char], within: usize) -> Option<usize> {
    text.char_indices().take(within).find(|it| wanted.contains(&it.1)).map(|it| it.0)
}

fn attribute(tag: &str, wanted: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + lower.get(from..)?.find(wanted)?;
        from = at + wanted.len();
        let before = lower.get(..at)?.chars().next_back();
        let after = tag.get(from..)?.trim_start();
        let Some(value) = after.strip_prefix('=') else { continue };
        if !before.is_some_and(|it| it.is_whitespace() || "\"'".contains(it)) {
            continue;
        }
        let value = value.trim_start();
        let quoted = ['"', '\''].into_iter().find_map(|quote| {
            value.strip_prefix(quote).map(|it| it.split(quote).next().unwrap_or(""))
        });
        let value = quoted.unwrap_or_else(|| value.split_whitespace().next().unwrap_or(""));
        return Some(unescape(value));
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = near(after, &[';'], 10);
        let entity = end.and_then(|it| Some((after.get(..it)?, after.get(it + 1..)?)));
        let ch = entity.and_then(|(name, _)| match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some(' '),
            number => {
                let digits = number.strip_prefix('#')?;
                let hex = digits.strip_prefix(['x', 'X']);
                let code = match hex {
                    Some(it) => u32::from_str_radix(it, 16).ok()?,
                    None => digits.parse().ok()?,
                };
                char::from_u32(code).filter(|it| !it.is_control() || *it == '\n')
            }
        });
        match (ch, entity) {
            (Some(ch), Some((_, tail))) => {
                out.push(ch);
                rest = tail;
            }
            _ => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// `$default['key'] = 'text';`, `$key = "text";` and the long form between markers.
pub(super) fn php(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('$') {
        rest = after;
        let Some((key, value)) = assignment(after) else { continue };
        let Some((text, tail)) = literal(value) else {
            // A long text without its end takes the rest of the file with it.
            if value.starts_with("<<<") {
                break;
            }
            continue;
        };
        pairs.push((key, text));
        rest = tail;
    }
    pairs
}

/// The key of an assignment, and what stands behind its `=`.
fn assignment(text: &str) -> Option<(String, &str)> {
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_'))?;
    let (name, after) = text.split_at(end);
    let after = after.trim_start();
    let (key, after) = match after.strip_prefix('[') {
        Some(inner) => {
            let end = near(inner, &[']'], 80)?;
            let (key, after) = (inner.get(..end)?, inner.get(end + 1..)?);
            (key.trim().trim_matches(['\'', '"']), after.trim_start())
        }
        None => (name, after),
    };
    let value = after.strip_prefix('=').filter(|it| !it.starts_with('='))?;
    let is_key = !key.is_empty() && key.len() < 60 && !key.contains(char::is_whitespace);
    is_key.then(|| (key.to_owned(), value.trim_start()))
}

/// A text or number as written, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    if let Some(after) = text.strip_prefix("<<<") {
        let (marker, body) = after.split_once('\n')?;
        let marker = marker.trim().trim_matches(['\'', '"']);
        if marker.is_empty() {
            return None;
        }
        let mut at = 0;
        for line in body.split_inclusive('\n') {
            let ends = line.trim().trim_end_matches([';', ',', ')']) == marker;
            if ends {
                let value = body.get(..at)?;
                let value = value.strip_suffix('\n').unwrap_or(value);
                return Some((
                    value.trim_end_matches('\r').to_owned(),
                    body.get(at + line.len()..)?,
                ));
            }
            at += line.len();
        }
        return None;
    }
    if let Some(quote) = text.chars().next().filter(|it| "'\"".contains(*it)) {
        let mut value = String::new();
        let mut chars = text.char_indices().skip(1);
        while let Some((at, ch)) = chars.next() {
            match ch {
                '\\' => match chars.next()?.1 {
                    'n' if quote == '"' => value.push('\n'),
                    other if other == quote || other == '\\' => value.push(other),
                    other => {
                        value.push('\\');
                        value.push(other);
                    }
                },
                ch if ch == quote => return Some((value, text.get(at + 1..)?)),
                ch => value.push(ch),
            }
        }
        return None;
    }
    let end = near(text, &[';', ',', '\n'], 40)?;
    let (word, after) = text.split_at(end);
    let word = word.trim();
    let is_plain =
        word.parse::<f64>().is_ok() || matches!(word, "true" | "false" | "TRUE" | "FALSE");
    is_plain.then(|| (word.to_owned(), after))
}
