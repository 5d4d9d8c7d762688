//! Finds functions in source text without a full parser.
//!
//! Comments, strings and regular expressions are replaced by spaces first, so that braces and
//! words in them do not count; what is left is read brace by brace.

/// The languages of the project's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Rust.
    Rust,
    /// TypeScript and JavaScript, and both within Svelte components.
    Script,
}

impl Language {
    /// The language of a file by the end of its name.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "rs" => Some(Self::Rust),
            "ts" | "mjs" | "js" | "svelte" => Some(Self::Script),
            _ => None,
        }
    }
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name; `closure` for a function without one.
    pub name: String,
    /// The line of its first word, counted from 1.
    pub line: usize,
    /// The number of lines from its first word to its closing brace.
    pub n_lines: usize,
}

/// The functions of a source text that have a body, in the order in which they begin.
#[must_use]
pub fn functions(text: &str, language: Language) -> Vec<Function> {
    let code = code_only(text, language);
    match language {
        Language::Rust => rust_functions(&code),
        Language::Script => script_functions(&code),
    }
}

/// The text with comments and the contents of strings replaced by spaces. Lines stay lines.
#[must_use]
pub fn code_only(text: &str, language: Language) -> Vec<char> {
    Blanker { input: text.chars().collect(), output: Vec::new(), language }.run()
}

struct Blanker {
    input: Vec<char>,
    output: Vec<char>,
    language: Language,
}

impl Blanker {
    fn run(mut self) -> Vec<char> {
        self.code(0, false);
        self.output
    }

    /// Copies code from `at`; within a template literal up to the brace that closes `${`.
    fn code(&mut self, mut at: usize, is_in_template: bool) -> usize {
        let mut depth = 0_usize;
        while let Some(ch) = self.peek(at) {
            let next = self.peek(at + 1);
            at = match (ch, next) {
                ('/', Some('/')) => self.blank_to(self.line_end(at), at),
                ('/', Some('*')) => self.blank_to(self.comment_end(at), at),
                ('"', _) => self.blank_to(self.string_end(at, '"'), at),
                ('r', Some('"' | '#')) if self.is_raw_string(at) => {
                    self.blank_to(self.raw_string_end(at), at)
                }
                ('\'', _) if self.language == Language::Rust => {
                    self.blank_to(self.char_end(at), at)
                }
                ('\'', _) => self.blank_to(self.string_end(at, '\''), at),
                ('`', _) if self.language == Language::Script => self.template(at),
                ('/', _) if self.language == Language::Script && self.is_regex() => {
                    self.blank_to(self.regex_end(at), at)
                }
                ('}', _) if is_in_template && depth == 0 => return self.blank_to(at + 1, at),
                _ => {
                    match ch {
                        '{' => depth += 1,
                        '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    self.output.push(ch);
                    at + 1
                }
            };
        }
        at
    }

    fn peek(&self, at: usize) -> Option<char> {
        self.input.get(at).copied()
    }

    fn blank_to(&mut self, end: usize, from: usize) -> usize {
        let end = end.min(self.input.len());
        for at in from..end {
            let kept = if self.input.get(at) == Some(&'\n') { '\n' } else { ' ' };
            self.output.push(kept);
        }
        end.max(from + 1)
    }

    fn line_end(&self, from: usize) -> usize {
        (from..self.input.len()).find(|&at| self.peek(at) == Some('\n')).unwrap_or(self.input.len())
    }

    /// The end of a block comment; those of Rust nest.
    fn comment_end(&self, from: usize) -> usize {
        let mut depth = 0_usize;
        let mut at = from;
        while at < self.input.len() {
            match (self.peek(at), self.peek(at + 1)) {
                (Some('/'), Some('*')) if depth == 0 || self.language == Language::Rust => {
                    depth += 1;
                    at += 2;
                }
                (Some('*'), Some('/')) => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ => at += 1,
            }
        }
        at
    }

    /// The end of a string in quotes. In a page an apostrophe of prose ends with its line.
    fn string_end(&self, from: usize, quote: char) -> usize {
        let mut at = from + 1;
        while let Some(ch) = self.peek(at) {
            match ch {
                '\\' => at += 2,
                '\n' if self.language == Language::Script => return from + 1,
                _ if ch == quote => return at + 1,
                _ => at += 1,
            }
        }
        at
    }

    fn is_raw_string(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|it| self.peek(it));
        let is_word = before.is_some_and(|it| (it.is_alphanumeric() && it != 'b') || it == '_');
        let mut end = at + 1;
        while self.peek(end) == Some('#') {
            end += 1;
        }
        self.language == Language::Rust && !is_word && self.peek(end) == Some('"')
    }

