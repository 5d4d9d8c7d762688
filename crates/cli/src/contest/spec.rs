//! Contenders as they are written on the command line: `full`, `level:3`, `uci:program;setoption …`.

use boardwright_engine::{EngineSettings, Method, SearchLimits};

use crate::{codec::Dialect, time};

/// A contender as it was written.
#[derive(Clone, Debug)]
pub(crate) struct ContenderSpec {
    /// The text.
    pub name: String,
    pub kind: ContenderKind,
}

/// How a contender chooses its moves.
#[derive(Clone, Debug)]
pub(crate) enum ContenderKind {
    /// A random legal move.
    Random,
    /// The move with the best static evaluation.
    Greedy,
    /// Our engine; its own limits replace those of the match. A plain one does not use the
    /// results of training.
    Engine { settings: Box<EngineSettings>, limits: SearchLimits, is_plain: bool },
    /// Another program.
    Program(ProgramSpec),
    /// An engine of the user's folder, or of a shared library, by name or path.
    Plugin(String),
}

/// Another program and the commands to send to it first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProgramSpec {
    pub dialect: Dialect,
    pub words: Vec<String>,
    pub greetings: Vec<String>,
}

const KNOWN: &str = "full, plain, level:1 to level:10, nodes:N, time:1s, depth:N, greedy, random, \
                     uci:COMMAND, ugi:COMMAND or plugin:NAME";

/// Reads a contender.
pub(crate) fn parse(text: &str) -> Result<ContenderSpec, String> {
    let name = text.trim().to_owned();
    let kind = match name.split_once(':') {
        _ if name == "random" => ContenderKind::Random,
        _ if name == "greedy" => ContenderKind::Greedy,
        Some(("uci", rest)) => ContenderKind::Program(program(Dialect::Uci, rest)?),
        Some(("ugi", rest)) => ContenderKind::Program(program(Dialect::Ugi, rest)?),
        Some(("plugin", rest)) if !rest.trim().is_empty() => {
            ContenderKind::Plugin(rest.trim().to_owned())
        }
        _ => engine(&name)?,
    };
    Ok(ContenderSpec { name, kind })
}

/// Our engine, by parts between commas: `level:4,nodes:2000`.
fn engine(text: &str) -> Result<ContenderKind, String> {
    let mut settings = EngineSettings::default();
    let mut limits = SearchLimits::default();
    let mut is_plain = false;
    for part in text.split(',').map(str::trim) {
        let (name, value) = part.split_once(':').unwrap_or((part, ""));
        let number = |range: std::ops::RangeInclusive<u64>| {
            let read = value.parse::<u64>().ok().filter(|it| range.contains(it));
            read.ok_or_else(|| {
                format!("`{part}`: a number from {} to {} is needed", range.start(), range.end())
            })
        };
        match name {
            "full" if value.is_empty() => {}
            "plain" if value.is_empty() => is_plain = true,
            "level" => settings.level = number(1..=10)? as u8,
            "variety" => settings.variety = number(0..=10)? as u8,
            "threads" => settings.threads = number(1..=64)? as usize,
            "hash" => settings.memory = (number(1..=4096)? as usize) << 20,
            "nodes" => limits.nodes = Some(number(1..=u64::MAX)?),
            "depth" => limits.depth = Some(number(1..=200)? as u32),
            "time" => {
                limits.time = Some(time::parse(value).map_err(|it| format!("`{part}`: {it}"))?);
            }
            "method" => {
                settings.method = match value {
                    "search" => Method::Search,
                    "playouts" => Method::Playouts,
                    _ => return Err(format!("`{part}`: search or playouts")),
                }
            }
            "greedy" | "random" => {
                return Err(format!("`{part}` has no level and no limits: write it alone"));
            }
            _ => return Err(format!("there is no engine `{part}`; known are {KNOWN}")),
        }
    }
    Ok(ContenderKind::Engine { settings: Box::new(settings), limits, is_plain })
}

fn program(dialect: Dialect, text: &str) -> Result<ProgramSpec, String> {
    let mut parts = text.split(';').map(str::trim);
    let words = words(parts.next().unwrap_or(""))?;
    if words.is_empty() {
        return Err("a command is needed after the colon".to_owned());
    }
    let greetings = parts.filter(|it| !it.is_empty()).map(str::to_owned).collect();
    Ok(ProgramSpec { dialect, words, greetings })
}

/// The words of a command; quotes keep spaces.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for ch in text.chars() {
        match (quote, ch) {
            (Some(open), _) if open == ch => quote = None,
            (None, '"' | '\'') => {
                quote = Some(ch);
                word.get_or_insert_default();
            }
            (None, _) if ch.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(ch),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read_by_their_parts() {
        let Ok(ContenderSpec { kind: ContenderKind::Engine { settings, limits, .. }, .. }) =
            parse("level:3, nodes:2000")
        else {
            panic!("not an engine")
        };
        assert_eq!((settings.level, limits.nodes), (3, Some(2000)));
        assert!(parse("full").is_ok() && parse("time:0.2s").is_ok() && parse("random").is_ok());
        for wrong in ["", "level:0", "level:x", "fast", "nodes:0", "time:soon", "uci:", "ugi:'x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn programs_keep_their_words_and_greetings() {
        let spec = parse("uci:\"/a b/x\" -v 1; setoption name Hash value 8;").map(|it| it.kind);
        let Ok(ContenderKind::Program(program)) = spec else { panic!("not a program") };
        assert_eq!(program.words, ["/a b/x", "-v", "1"]);
        assert_eq!(program.greetings, ["setoption name Hash value 8"]);
    }
}
