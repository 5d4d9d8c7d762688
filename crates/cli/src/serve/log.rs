//! What the server writes to standard error, and in which form.

use std::{
    io::{self, IsTerminal},
    panic,
};

use anyhow::{Context, Result};
use tracing_subscriber::{
    EnvFilter, Layer, filter::LevelFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt,
};

/// The form of a line of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object a line, for programs
    Json,
}

/// Warnings and errors of everything, and the lines about start and stop.
const DEFAULT: &str = "warn,boardwright::lifecycle=info";

/// Sends what is logged from now on to standard error, panics included.
///
/// `wanted` is a level for our own messages, or a filter such as `warn,sqlx=debug`.
pub(crate) fn start(wanted: Option<&str>, format: Format) -> Result<()> {
    let filter = filter(wanted)?;
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = match format {
        Format::Text => lines.with_ansi(has_colors()).boxed(),
        Format::Json => lines.json().flatten_event(true).boxed(),
    };
    // A second server in one process, as in tests, keeps the log of the first.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
    panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        tracing::error!(thread, cause = %panic, "a thread panicked");
    }));
    Ok(())
}

fn filter(wanted: Option<&str>) -> Result<EnvFilter> {
    let wanted = wanted.map(str::trim).filter(|it| !it.is_empty());
    let directives = match wanted.map(|it| (it, it.parse::<LevelFilter>())) {
        None => DEFAULT.to_owned(),
        // Libraries below us say much on these levels that is of no use here.
        Some((_, Ok(level))) if level > LevelFilter::WARN => format!("warn,boardwright={level}"),
        Some((it, _)) => it.to_owned(),
    };
    let bad = || {
        format!(
            "`{directives}` is neither a level (error, warn, info, debug, trace, off) nor a filter such as warn,boardwright_server=debug"
        )
    };
    EnvFilter::builder().parse(&directives).with_context(bad)
}

fn has_colors() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(wanted: Option<&str>) -> String {
        filter(wanted).map_or_else(|error| format!("error: {error}"), |it| it.to_string())
    }

    #[test]
    fn a_level_is_for_our_own_messages() {
        assert_eq!(shown(Some("debug")), "boardwright=debug,warn");
        assert_eq!(shown(Some("error")), "error");
        assert_eq!(shown(None), "boardwright::lifecycle=info,warn");
        assert_eq!(shown(Some("")), shown(None));
    }

    #[test]
    fn a_filter_is_taken_as_it_is_and_nonsense_refused() {
        assert_eq!(shown(Some("warn,sqlx=debug")), "sqlx=debug,warn");
        assert!(shown(Some("a=b=c")).starts_with("error: `a=b=c` is neither a level"));
    }
}
