//! The table of evasions: what each command comes to under a set of rules.
//!
//! `evasions.txt` has sections that begin with the rules (`= RULE`), and rows of a verdict and a
//! command. In a command `␤` is a newline, `␀` NUL, `␍` CR, `␠` a no-break space, `␢` a zero-width
//! space, `␉` a tab.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Owned, policy};
use redline_permissions::Action;

const TABLE: &str = include_str!("evasions.txt");

fn command(written: &str) -> String {
    let signs =
        [("␤", "\n"), ("␀", "\0"), ("␍", "\r"), ("␠", "\u{a0}"), ("␢", "\u{200b}"), ("␉", "\t")];
    signs.iter().fold(written.to_owned(), |text, (sign, char)| text.replace(sign, char))
}

/// The rules, the verdict and the command of each row.
fn rows() -> Vec<(String, String, String)> {
    let (mut rules, mut fresh, mut rows) = (String::new(), false, Vec::new());
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(rule) = line.strip_prefix("= ") {
            if !std::mem::replace(&mut fresh, true) {
                rules.clear();
            }
            rules.push_str(rule);
            rules.push('\n');
            continue;
        }
        fresh = false;
        let (verdict, cmd) = line.split_once(' ').unwrap();
        rows.push((rules.clone(), verdict.to_owned(), command(cmd.trim_start())));
    }
    rows
}

#[test]
fn each_row_has_its_verdict() {
    let rows = rows();
    let mut wrong = Vec::new();
    for (rules, expect, cmd) in &rows {
        let verdict = Owned::bash(cmd).judge(&policy(rules));
        if verdict.action.to_string() != *expect {
            wrong.push(format!("{expect} {cmd:?}: {}", verdict.reason.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert!(rows.len() >= 250, "{} rows", rows.len());
}

#[test]
fn no_row_is_allowed_by_a_rule_for_another_program() {
    let policy = policy("allow Bash --cmd 'zz *' --cmd zz");
    for (_, _, cmd) in rows().iter().filter(|(_, _, cmd)| !cmd.contains("zz")) {
        let verdict = Owned::bash(cmd).judge(&policy);
        let is_own = verdict.reason.text.contains("built-in rule");
        assert!(verdict.action != Action::Allow || is_own, "{cmd:?}: {}", verdict.reason.text);
    }
}
