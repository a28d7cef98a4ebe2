//! Arguments that a program or builtin evaluates, or that are files it writes to.

use super::command::base_name;
use super::reader::Reader;
use super::variables::is_dangerous;
use super::word::{Word, is_name};

/// What is to be said of a command.
#[derive(Default)]
pub(super) struct Check {
    pub(super) opaque: Option<String>,
    pub(super) caution: Option<String>,
    pub(super) needs: Vec<String>,
}

impl Check {
    fn evaluates(name: &str) -> Self {
        Check { opaque: Some(format!("what `{name}` would evaluate")), ..Check::default() }
    }

    fn careful(part: String, needs: Vec<String>) -> Self {
        Check { caution: Some(part), needs, ..Check::default() }
    }
}

/// What `find` does besides looking; some of it to the file that the next word names.
const FIND_ACTIONS: [&str; 5] = ["-delete", "-ok", "-okdir", "-exec", "-execdir"];
const FIND_FILES: [&str; 4] = ["-fprint", "-fprint0", "-fprintf", "-fls"];

/// `[` operators with a word on each side, and before one.
const BINARY: [&str; 15] = [
    "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a",
];

impl Reader<'_> {
    /// Looks at a command that runs no other. `tail`: unknown words are appended.
    pub(super) fn check(&mut self, run: &[Word], tail: bool) -> Check {
        let Some((first, rest)) = run.split_first() else { return Check::default() };
        let cooked = first.cooked();
        let name = base_name(&cooked);
        match name {
            "find" | "gfind" => self.find(rest, tail),
            "tee" => self.tee(rest),
            "dd" => self.dd(rest),
            "git" => git(rest),
            "printf" => self.printf(rest),
            "test" | "[" => test(name, rest),
            "let" => self.arguments_of_let(rest),
            "export" | "readonly" | "declare" | "typeset" | "local" => self.declares(name, rest),
            "read" => self.read(rest),
            "unset" | "wait" | "getopts" => self.names(name, rest),
            _ => Check::default(),
        }
    }

    fn find(&mut self, rest: &[Word], tail: bool) -> Check {
        let is_unclear = |word: &&Word| match word.raw.starts_with('-') {
            true => !word.is_known() || word.globs,
            false => word.may_be_option(),
        };
        if let Some(word) = rest.iter().find(is_unclear) {
            let word = if tail { "what is appended".to_owned() } else { format!("`{}`", word.raw) };
            return Check {
                opaque: Some(format!("{word} among the arguments of `find`")),
                ..Check::default()
            };
        }
        for pair in rest.windows(2) {
            if let [action, file] = pair
                && action.text().is_some_and(|action| FIND_FILES.contains(&action))
            {
                self.write("`find`", file);
            }
        }
        let is_action = |text: &&str| FIND_ACTIONS.contains(text) || FIND_FILES.contains(text);
        let actions: Vec<&str> = rest.iter().filter_map(Word::text).filter(is_action).collect();
        let literal = actions.iter().find(|action| !action.starts_with("-exec"));
        match literal {
            Some(action) => {
                let needs = actions.iter().filter(|action| !action.starts_with("-exec"));
                let needs = needs.map(|&action| action.to_owned()).collect();
                Check::careful(format!("what `find {action}` would do"), needs)
            }
            None => Check::default(),
        }
    }

    fn tee(&mut self, rest: &[Word]) -> Check {
        let mut ended = false;
        for word in rest {
            let text = word.text().unwrap_or_default();
            if !ended && text == "--" {
                ended = true;
            } else if ended || !text.starts_with('-') || text == "-" {
                self.write("`tee`", word);
            }
        }
        Check::default()
    }

    fn dd(&mut self, rest: &[Word]) -> Check {
        for word in rest {
            let whole = word.text().unwrap_or_default();
            match whole.strip_prefix("of=") {
                Some(file) => self.write("`dd`", &Word::known(file, file)),
                None if word.is_known() && !word.globs => {}
                None if word.raw.starts_with("if=") && !word.splits && !word.globs => {}
                None => self.write("`dd`", word),
            }
        }
        Check::default()
    }

    /// `printf -v NAME`: the name may have a subscript, which is evaluated.
    fn printf(&mut self, rest: &[Word]) -> Check {
        let Some(first) = rest.first() else { return Check::default() };
        match first.text() {
            Some("-v") => self.names("printf", rest.get(1..2).unwrap_or_default()),
            Some(text) if !text.starts_with("-v") && !first.globs => Check::default(),
            None if !first.may_be_option() => Check::default(),
            _ => Check::evaluates("printf"),
        }
    }

    fn arguments_of_let(&mut self, rest: &[Word]) -> Check {
        let is_plain = |text: &str| !text.contains(['[', '$', '`']);
        if !rest.iter().all(|word| word.text().is_some_and(is_plain) && !word.globs) {
            return Check::evaluates("let");
        }
        let texts: Vec<String> = rest.iter().map(Word::cooked).collect();
        for name in texts
            .iter()
            .flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'))
        {
            self.evaluates(name);
        }
        Check::default()
    }

    /// `export NAME=VALUE`: a subscript in the name is evaluated, and so is the value with `-i`.
    fn declares(&mut self, builtin: &str, rest: &[Word]) -> Check {
        let mut check = Check::default();
        let is_array = |word: &&Word| word.raw.starts_with('-') && word.raw.contains(['a', 'A']);
        let are_arrays = rest.iter().any(|word| is_array(&word));
        for word in rest {
            let is_option = word.raw.starts_with('-') && !word.quoted;
            if is_option && word.raw.chars().skip(1).all(|c| "xrgaAp".contains(c)) {
                continue;
            }
            let raw_name = word.raw.split('=').next().unwrap_or_default().trim_end_matches('+');
            if !is_name(raw_name) {
                return Check::evaluates(builtin);
            }
            let value = word.raw.split_once('=').map_or("", |(_, value)| value);
            // An unquoted parenthesis begins elements, which have been read.
            let is_read = value.starts_with('(') || !value.contains(['(', '$', '`']);
            if are_arrays {
                self.sink.arrays.insert(raw_name.to_owned());
            }
            if !is_read && self.sink.arrays.contains(raw_name) {
                return Check::evaluates(builtin);
            }
            self.sink.tainted.insert(raw_name.to_owned());
            if is_dangerous(raw_name) {
                check
                    .caution
                    .get_or_insert(format!("what `{}` changes about later commands", word.raw));
                check.needs.push(raw_name.to_owned());
            }
        }
        check
    }

    fn read(&mut self, rest: &[Word]) -> Check {
        let mut words = rest.iter();
        let mut names: Vec<Word> = Vec::new();
        while let Some(word) = words.next() {
            match word.text() {
                Some("-r" | "-s" | "-e") => {}
                Some("-p" | "-d" | "-n" | "-N" | "-t" | "-u") => drop(words.next()),
                Some("-a") => {
                    let name = words.next().cloned();
                    self.sink.arrays.extend(name.as_ref().map(Word::cooked));
                    names.extend(name);
                }
                _ => names.push(word.clone()),
            }
        }
        self.names("read", &names)
    }

    /// Words that are names of variables, and get values.
    fn names(&mut self, builtin: &str, words: &[Word]) -> Check {
        for word in words {
            let option =
                word.text().filter(|text| builtin != "printf" && *text != "-p" && is_option(text));
            if option.is_some()
                || builtin == "wait" && word.text().is_some_and(|t| t.starts_with('%'))
            {
                continue;
            }
            let text = word.text().unwrap_or_default();
            let is_process =
                matches!(builtin, "wait") && (word.raw == "$!" || text.parse::<u32>().is_ok());
            let is_optstring = builtin == "getopts" && !text.is_empty() && !text.contains('[');
            if !is_name(text) && !is_process && !is_optstring {
                return Check::evaluates(builtin);
            }
            if is_dangerous(text) {
                let part = format!("what `{builtin} {text}` changes about later commands");
                return Check::careful(part, vec![text.to_owned()]);
            }
            self.sink.tainted.insert(text.to_owned());
        }
        Check::default()
    }
}

