//! How far a secret's value goes, once it is clear where it begins.
//!
//! A text may be a shell's, or of any other language: where they differ, the longer value counts.

use super::REDACTED;

/// The quotes that a place in a text is in, as a shell would see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Quotes {
    #[default]
    None,
    Single,
    Double,
}

impl Quotes {
    /// Behind this part of the text. An apostrophe in a word opens nothing.
    pub fn behind(self, part: &str) -> Self {
        let (mut now, mut before, mut escaped) = (self, ' ', false);
        for c in part.chars() {
            if escaped {
                escaped = false;
            } else {
                match (now, c) {
                    (Quotes::None | Quotes::Double, '\\') => escaped = true,
                    (Quotes::None, '\'') if !before.is_alphanumeric() => now = Quotes::Single,
                    (Quotes::None, '"') => now = Quotes::Double,
                    (Quotes::Single, '\'') | (Quotes::Double, '"') => now = Quotes::None,
                    _ => {}
                }
            }
            before = c;
        }
        now
    }

    fn closing(self) -> Option<char> {
        match self {
            Quotes::None => None,
            Quotes::Single => Some('\''),
            Quotes::Double => Some('"'),
        }
    }
}

/// What separates a name from its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// `=` or a blank: the value is a shell's word.
    Word,
    /// `: `, ` = `, `=>` and the like: code or data.
    Code,
    /// The same, and the name begins its line: a plain value goes on to the end of the line.
    Line,
}

/// A value: so many bytes are to be replaced, and by what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub len: usize,
    pub out: String,
}

/// The value at the beginning of `rest`. `None`: there is none, or it only refers to one.
pub(super) fn value(rest: &str, quotes: Quotes, between: Between, indent: usize) -> Option<Value> {
    if between != Between::Word
        && let Some(block) = block(rest, indent)
    {
        return Some(block);
    }
    if let Some(opening) = escaped_quote(rest) {
        return Some(escaped(rest, opening));
    }
    let len = match between {
        Between::Line if !rest.starts_with(['"', '\'', '`']) => line(rest, quotes),
        Between::Word => word(rest, quotes)?,
        Between::Code | Between::Line => code(rest, quotes)?,
    };
    let value = rest.get(..len)?;
    let value = value.trim_end_matches([',', ' ', '\t', '\r']);
    (!value.is_empty() && !refers(value)).then(|| replaced(value))
}

/// One with a user before it: `user:password`.
pub(super) fn pair(rest: &str, quotes: Quotes) -> Option<Value> {
    let value = rest.get(..word(rest, quotes)?)?;
    let (user, password) = value.split_once(':')?;
    let (quote, password) = match user.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => match password.strip_suffix(quote) {
            Some(inner) => (quote.to_string(), inner),
            None => (String::new(), password),
        },
        None => (String::new(), password),
    };
    let is_known = !refers(password) || quote.starts_with('\'');
    let is_one = is_known && !password.is_empty();
    is_one.then(|| Value { len: value.len(), out: format!("{user}:{REDACTED}{quote}") })
}

/// The text of an element.
pub(super) fn element(rest: &str) -> Option<Value> {
    let value = rest.split('<').next()?;
    (!value.trim().is_empty()).then(|| Value { len: value.len(), out: REDACTED.to_owned() })
}

/// With the quotes around it.
fn replaced(value: &str) -> Value {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let quote = match quote {
        Some(quote) if value.len() > 1 && value.ends_with(quote) => quote.to_string(),
        _ => String::new(),
    };
    Value { len: value.len(), out: format!("{quote}{REDACTED}{quote}") }
}

