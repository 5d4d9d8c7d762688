//! Durations as people write them: `5s`, `0.1s`, `200ms`, `2m`; and short forms of numbers.

use std::time::Duration;

/// The longest duration that is accepted, in seconds: one week.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// Reads a duration; a number without a unit is in seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write `5s`, `0.1s`, `200ms` or `2m`".to_owned()),
    };
    let seconds =
        number.trim().parse::<f64>().map_err(|_| "that is not a number".to_owned())? * unit;
    if !(0.001..=LONGEST).contains(&seconds) {
        return Err("at least 1ms, at most a week".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A duration for people: `100 ms`, `2.5 s`, `1 min 1 s`.
pub(crate) fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..0.9995 => format!("{} ms", (seconds * 1000.0).round()),
        ..59.95 => format!("{} s", trimmed(seconds)),
        _ => format!("{} min {} s", seconds as u64 / 60, seconds as u64 % 60),
    }
}

/// A number with one decimal, which is omitted if it is zero.
fn trimmed(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A large number for people: `950`, `12 k`, `4.5 M`.
pub(crate) fn big(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{:.0} k", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} M", number as f64 / 1e6),
        _ => format!("{:.1} G", number as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_unit() {
        let millis = |text| parse(text).map(|it| it.as_millis());
        assert_eq!(millis("5s"), Ok(5000));
        assert_eq!(millis("0.1s"), Ok(100));
        assert_eq!(millis("200ms"), Ok(200));
        assert_eq!(millis("2m"), Ok(120_000));
        assert_eq!(millis("3"), Ok(3000));
        for wrong in ["", "s", "-1s", "0s", "1e99s", "NaN", "5 parsecs", "1y"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_numbers_are_shown_short() {
        assert_eq!(shown(Duration::from_millis(100)), "100 ms");
        assert_eq!(shown(Duration::from_millis(1000)), "1 s");
        assert_eq!(shown(Duration::from_millis(2550)), "2.5 s");
        assert_eq!(shown(Duration::from_secs(61)), "1 min 1 s");
        assert_eq!((big(950), big(12_345)), ("950".to_owned(), "12 k".to_owned()));
        assert_eq!(big(4_560_000), "4.6 M");
    }
}
