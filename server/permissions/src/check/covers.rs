//! Whether one rule matches everything that another one matches. `Some` is proved; `None` is not
//! known.

use super::known::{KnownTool, matched, may_be_foreign};
use crate::glob::after_home;
use crate::tool::ToolGlob;
use crate::{Condition, Matches, Pattern, Rule};

/// How much of what the late rule matches the early one matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cover {
    /// All of it.
    All,
    /// All that really is what it says. A rule that asks or rejects is also held against what a call
    /// looks like, and one that allows is not.
    Plain,
}

/// Whether `early` matches all calls that `late` matches.
pub(super) fn covers(early: &Rule, late: &Rule, tools: &[KnownTool]) -> Option<Cover> {
    let context = early.context.is_none() || early.context == late.context;
    let covered =
        context && tools_of(early, late, tools) && conditions(&early.matches, &late.matches);
    let looks = late.action.tightens() && !early.action.tightens() && !early.matches.is_empty();
    covered.then_some(if looks { Cover::Plain } else { Cover::All })
}

fn tools_of(early: &Rule, late: &Rule, tools: &[KnownTool]) -> bool {
    if early.tool == "**" || early.tool.eq_ignore_ascii_case(&late.tool) {
        return true;
    }
    let Ok(glob) = ToolGlob::new(&early.tool) else { return false };
    let is_literal = !late.tool.contains(|c| "*?[]{}\\".contains(c));
    if is_literal && glob.is_match(&late.tool)
        || early.tool == "*" && !late.tool.contains(['/', '*'])
    {
        return true;
    }
    // A tool has several names: all that the late rule is for must be the early one's.
    let of_late = matched(late, tools);
    !may_be_foreign(&late.tool)
        && !of_late.is_empty()
        && of_late.iter().all(|tool| tool.names.iter().any(|name| glob.is_match(name)))
}

fn conditions(early: &Matches, late: &Matches) -> bool {
    early.iter().all(|(key, early)| late.get(key).is_some_and(|late| condition(early, late)))
}

fn condition(early: &Condition, late: &Condition) -> bool {
    match (early, late) {
        (early, Condition::Any(all)) => all.iter().all(|late| condition(early, late)),
        (Condition::Any(all), late) => all.iter().any(|early| condition(early, late)),
        (Condition::Pattern(early), Condition::Pattern(late)) => pattern(early, late),
        (Condition::Literal(early), Condition::Literal(late)) => early.is(&late.to_json()),
        (Condition::Nested(early), Condition::Nested(late)) => conditions(early, late),
        _ => false,
    }
}

/// A glob includes another if it matches it with something that it does not know in the place of
/// each star.
fn pattern(early: &Pattern, late: &Pattern) -> bool {
    let is_regex = |pattern: &Pattern| super::regex_text::body(pattern.text()).is_some();
    if early.text() == late.text() || early.text() == "*" {
        return true;
    }
    if is_regex(early) || is_regex(late) || early.text().contains(UNKNOWN) {
        return false;
    }
    let included = |early: &str, late: &str| {
        Pattern::new(early).is_ok_and(|glob| glob.matches(&late.replace('*', UNKNOWN)))
    };
    // In a path the home stands for itself and for what it is.
    let homely = match (after_home(early.text()), after_home(late.text())) {
        (_, None) => true,
        (Some(early), Some(late)) => included(&format!("{HOME}{early}"), &format!("{HOME}{late}")),
        (None, Some(late)) => included(early.text(), &format!("{UNKNOWN}{late}")),
    };
    homely && included(early.text(), late.text())
}

