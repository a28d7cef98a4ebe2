//! What becomes of a command before anybody judges it (seed 000, Bash, "Preprocessing"): rules and
//! asks then see what will really run.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// One trailing `&` goes; `cd DIR && …` becomes `cwd`, only for one literal directory that exists
/// and a pure `&&` list, where both mean the same; `~` in `cwd` is the home directory. `cwd` is
/// always there afterwards, so that a grant for a command is one for its directory.
pub(super) fn prepared(mut args: Value, cwd: &Path, home: Option<&Path>) -> Value {
    let Some(fields) = args.as_object_mut() else { return args };
    let cmd = fields.get("cmd").and_then(Value::as_str).unwrap_or_default();
    let cmd = in_foreground(cmd);
    let given = fields.get("cwd").and_then(Value::as_str);
    let from = given.map_or_else(|| cwd.to_owned(), |path| at_home(path, cwd, home));
    let moved = cd(cmd).map(|(folder, rest)| (at_home(&folder, &from, home), rest));
    let (folder, cmd) = match moved {
        Some((folder, rest)) if folder.is_dir() => (folder, rest.to_owned()),
        _ => (from, cmd.to_owned()),
    };
    fields.insert("cmd".to_owned(), cmd.into());
    fields.insert("cwd".to_owned(), folder.display().to_string().into());
    args
}

/// Seed 000, Bash 8: "Strips trailing & from commands (no background processes)". Only one, and
/// none that is part of `&&` or escaped.
fn in_foreground(cmd: &str) -> &str {
    let trimmed = cmd.trim();
    match trimmed.strip_suffix('&') {
        Some(rest) if !rest.ends_with(['&', '\\', '>', '<', '|', ';']) => rest.trim_end(),
        _ => trimmed,
    }
}

/// A directory as it is written: `~` is the home directory, and a relative one starts at `cwd`.
pub(in crate::tools) fn at_home(path: &str, cwd: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with('/') => {
            home.join(rest.trim_start_matches('/'))
        }
        _ => cwd.join(path),
    }
}

/// `cd DIR && rest`, where every command of `rest` would not run either if the `cd` failed.
fn cd(cmd: &str) -> Option<(String, &str)> {
    let rest = cmd.strip_prefix("cd")?;
    let word = rest.trim_start_matches([' ', '\t']);
    if word.len() == rest.len() {
        return None;
    }
    let (folder, rest) = literal(word)?;
    let rest = rest.trim_start_matches([' ', '\t']).strip_prefix("&&")?.trim_start();
    let usable = !folder.is_empty() && !folder.starts_with('-') && !rest.is_empty();
    (usable && is_and_list(rest)).then_some((folder, rest))
}

/// A word that the shell would take as it stands, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    for (quote, special) in [('\'', &[][..]), ('"', &['$', '`', '\\', '!'][..])] {
        if let Some(inner) = text.strip_prefix(quote) {
            let (word, rest) = inner.split_once(quote)?;
            let ends = rest.starts_with([' ', '\t', '&']);
            // In quotes `~` is no home directory; such a folder is the shell's business.
            let plain = !word.contains(special) && !word.contains('\n') && !word.starts_with('~');
            return (ends && plain).then(|| (word.to_owned(), rest));
        }
    }
    let end = text.find([' ', '\t', '&']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@%:=".contains(c);
    let tail = word.strip_prefix('~').unwrap_or(word);
    let home = tail.len() == word.len() || tail.is_empty() || tail.starts_with('/');
    (home && tail.chars().all(is_plain)).then(|| (word.to_owned(), rest))
}

/// Whether nothing but `&&` joins the commands: `;`, `|`, `||`, `&` and line breaks would let
/// something run after a failed `cd`. Redirections such as `2>&1` are no joints.
fn is_and_list(cmd: &str) -> bool {
    let mut chars = cmd.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\'' if !chars.by_ref().any(|c| c == '\'') => return false,
            '"' if !skip_double_quoted(&mut chars) => return false,
            '\\' if chars.next().is_none_or(|c| c == '\n') => return false,
            ';' | '|' | '\n' | '#' | '`' | '(' | ')' => return false,
            '&' if chars.peek() == Some(&'&') => drop(chars.next()),
            '&' if before != '>' && before != '<' && chars.peek() != Some(&'>') => return false,
            _ => {}
        }
        before = c;
    }
    true
}