fn is_option(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_lowercase()))
}

/// `[ -v NAME ]` evaluates a subscript in the name.
fn test(name: &str, rest: &[Word]) -> Check {
    let is_operator =
        |word: &Word| word.text().is_some_and(|text| BINARY.contains(&text) || text == "-o");
    let is_unary = |word: &Word| {
        word.text().is_some_and(|text| text.len() == 2 && text.starts_with('-') || text == "!")
    };
    for (index, word) in rest.iter().enumerate() {
        let next = rest.get(index + 1);
        let before = index.checked_sub(1).and_then(|before| rest.get(before));
        let evaluates = word.text().is_some_and(|text| matches!(text, "-v" | "-R"));
        if evaluates
            && !next
                .and_then(Word::text)
                .is_some_and(|text| is_name(text) || BINARY.contains(&text))
        {
            return Check::evaluates(name);
        }
        let is_last = next.is_none_or(|next| next.is_bare("]"));
        let stands = before.is_none() && is_last
            || before.is_some_and(|before| is_operator(before) || is_unary(before))
            || next.is_some_and(is_operator);
        if word.splits || word.globs && !word.is_bare("[") || !word.is_known() && !stands {
            return Check::evaluates(name);
        }
    }
    Check::default()
}

/// Options of git before the subcommand whose value is the next word.
pub(super) const GIT_VALUED: [&str; 7] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source"];

/// `git -c NAME=VALUE` and its like make git run any program. An unknown before the subcommand may
/// be one of them, with its value, if it is several words.
fn git(rest: &[Word]) -> Check {
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let careful = || {
            Check::careful(format!("what `git {}` makes git run", word.raw), vec![word.raw.clone()])
        };
        let start = word.pieces().first().map_or("", String::as_str);
        let is_subcommand = !start.is_empty() && !start.starts_with(['-', '*', '?', '[']);
        let Some(text) = word.text().filter(|_| !word.globs || is_subcommand) else {
            return if is_subcommand { Check::default() } else { careful() };
        };
        let runs =
            text == "-c" || ["--exec-path=", "--config-env"].iter().any(|it| text.starts_with(it));
        match text {
            _ if runs => return careful(),
            text if GIT_VALUED.contains(&text) => {
                if words.next().is_some_and(|value| value.splits || value.globs) {
                    return careful();
                }
            }
            text if text.starts_with('-') => {}
            _ => return Check::default(),
        }
    }
    Check::default()
}
