//! Who plays in a match, as the command line names them.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use boardwright_engine::{Limits, Method, Settings};

use crate::{codec::Dialect, time};

/// A player of a match.
#[derive(Clone, Debug)]
pub(crate) enum Spec {
    /// Our engine; limits of its own if the words give some.
    Own { settings: Box<Settings>, limits: Option<Limits> },
    /// Takes what looks best after one move, without looking further.
    Greedy,
    /// Any legal move.
    Random,
    /// Another program.
    External { dialect: Dialect, command: Vec<String>, lines: Vec<String> },
}

impl Spec {
    /// Reads words such as `level:3`, `full,nodes:2000`, `greedy` or `uci:program`.
    pub(crate) fn parse(text: &str) -> Result<Spec> {
        if let Some((protocol, rest)) = text.split_once(':') {
            let dialect = match protocol {
                "uci" => Some(Dialect::Uci),
                "ugi" => Some(Dialect::Ugi),
                _ => None,
            };
            if let Some(dialect) = dialect {
                return external(dialect, rest);
            }
        }
        match text {
            "greedy" => return Ok(Spec::Greedy),
            "random" => return Ok(Spec::Random),
            _ => {}
        }
        let mut settings = Settings::default();
        let mut limits = Limits::default();
        for word in text.split(',') {
            own_word(word.trim(), &mut settings, &mut limits)
                .with_context(|| format!("engine `{text}`: `{word}`"))?;
        }
        let limits = (limits != Limits::default()).then_some(limits);
        Ok(Spec::Own { settings: Box::new(settings), limits })
    }

    /// A name that is short enough for a table.
    pub(crate) fn name(&self, text: &str) -> String {
        let Spec::External { command, lines, .. } = self else { return text.to_owned() };
        let program = command.first().map_or("", |it| it.as_str());
        let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let values = lines.iter().filter_map(|it| {
            let (name, value) = it.strip_prefix("setoption name ")?.split_once(" value ")?;
            (value != "true").then(|| format!("{name}={value}"))
        });
        std::iter::once(program.to_owned()).chain(values).collect::<Vec<_>>().join(" ")
    }
}

fn own_word(word: &str, settings: &mut Settings, limits: &mut Limits) -> Result<()> {
    let (name, value) = word.split_once(':').unwrap_or((word, ""));
    let number = |least: u64, most: u64| -> Result<u64> {
        let number = value.parse::<u64>().ok().filter(|it| (least..=most).contains(it));
        number.with_context(|| format!("a number from {least} to {most} is wanted"))
    };
    match name {
        "full" if value.is_empty() => {}
        "level" => settings.level = number(1, 10)? as u8,
        "variety" => settings.variety = number(0, 10)? as u8,
        "threads" => settings.threads = number(1, 64)? as usize,
        "memory" => settings.memory = (number(1, 65_536)? as usize) << 20,
        "nodes" => limits.nodes = Some(number(1, u64::MAX)?),
        "depth" => limits.depth = Some(number(1, 1000)? as u32),
        "time" => limits.time = Some(time::parse(value).map_err(anyhow::Error::msg)?),
        "method" => {
            settings.method = match value {
                "auto" => Method::Auto,
                "search" => Method::Search,
                "playouts" => Method::Playouts,
                _ => bail!("it is auto, search or playouts"),
            }
        }
        _ => bail!(
            "not understood; an engine is `full`, `level:3`, `nodes:2000`, `time:1s`, `depth:4`, \
             `method:playouts`, several of these with commas between, `greedy`, `random`, \
             `uci:COMMAND` or `ugi:COMMAND`"
        ),
    }
    Ok(())
}

/// `COMMAND ARGS;LINE;LINE`: a program and what to tell it before the first game.
fn external(dialect: Dialect, text: &str) -> Result<Spec> {
    let mut parts = text.split(';').map(str::trim);
    let command = words(parts.next().unwrap_or(""))?;
    if command.is_empty() {
        bail!("name a program: `uci:COMMAND` or `ugi:COMMAND`");
    }
    let lines: Vec<String> = parts.filter(|it| !it.is_empty()).map(str::to_owned).collect();
    if lines.iter().any(|it| it.contains(char::is_control)) {
        bail!("a line for `{}` has a sign that cannot be sent", command[0]);
    }
    Ok(Spec::External { dialect, command, lines })
}

/// The words of a command; quotes hold a word together.
fn words(text: &str) -> Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for ch in text.chars() {
        match (ch, quote) {
            (_, Some(it)) if it == ch => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(ch),
            ('"' | '\'', None) => {
                quote = Some(ch);
                word.get_or_insert_default();
            }
            (' ' | '\t', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(ch),
        }
    }
    if quote.is_some() {
        bail!("a quote is not closed in `{text}`");
    }
    words.extend(word);
    Ok(words)
}

/// How long a move may take by these limits before it counts as late.
pub(crate) fn latest(limits: &Limits) -> Option<Duration> {
    limits.time.map(|it| it.mul_f64(1.05) + Duration::from_millis(50))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_engine_is_named_by_words() {
        let Ok(Spec::Own { settings, limits }) = Spec::parse("level:3,nodes:500,variety:2") else {
            panic!("it is ours");
        };
        assert_eq!((settings.level, settings.variety), (3, 2));
        assert_eq!(limits, Some(Limits::nodes(500)));
        assert!(matches!(Spec::parse("full"), Ok(Spec::Own { limits: None, .. })));
        for wrong in ["", "level", "level:0", "level:11", "nodes:x", "fool", "full:3", "uci:"] {
            assert!(Spec::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn programs_take_arguments_and_lines() {
        let text = "uci:'my dir/fish' --quick \"two words\"; setoption name UCI_Elo value 1900;";
        let spec = Spec::parse(text).expect("it is sound");
        assert_eq!(spec.name(text), "fish UCI_Elo=1900");
        let Spec::External { command, lines, .. } = spec else { panic!("it is another's") };
        assert_eq!(command, ["my dir/fish", "--quick", "two words"]);
        assert_eq!(lines, ["setoption name UCI_Elo value 1900"]);
        assert!(Spec::parse("uci:'open").is_err());
    }
}
