//! Numbered lines of a text.

use redline_text::Text;
use serde_json::Value;

use super::{super::files::line_count, MAX_BYTES};

/// Seed 000, Read, "Constants".
pub(super) const DEFAULT_LINES: usize = 500;
pub(super) const MAX_LINES: usize = 2_000;
pub(super) const MAX_BYTES_PER_LINE: usize = 4_096;

/// Lines from 1, both inclusive; never empty, never more than `MAX_LINES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    first: usize,
    last: usize,
}

impl Default for Range {
    fn default() -> Self {
        Self { first: 1, last: DEFAULT_LINES }
    }
}

/// `read_range` as it was given. Seed 000, Read 6: "Enforce a hard cap of 2,000 lines even if
/// read_range is larger".
pub(super) fn range(given: Option<&Value>) -> Result<Option<Range>, String> {
    let Some(given) = given.and_then(Value::as_array) else { return Ok(None) };
    let [Some(first), Some(last)] = [0, 1].map(|i| given.get(i).and_then(line)) else {
        return Err("read_range must be two line numbers, such as [1, 500]".to_owned());
    };
    let first = first.max(1);
    if last < first {
        return Err(format!("read_range ends (line {last}) before it starts (line {first})"));
    }
    let last = last.min(first.saturating_add(MAX_LINES - 1));
    Ok(Some(Range { first, last }))
}

/// A JSON number as a line number: what is below 0 counts as 0, fractions are cut off.
fn line(number: &Value) -> Option<usize> {
    let exact = number.as_u64().and_then(|n| usize::try_from(n).ok());
    // Casting a float saturates.
    exact.or_else(|| number.as_f64().map(|n| n as usize))
}

/// `1: first line` and so on (seed 000, Read, "Output Formats"), and a last line in brackets if
/// there is more: a model that is shown a part must not take it for the whole.
pub(super) fn numbered(text: &Text, range: Range) -> String {
    let total = line_count(text);
    let wanted = range.last.min(total);
    let mut out: Vec<String> = Vec::new();
    let mut bytes = 0;
    let mut shown = range.first - 1;
    for number in range.first..=wanted {
        let line = content(text, number - 1);
        bytes += line.len() + 1;
        if bytes > MAX_BYTES && !out.is_empty() {
            break;
        }
        out.push(format!("{number}: {line}"));
        shown = number;
    }
    out.extend(rest(range.first, shown, total));
    out.join("\n")
}

fn rest(first: usize, shown: usize, total: usize) -> Option<String> {
    if first > total {
        let why = format!("[The file has {total} lines: none in this range.]");
        return (first > 1).then_some(why);
    }
    let (from, to) = (shown + 1, (shown + DEFAULT_LINES).min(total));
    (shown < total).then(|| {
        format!("[Lines {first}-{shown} of {total}. Go on with read_range: [{from}, {to}].]")
    })
}

/// A line (from 0) without its end, cut on a char boundary.
fn content(text: &Text, line: usize) -> String {
    let (start, end) = (text.line_start(line), text.line_start(line + 1));
    let cut = text.slice(start..end.min(start + MAX_BYTES_PER_LINE));
    let trimmed = cut.trim_end_matches(['\r', '\n']);
    let rest = end - start - cut.len();
    match rest {
        // Only the line end was cut off.
        0..=2 if text.slice(start + cut.len()..end).trim_end_matches(['\r', '\n']).is_empty() => {
            trimmed.to_owned()
        }
        _ => format!("{cut}… [line cut: {} bytes]", end - start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn shown(text: &str, given: Value) -> String {
        numbered(&Text::from(text), range(Some(&given)).unwrap().unwrap())
    }

    #[test]
    fn lines_are_numbered_from_1() {
        let check = |text: &str, want: &str| {
            assert_eq!(numbered(&Text::from(text), Range::default()), want, "{text:?}");
        };
        check("", "");
        check("a", "1: a");
        check("a\n", "1: a");
        check("a\n\nb", "1: a\n2: \n3: b");
        check("a\r\nb \r\n", "1: a\n2: b ");
    }

    #[test]
    fn ranges() {
        let text = "1\n2\n3\n4\n5\n";
        let check =
            |given: Value, want: &str| assert_eq!(shown(text, given.clone()), want, "{given}");
        check(json!([4, 5]), "4: 4\n5: 5");
        check(json!([4, 900]), "4: 4\n5: 5");
        check(json!([-3, 1.9]), "1: 1\n[Lines 1-1 of 5. Go on with read_range: [2, 5].]");
        check(json!([9, 10]), "[The file has 5 lines: none in this range.]");
        for bad in [json!([5, 4]), json!([1, 0]), json!(["1", 2]), json!([1])] {
            assert!(range(Some(&bad)).is_err(), "{bad}");
        }
        assert_eq!(range(None), Ok(None));
    }

    #[test]
    fn the_limits_of_seed_000() {
        let many = "x\n".repeat(5_000);
        let count = |out: &str| out.lines().filter(|line| line.ends_with(": x")).count();
        let all = shown(&many, json!([1, 5_000]));
        assert_eq!(count(&all), 2_000);
        assert!(all.ends_with("[Lines 1-2000 of 5000. Go on with read_range: [2001, 2500].]"));
        assert_eq!(count(&numbered(&Text::from(many), Range::default())), 500);
        assert_eq!(shown(&"y".repeat(4_096), json!([1, 1])), format!("1: {}", "y".repeat(4_096)));
        let exact = format!("{}\r\nz", "y".repeat(4_096));
        assert_eq!(shown(&exact, json!([1, 2])), format!("1: {}\n2: z", "y".repeat(4_096)));
        let long = format!("{}\n", "é".repeat(2_049));
        let want = format!("1: {}… [line cut: 4099 bytes]", "é".repeat(2_048));
        assert_eq!(shown(&long, json!([1, 1])), want);
    }

    #[test]
    fn the_returned_range_is_bounded() {
        let wide = format!("{}\n", "w".repeat(4_000)).repeat(100);
        let out = shown(&wide, json!([1, 100]));
        assert!(out.len() < MAX_BYTES + 1_000);
        assert!(out.ends_with("[Lines 1-16 of 100. Go on with read_range: [17, 100].]"));
    }

    proptest! {
        #[test]
        fn no_text_and_no_range_can_panic(
            text in "[a\r\né😀]{0,30}", a in any::<f64>(), b in -3i64..40,
        ) {
            for given in [json!([a, b]), json!([b, a]), json!([b, b + 3])] {
                if let Ok(Some(range)) = range(Some(&given)) {
                    let _ = numbered(&Text::from(text.as_str()), range);
                }
            }
        }
    }
}
