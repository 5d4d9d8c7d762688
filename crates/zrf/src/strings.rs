//! Strings as they are shown.

/// The text that a string displays.
///
/// Lines are joined by one space and lose their indentation, an empty line is
/// a line break, `\` is a line break, and `` ` `` is a quotation mark. Authors
/// end lines with `\` as well, so blanks after a line break go.
pub(crate) fn display(raw: &str) -> String {
    let mut folded = String::with_capacity(raw.len());
    let normal = raw.replace("\r\n", "\n").replace('\r', "\n");
    let mut n_breaks = 0;
    for (idx, line) in normal.split('\n').enumerate() {
        // The first line keeps its leading blanks, the last its trailing ones.
        let line = if idx == 0 { line } else { line.trim_start() };
        if idx > 0 {
            n_breaks += 1;
        }
        if line.trim().is_empty() && idx > 0 {
            continue;
        }
        if n_breaks == 1 && !folded.is_empty() {
            trim_blanks(&mut folded);
            folded.push(' ');
        } else {
            trim_blanks(&mut folded);
            folded.extend(std::iter::repeat_n('\n', n_breaks.max(1) - 1));
        }
        n_breaks = 0;
        folded.push_str(line);
    }
    let mut out = String::with_capacity(folded.len());
    let mut after_break = false;
    for ch in folded.chars() {
        match ch {
            '\\' | '\n' => {
                trim_blanks(&mut out);
                out.push('\n');
                after_break = true;
            }
            ' ' | '\t' if after_break => {}
            '`' => {
                out.push('"');
                after_break = false;
            }
            _ => {
                out.push(ch);
                after_break = false;
            }
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The text of a `help` line: folded to one line, its `\` kept, since there
/// they part left, centre and right.
pub(crate) fn help(raw: &str) -> String {
    let joined: Vec<_> =
        raw.split(['\n', '\r']).map(str::trim).filter(|it| !it.is_empty()).collect();
    joined.join(" ").replace('`', "\"")
}

fn trim_blanks(text: &mut String) {
    text.truncate(text.trim_end_matches([' ', '\t']).len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_folded() {
        let check = |raw: &str, expect: &str| assert_eq!(display(raw), expect, "{raw:?}");
        check("one line", "one line");
        check("two\r\n   lines", "two lines");
        check("a paragraph\n\n  and another", "a paragraph\nand another");
        check("broken\\here", "broken\nhere");
        check("twice\\\\broken", "twice\n\nbroken");
        check("broken \\\n   at the end of a line", "broken\nat the end of a line");
        check("say `hello`", "say \"hello\"");
        check("", "");
        check("\n  first", "first");
    }

    #[test]
    fn help_keeps_its_parts() {
        assert_eq!(help("left\\centre\\\\right"), "left\\centre\\\\right");
        assert_eq!(help("a `b`\n   c"), "a \"b\" c");
    }
}
