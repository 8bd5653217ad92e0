//! Durations and sizes as users write them: `60s`, `500ms`, `8G`.
//! The command line and configurations share this notation.

use std::time::Duration;

/// Longest duration that is accepted; far beyond any use, far from overflow of an instant.
const LONGEST_SECONDS: f64 = 1e9;

/// `"500ms"`, `"60s"`, `"2m"`, `"1h"`, also with a fraction. The error says what is wrong.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_number(text);
    let factor = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "" => return Err(format!("`{text}` has no unit: write a duration as \"500ms\", \"60s\", \"2m\" or \"1h\"")),
        _ => return Err(format!("`{text}` is not a duration: write \"500ms\", \"60s\", \"2m\" or \"1h\"")),
    };
    let seconds = number
        .parse::<f64>()
        .map_err(|_| format!("`{text}` is not a duration: write \"500ms\", \"60s\", \"2m\" or \"1h\""))?
        * factor;
    if seconds <= 0.0 {
        return Err(format!("`{text}` is too short: a duration must be more than zero"));
    }
    if seconds > LONGEST_SECONDS {
        return Err(format!("`{text}` is too long: the longest duration is {LONGEST_SECONDS} seconds"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| format!("`{text}` is not a duration: {error}"))
}

/// As [`parse_duration`], where a bare number means seconds: for the command line.
pub fn parse_duration_or_seconds(text: &str) -> Result<Duration, String> {
    match split_number(text) {
        (number, "") if !number.is_empty() => parse_duration(&format!("{number}s")),
        _ => parse_duration(text),
    }
}

/// `"8G"`, `"500M"`, `"64K"` in powers of 1024; a bare number means bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: write \"8G\", \"500M\" or \"64K\"");
    let (number, unit) = split_number(text);
    let shift = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 0,
        "K" | "k" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * (1u64 << shift) as f64;
    if bytes < 1.0 {
        return Err(format!("`{text}` is too small: a size must be more than zero"));
    }
    if bytes > (1u64 << 60) as f64 {
        return Err(format!("`{text}` is too large: the largest size is 1048576T"));
    }
    Ok(bytes as u64)
}

/// Shortest notation that [`parse_duration`] reads back.
pub fn show_duration(duration: Duration) -> String {
    let millis = duration.as_millis();
    match millis {
        _ if millis > 0 && millis.is_multiple_of(3_600_000) => format!("{}h", millis / 3_600_000),
        _ if millis > 0 && millis.is_multiple_of(60_000) => format!("{}m", millis / 60_000),
        _ if millis.is_multiple_of(1000) => format!("{}s", millis / 1000),
        _ => format!("{millis}ms"),
    }
}

/// Shortest notation that [`parse_size`] reads back.
pub fn show_size(bytes: u64) -> String {
    for (shift, unit) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")] {
        if bytes > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{}{unit}", bytes >> shift);
        }
    }
    bytes.to_string()
}

/// Digits and points in front, and what follows them.
fn split_number(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1h"), Ok(Duration::from_secs(3600)));
        assert_eq!(parse_duration_or_seconds("20"), Ok(Duration::from_secs(20)));
        assert_eq!(parse_duration_or_seconds("20ms"), Ok(Duration::from_millis(20)));
        for wrong in ["", "20", "s", "-5s", "0s", "1e9s", "1.2.3s", "5 weeks", "99999999999h", "inf", "NaNs"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "s", ".", "-1", "0"] {
            assert!(parse_duration_or_seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("8G"), Ok(8 << 30));
        assert_eq!(parse_size("500M"), Ok(500 << 20));
        assert_eq!(parse_size("64KiB"), Ok(64 << 10));
        assert_eq!(parse_size("1.5GB"), Ok(3 << 29));
        assert_eq!(parse_size("4096"), Ok(4096));
        for wrong in ["", "G", "8X", "-8G", "0", "0.1", "99999999999T", "8 G G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shown_values_read_back() {
        for millis in [1, 500, 999, 1000, 1500, 60_000, 61_000, 90_000, 3_600_000, 5_400_000] {
            let duration = Duration::from_millis(millis);
            assert_eq!(parse_duration(&show_duration(duration)), Ok(duration));
        }
        for bytes in [1, 1023, 1024, 8 << 30, (8 << 30) + 1, 500 << 20] {
            assert_eq!(parse_size(&show_size(bytes)), Ok(bytes));
        }
    }
}
