//! Numbers as a reader wants them.

use crate::samples::Spread;

/// Seconds with a unit that fits: `1.27 ms`.
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v < 1e-6 => (v * 1e9, "ns"),
        v if v < 1e-3 => (v * 1e6, "µs"),
        v if v < 1.0 => (v * 1e3, "ms"),
        v => (v, "s"),
    };
    format!("{} {unit}", number(scaled))
}

/// Bytes with a unit that fits: `1 MB` is 1,000,000 bytes.
pub fn bytes(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v < 1e6 => (v / 1e3, "KB"),
        v => (v / 1e6, "MB"),
    };
    format!("{} {unit}", number(scaled))
}

/// Median and middle half, written by `one`: `1.2 ms (1.1 ms – 1.5 ms)`.
pub fn spread(spread: Spread, one: impl Fn(f64) -> String) -> String {
    format!("{} ({} – {})", one(spread.mid), one(spread.low), one(spread.high))
}

/// Three significant digits, or two for what is small: `0.0032`, `1.27`, `38.1`, `412`, `12,300`.
pub fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if v < 0.001 => format!("{value:.5}"),
        v if v < 0.1 => format!("{value:.4}"),
        v if v < 1.0 => format!("{value:.3}"),
        v if v < 10.0 => format!("{value:.2}"),
        v if v < 100.0 => format!("{value:.1}"),
        _ => grouped(value.round() as i64),
    }
}

fn grouped(value: i64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let check = |text: String, expect: &str| assert_eq!(text, expect);
        check(seconds(0.001_27), "1.27 ms");
        check(seconds(0.000_023_4), "23.4 µs");
        check(seconds(0.000_000_05), "50.0 ns");
        check(seconds(2.0), "2.00 s");
        check(bytes(4_200_000.0), "4.20 MB");
        check(bytes(100_000.0), "100 KB");
        check(number(1_234_567.4), "1,234,567");
        check(number(412.0), "412");
        check(number(0.0321), "0.0321");
        check(number(0.0), "0");
    }
}
