//! Arguments that are numbers.

use serde_json::Value;

/// A whole number that is not below `least`; what is too large is the largest. `Err` says what is
/// wrong.
pub(super) fn at_least(args: &Value, name: &str, least: usize) -> Result<Option<usize>, String> {
    let Some(number) = args.get(name) else { return Ok(None) };
    // Casting a float saturates.
    let exact = number.as_u64().and_then(|n| usize::try_from(n).ok());
    let value = exact.or_else(|| number.as_f64().filter(|n| *n >= 0.0).map(|n| n as usize));
    match value.filter(|value| *value >= least) {
        Some(value) => Ok(Some(value)),
        None => Err(format!("\"{name}\" must be {least} or more, but is {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers() {
        let check = |value: Value, least, want: Result<Option<usize>, &str>| {
            let got = at_least(&json!({"n": value}), "n", least);
            assert_eq!(got, want.map_err(str::to_owned), "{value}");
        };
        check(json!(3), 0, Ok(Some(3)));
        check(json!(3.0), 1, Ok(Some(3)));
        check(json!(1e300), 1, Ok(Some(usize::MAX)));
        check(json!(0), 1, Err("\"n\" must be 1 or more, but is 0"));
        check(json!(-1), 0, Err("\"n\" must be 0 or more, but is -1"));
        assert_eq!(at_least(&json!({}), "n", 1), Ok(None));
    }
}
