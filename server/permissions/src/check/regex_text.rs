//! What the text of a regular expression says about its ends.

/// `/…/` without the slashes.
pub(super) fn body(pattern: &str) -> Option<&str> {
    pattern.strip_prefix('/')?.strip_suffix('/').filter(|body| !body.is_empty())
}

/// Whether it only matches from the start.
pub(super) fn is_anchored_at_start(body: &str) -> bool {
    let body = without_flags(body);
    (body.starts_with('^') || body.starts_with("\\A")) && !has_top_level_choice(body)
}

/// Whether it only matches up to the end.
pub(super) fn is_anchored_at_end(body: &str) -> bool {
    let escapes = |text: &str| text.chars().rev().take_while(|&c| c == '\\').count();
    let dollar = body.strip_suffix('$').is_some_and(|rest| escapes(rest) % 2 == 0);
    let end = body.strip_suffix('z').is_some_and(|rest| escapes(rest) % 2 == 1);
    (dollar || end) && !has_top_level_choice(body)
}

/// Whether it is a text without anything special.
pub(super) fn is_plain(body: &str) -> bool {
    !body.contains(|c| "\\.+*?()|[]{}^$#".contains(c))
}

fn without_flags(body: &str) -> &str {
    let flags = body.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
    match flags {
        Some((flags, rest)) if flags.chars().all(|c| c.is_ascii_alphabetic() || c == '-') => rest,
        _ => body,
    }
}

/// `^a|b$`: the ends bind one alternative each.
fn has_top_level_choice(body: &str) -> bool {
    let (mut depth, mut class, mut escaped) = (0_usize, false, false);
    for char in body.chars() {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            _ if class => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends() {
        let check = |body: &str, start: bool, end: bool| {
            let got = (is_anchored_at_start(body), is_anchored_at_end(body));
            assert_eq!(got, (start, end), "{body}");
        };
        check("^git (status|log)$", true, true);
        check("git status", false, false);
        check("^a|b$", false, false);
        check("(?i)^a", true, false);
        check("a\\$", false, false);
        check("a\\\\$", false, true);
        check("\\Aa\\z", true, true);
        check("az", false, false);
        check("^[|]$", true, true);
    }
}