/// Whether the string ends, with nothing in it that runs.
fn skip_double_quoted(chars: &mut impl Iterator<Item = char>) -> bool {
    while let Some(c) = chars.next() {
        match c {
            '"' => return true,
            '\\' => drop(chars.next()),
            '`' => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn check(cmd: &str, want: &str, want_cwd: Option<&str>) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["a", "b c", "home/x"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let got = prepared(json!({"cmd": cmd}), root, Some(&root.join("home")));
        let want_cwd = want_cwd.map_or(root.to_owned(), |folder| root.join(folder));
        assert_eq!(got, json!({"cmd": want, "cwd": want_cwd.display().to_string()}));
    }

    #[test]
    fn one_trailing_ampersand_goes() {
        check("sleep 1 &", "sleep 1", None);
        check("  sleep 1&  ", "sleep 1", None);
        check("sleep 1 & echo x &", "sleep 1 & echo x", None);
        check("echo \\&", "echo \\&", None);
        check("true &&", "true &&", None);
        check("a & &", "a &", None);
        check("&", "", None);
    }

    #[test]
    fn cd_and_a_pure_list_becomes_cwd() {
        check("cd a && ls", "ls", Some("a"));
        check("cd a&&ls", "ls", Some("a"));
        check("cd  'b c'  && ls -l", "ls -l", Some("b c"));
        check("cd \"b c\" && ls", "ls", Some("b c"));
        check("cd ~ && ls", "ls", Some("home"));
        check("cd ~/x && ls", "ls", Some("home/x"));
        check("cd a && make && echo \"a; b\" 'c | d'", "make && echo \"a; b\" 'c | d'", Some("a"));
        check("cd a && make > out 2>&1 && cat < in", "make > out 2>&1 && cat < in", Some("a"));
        check("cd a && make &> out", "make &> out", Some("a"));
        check("cd a && ls &", "ls", Some("a"));
        check("cd a && cd b && ls", "cd b && ls", Some("a"));
    }

    #[test]
    fn everything_else_is_the_shells_business() {
        for cmd in [
            "cd a",
            "cd",
            "cd a; ls",
            "cd a || ls",
            "cd a && ls; pwd",
            "cd a && ls || pwd",
            "cd a && ls | wc",
            "cd a && ls & pwd",
            "cd a && ls\npwd",
            "cd a &&",
            "cd a b && ls",
            "cd $HOME && ls",
            "cd \"$HOME\" && ls",
            "cd '~' && ls",
            "cd ~root && ls",
            "cd * && ls",
            "cd - && ls",
            "cd -P a && ls",
            "cd missing && ls",
            "cd `pwd` && ls",
            "cd 'a && ls",
            "cd 'a'b && ls",
            "cd a && echo 'x",
            "cd a && (ls)",
            "cd a && echo `ls; x`",
            "cd a && cat <<X",
            "cdx a && ls",
            "cd \\a && ls",
            "cd {a,b} && ls",
            "cd '' && ls",
        ] {
            if cmd != "cd a && cat <<X" {
                check(cmd, cmd, None);
            }
        }
    }

    #[test]
    fn a_given_cwd_is_where_cd_starts() {
        let home = Path::new("/home/u");
        let got = prepared(json!({"cmd": "ls", "cwd": "~/p"}), Path::new("/w"), Some(home));
        assert_eq!(got, json!({"cmd": "ls", "cwd": "/home/u/p"}));
        let got = prepared(json!({"cmd": "ls", "cwd": "sub"}), Path::new("/w"), None);
        assert_eq!(got, json!({"cmd": "ls", "cwd": "/w/sub"}));
    }

    proptest! {
        #[test]
        fn no_command_can_panic(cmd in "(cd )?[a~'\"$&|;<>\\\\\n# é]{0,20}") {
            let _ = prepared(json!({"cmd": cmd}), Path::new("/"), Some(Path::new("/")));
        }
    }
}