/// It is empty, or made of nothing but variables and what commands say.
fn refers(value: &str) -> bool {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
    if inner.is_empty() || value == "''" || value == "``" || value == "\"" || value == "'" {
        return true;
    }
    if inner.starts_with("$(") || inner.starts_with("${{") {
        return true;
    }
    inner.starts_with('$')
        && inner.split('$').skip(1).all(|part| {
            let name = match part.strip_prefix('{') {
                Some(rest) => rest.strip_suffix('}').unwrap_or_default(),
                None => part,
            };
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}

/// `\"`, with however many backslashes.
fn escaped_quote(rest: &str) -> Option<&str> {
    let slashes = rest.len() - rest.trim_start_matches('\\').len();
    let quote = rest.get(slashes..)?.chars().next()?;
    (slashes > 0 && matches!(quote, '"' | '\'')).then(|| rest.get(..=slashes)).flatten()
}

/// Up to the next quote with no more backslashes than the first.
fn escaped(rest: &str, opening: &str) -> Value {
    let inner = rest.get(opening.len()..).unwrap_or_default();
    let (quote, most) = (opening.chars().last(), opening.len() - 1);
    let mut slashes = 0;
    for (at, c) in inner.char_indices() {
        if Some(c) == quote && slashes <= most {
            let out = match at - slashes {
                0 => String::new(),
                _ => REDACTED.to_owned(),
            };
            let closing = inner.get(at - slashes..=at).unwrap_or_default();
            let len = opening.len() + at + 1;
            return Value { len, out: format!("{opening}{out}{closing}") };
        }
        slashes = if c == '\\' { slashes + 1 } else { 0 };
    }
    Value { len: rest.len(), out: format!("{opening}{REDACTED}") }
}

/// YAML's `>` and `|`: the lines below that are further in than the name.
fn block(rest: &str, indent: usize) -> Option<Value> {
    let (head, below) = rest.split_once('\n')?;
    let sign = head.trim_end();
    let is_block = sign.starts_with(['>', '|'])
        && sign.len() <= 3
        && sign.chars().skip(1).all(|c| matches!(c, '+' | '-' | '0'..='9'));
    if !is_block {
        return None;
    }
    let (mut len, mut inside) = (0, "");
    for line in below.split_inclusive('\n') {
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        if !line.trim().is_empty() {
            if blank <= indent {
                break;
            }
            if inside.is_empty() {
                inside = line.get(..blank).unwrap_or_default();
            }
        }
        len += line.len();
    }
    let taken = below.get(..len)?;
    let end = if taken.ends_with('\n') { "\n" } else { "" };
    (!taken.trim().is_empty()).then(|| Value {
        len: head.len() + 1 + len,
        out: format!("{head}\n{inside}{REDACTED}{end}"),
    })
}

/// To the end of the line, or of the quotes around all of it.
fn line(rest: &str, quotes: Quotes) -> usize {
    if rest.starts_with([':', '=', '<', '>', '&', '|', '(', ')', ';', ',']) {
        return 0;
    }
    let end = |c: char| c == '\n' || Some(c) == quotes.closing();
    let all = rest.find(end).map_or(rest, |at| rest.get(..at).unwrap_or_default());
    all.find(" #").unwrap_or(all.len())
}

/// A quoted text, or a word.
fn code(rest: &str, quotes: Quotes) -> Option<usize> {
    match rest.chars().next()? {
        quote @ ('"' | '\'' | '`') => {
            let mut len = 1;
            loop {
                match closed(rest.get(len..)?, quote, true) {
                    Some(more) => len += more,
                    None if quotes.closing() == Some(quote) => return None,
                    None => return Some(rest.len()),
                }
                // Two of them are one in the text (YAML, SQL).
                if len == 2 || !rest.get(len..)?.starts_with(quote) {
                    return Some(len);
                }
                len += 1;
            }
        }
        _ => word(rest, quotes),
    }
}

/// Bytes up to behind the closing quote.
fn closed(inner: &str, quote: char, escapes: bool) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' && escapes {
            escaped = true;
        } else if c == quote {
            return Some(at + 1);
        }
    }
    None
}

/// A shell's word, with all its quotes.
fn word(rest: &str, quotes: Quotes) -> Option<usize> {
    if rest.starts_with([',', ':', '=', '(', '`']) {
        return None;
    }
    let (mut at, mut depth) = (0_usize, 0_usize);
    while let Some(c) = rest.get(at..).and_then(|rest| rest.chars().next()) {
        let inner = rest.get(at + c.len_utf8()..).unwrap_or_default();
        let is_end = match c {
            c if c.is_whitespace() => depth == 0,
            '&' => true,
            ';' | '|' | '<' | '>' | '`' => quotes == Quotes::None,
            ')' if depth == 0 => true,
            // Of the quotes around the word, if it is not `'\''`.
            c if at > 0 && Some(c) == quotes.closing() => !(c == '\'' && inner.starts_with("\\''")),
            _ => false,
        };
        if is_end {
            break;
        }
        at += c.len_utf8();
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\\' => at += inner.chars().next().map_or(0, char::len_utf8),
            '\'' if quotes.closing() == Some('\'') && at > 1 => at += 3,
            '"' | '\'' => {
                let ansi = rest.get(..at - 1).is_some_and(|before| before.ends_with('$'));
                match closed(inner, c, c == '"' || ansi) {
                    Some(more) => at += more,
                    // It was the end of the quotes around the name.
                    None if quotes.closing() == Some(c) => return None,
                    None => at = rest.len(),
                }
                // In quotes there is one more pair and nothing behind it.
                if quotes != Quotes::None {
                    break;
                }
            }
            _ => {}
        }
    }
    (at > 0).then_some(at.min(rest.len()))
}