    fn raw_string_end(&self, from: usize) -> usize {
        let n_hashes = (from + 1..).take_while(|&it| self.peek(it) == Some('#')).count();
        let mut at = from + n_hashes + 2;
        while at < self.input.len() {
            let closes = self.peek(at) == Some('"')
                && (1..=n_hashes).all(|it| self.peek(at + it) == Some('#'));
            if closes {
                return at + n_hashes + 1;
            }
            at += 1;
        }
        at
    }

    /// The end of a character literal, or of the apostrophe alone where it begins a lifetime.
    fn char_end(&self, from: usize) -> usize {
        match (self.peek(from + 1), self.peek(from + 2)) {
            (Some('\\'), _) => {
                let close = (from + 3..from + 13).find(|&at| self.peek(at) == Some('\''));
                close.unwrap_or(from) + 1
            }
            (Some(_), Some('\'')) => from + 3,
            _ => from + 1,
        }
    }

    fn template(&mut self, from: usize) -> usize {
        let mut at = self.blank_to(from + 1, from);
        while let Some(ch) = self.peek(at) {
            at = match (ch, self.peek(at + 1)) {
                ('`', _) => return self.blank_to(at + 1, at),
                ('\\', _) => self.blank_to(at + 2, at),
                ('$', Some('{')) => {
                    let inner = self.blank_to(at + 2, at);
                    self.code(inner, true)
                }
                _ => self.blank_to(at + 1, at),
            };
        }
        at
    }

    /// Whether a slash here begins a regular expression: where no value stands before it.
    fn is_regex(&self) -> bool {
        let before = self.output.iter().rev().find(|it| !it.is_whitespace());
        before.is_none_or(|it| "(=,:[!&|?{};".contains(*it))
    }

    fn regex_end(&self, from: usize) -> usize {
        let mut is_in_class = false;
        let mut at = from + 1;
        while let Some(ch) = self.peek(at) {
            match ch {
                '\n' => return from + 1,
                '\\' => at += 1,
                '[' => is_in_class = true,
                ']' => is_in_class = false,
                '/' if !is_in_class => return at + 1,
                _ => {}
            }
            at += 1;
        }
        from + 1
    }
}

fn rust_functions(code: &[char]) -> Vec<Function> {
    let mut found = Vec::new();
    for at in 0..code.len() {
        let is_start = at == 0 || code.get(at - 1).is_some_and(|it| !is_word(*it));
        if !is_start || !starts_with(code, at, "fn ") {
            continue;
        }
        let name: String =
            code.iter().skip(at + 3).copied().take_while(|it| is_word(*it)).collect();
        // A type such as `fn (u8)` has no name, a method of a trait no body.
        if let Some(open) = body_start(code, at + 3).filter(|_| !name.is_empty()) {
            found.push(function(code, name, at, open));
        }
    }
    found
}

