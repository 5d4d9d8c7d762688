//! Enough of XML to see that a picture is well formed.

/// Whether tags are closed in order, attributes quoted and given once, and all text escaped.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim_end();
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        check_text(&rest[..at])?;
        if open.is_empty() && !rest[..at].trim().is_empty() {
            return Err(format!("text outside: {}", &rest[..at]));
        }
        rest = &rest[at..];
        let Some(end) = rest.find('>') else {
            return if rest.is_empty() { break } else { Err("a tag without end".to_owned()) };
        };
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let name = tag.split(' ').next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|it| it.is_ascii_alphanumeric()) {
            return Err(format!("a strange tag: {tag}"));
        }
        check_attributes(&tag[name.len()..])?;
        if !is_empty {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("still open: {open:?}")) }
}

fn check_attributes(mut rest: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok(());
        }
        let Some((name, after)) = rest.split_once('=') else {
            return Err(format!("no attribute: {rest}"));
        };
        if seen.contains(&name)
            || name.contains(|it: char| !it.is_ascii_alphanumeric() && it != '-')
        {
            return Err(format!("attribute {name}"));
        }
        seen.push(name);
        let quote = after.chars().next().filter(|it| matches!(it, '"' | '\''));
        let Some(quote) = quote else { return Err(format!("not quoted: {rest}")) };
        let Some(end) = after[1..].find(quote) else { return Err(format!("not ended: {rest}")) };
        check_text(&after[1..=end])?;
        rest = &after[end + 2..];
    }
}

fn check_text(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        if !known.iter().any(|it| text[at..].starts_with(it)) {
            return Err(format!("a bare & in {text}"));
        }
    }
    let is_banned = |it: char| it.is_control() && !matches!(it, '\n' | '\t');
    match text.find(is_banned) {
        Some(_) => Err("a control character".to_owned()),
        None => Ok(()),
    }
}