/// Characters that stand for nothing (Unicode, "noncharacters").
const UNKNOWN: &str = "\u{fdd0}";
const HOME: &str = "\u{fdd1}";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_text;

    fn rule(text: &str) -> Rule {
        parse_text(text).unwrap().remove(0).1
    }

    proptest::proptest! {
        #[test]
        fn what_is_covered_is_matched(
            early in "[ab*~/]{0,6}",
            late in "[ab*~/]{0,6}",
            texts in proptest::collection::vec("[ab~/]{0,8}", 1..20),
        ) {
            let [early, late] = [early, late].map(|text| Pattern::new(&text));
            if let (Ok(early), Ok(late)) = (early, late)
                && pattern(&early, &late)
            {
                for text in texts {
                    let home = Some("/ab");
                    let is_late = late.matches_path(&text, home);
                    assert!(!is_late || early.matches_path(&text, home), "{early:?} {late:?} {text}");
                    assert!(!late.matches(&text) || early.matches(&text), "{early:?} {late:?} {text}");
                }
            }
        }
    }

    #[test]
    fn which_rule_covers_which() {
        let tools = [KnownTool {
            names: ["edit_file", "Edit"].map(str::to_owned).to_vec(),
            ..KnownTool::default()
        }];
        let check = |early: &str, late: &str, want: Option<Cover>| {
            assert_eq!(covers(&rule(early), &rule(late), &tools), want, "{early} / {late}");
        };
        let (all, plain) = (Some(Cover::All), Some(Cover::Plain));
        check("ask Bash", "allow Bash --cmd 'ls *'", all);
        check("ask '*'", "allow Bash", all);
        check("ask '*'", "allow '**/x'", None);
        check("ask '**'", "allow '**/x'", all);
        check("ask 'mcp__*'", "allow mcp__a__b", all);
        check("ask mcp__a__b", "allow 'mcp__*'", None);
        check("ask edit_file", "allow Edit", all);
        check("ask EDIT", "reject '{edit_file,Edit}'", all);
        check("ask Bash --cmd 'git *'", "allow Bash --cmd 'git push *'", all);
        check("allow Bash --cmd 'git *'", "reject Bash --cmd 'git push*'", plain);
        check("allow Bash", "reject Bash --cmd 'git push*'", all);
        check("allow Bash --cmd 'git *'", "allow Bash --cmd 'git push*'", all);
        check("allow Bash --cmd 'git push*'", "reject Bash --cmd 'git *'", None);
        check("ask Bash --cmd 'a*' --cmd 'b*'", "ask Bash --cmd ab --cmd 'bb*'", all);
        check("ask Bash --cmd 'a*'", "ask Bash --cmd ab --cmd bb", None);
        check("ask Bash --cmd '*x*y*'", "ask Bash --cmd 'a*x*by'", all);
        check("ask Bash --cmd '*x*y*'", "ask Bash --cmd '*y*x*'", None);
        check("ask Bash --cmd 'a*b'", "ask Bash --cmd 'a*'", None);
        check("ask Bash --cmd '/^a/'", "ask Bash --cmd '/^a/'", all);
        check("ask Bash --cmd '/^a/'", "ask Bash --cmd ab", None);
        check("ask Bash --cmd '*'", "ask Bash --cmd '/^a/'", all);
        check("ask Bash --cmd a --cwd b", "ask Bash --cmd a", None);
        check("ask Bash --cmd a", "ask Bash --cmd a --cwd b", all);
        check("ask --context thread Bash", "ask Bash", None);
        check("ask Bash", "ask --context thread Bash", all);
        check("ask --context subagent Bash", "ask --context thread Bash", None);
        check("ask x --n 1", "ask x --n 1.0", all);
        check("ask x --n 1", "ask x --n 2", None);
        check("ask x --o '{\"a\":\"b*\"}'", "ask x --o '{\"a\":\"bc\",\"d\":1}'", all);
        check("ask x --o '{\"a\":\"b*\"}'", "ask x --o '{\"d\":1}'", None);
        check("ask Read --path '~/*'", "ask Read --path '~/.ssh/*'", all);
        check("ask Read --path '$HOME/*'", "ask Read --path '~/.ssh/*'", None);
        check("ask Read --path '*/.ssh/*'", "ask Read --path '~/.ssh/x'", all);
        check("ask Read --path '~*'", "ask Read --path '~/x'", None);
        check("ask Read --path '/home/*'", "ask Read --path '~/x'", None);
    }
}