/// The brace that opens the body of a function whose signature begins at `from`.
fn body_start(code: &[char], from: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, ch) in code.iter().enumerate().skip(from) {
        match ch {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn script_functions(code: &[char]) -> Vec<Function> {
    let mut found = Vec::new();
    for at in (0..code.len()).filter(|&at| code.get(at) == Some(&'{')) {
        let line_start =
            (0..at).rev().find(|&it| code.get(it) == Some(&'\n')).map_or(0, |it| it + 1);
        let header: String = code.iter().take(at).skip(line_start).collect();
        if let Some(name) = script_name(header.trim()) {
            found.push(function(code, name, line_start, at));
        }
    }
    found
}

/// The name of the function whose body opens after this line; none where it is no function.
fn script_name(header: &str) -> Option<String> {
    if header.ends_with("=>") {
        // A group of tests is a list of functions, each of which is measured by itself.
        let is_group = header.starts_with("describe(");
        return (!is_group).then(|| assigned_name(header).unwrap_or("closure").to_owned());
    }
    if let Some((_, after)) = header.split_once("function") {
        let name: String =
            after.trim_start_matches(['*', ' ']).chars().take_while(|it| is_word(*it)).collect();
        return Some(if name.is_empty() { "closure".to_owned() } else { name });
    }
    let (before, _) = header.split_once('(')?;
    let name = before.split_whitespace().next_back().unwrap_or("closure");
    let is_statement = ["if", "for", "while", "switch", "catch", "else", "with"].contains(&name);
    let is_method = name.chars().all(is_word) && header.contains(')');
    (is_method && !is_statement && !header.starts_with('}')).then(|| name.to_owned())
}

/// `name` of `const name = () =>` and of `name: () =>`.
fn assigned_name(header: &str) -> Option<&str> {
    let (before, _) = header.split_once(['=', ':'])?;
    before.split_whitespace().next_back().filter(|it| it.chars().all(is_word))
}

fn function(code: &[char], name: String, start: usize, open: usize) -> Function {
    let mut depth = 0_i32;
    let mut end = code.len();
    for (at, ch) in code.iter().enumerate().skip(open) {
        match ch {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            end = at;
            break;
        }
    }
    let newlines =
        |from: usize, to: usize| code.iter().take(to).skip(from).filter(|it| **it == '\n').count();
    Function { name, line: newlines(0, start) + 1, n_lines: newlines(start, end) + 1 }
}

fn starts_with(code: &[char], at: usize, word: &str) -> bool {
    word.chars().enumerate().all(|(idx, ch)| code.get(at + idx) == Some(&ch))
}

/// Whether a character can be part of a name.
#[must_use]
pub fn is_word(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_' || ch == '$'
}

#[cfg(test)]
mod tests {
    use super::{Language, code_only, functions};

    fn measured(text: &str, language: Language) -> Vec<(String, usize, usize)> {
        functions(text, language).into_iter().map(|it| (it.name, it.line, it.n_lines)).collect()
    }

    #[test]
    fn braces_in_text_do_not_count_in_rust() {
        let text = "fn a<'x>(it: &'x str) -> char {\n  let _ = \"}\"; // }\n  let _ = r#\"}\"}\"#;\n  '}'\n}\n\
                    trait T {\n  fn b();\n  fn c() {\n  }\n}\n";
        let expected = [("a".to_owned(), 1, 5), ("c".to_owned(), 8, 2)];
        assert_eq!(measured(text, Language::Rust), expected);
    }

    #[test]
    fn functions_closures_and_methods_are_found_in_script() {
        let text = "export function a(it: string): string {\n  if (it) {\n  }\n  return `}${`}`}`;\n}\n\
                    const b = async () => {\n  x.replace(/}/, '}');\n};\nclass C {\n  d(e: F): void {\n  }\n}\n";
        let expected =
            [("a", 1, 5), ("b", 6, 3), ("d", 10, 2)].map(|(n, l, c)| (n.to_owned(), l, c));
        assert_eq!(measured(text, Language::Script), expected);
    }

    #[test]
    fn blanks_keep_every_line_where_it_is() {
        let text = "let a = \"one\ntwo\"; /* three\nfour */ let b = 'c';";
        let code: String = code_only(text, Language::Rust).into_iter().collect();
        assert_eq!(code.len(), text.len());
        assert_eq!(code.lines().count(), 3);
        assert!(!code.contains("four") && code.contains("let b"), "{code}");
    }
}
