//! Printing the text form. Reading what is printed gives the same rule.

use std::fmt::{self, Display, Formatter, Write};

use crate::text::as_json;
use crate::{Condition, Rule};

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if let Some(context) = self.context {
            write!(f, " --context {context}")?;
        }
        for (name, value) in [("to", &self.to), ("message", &self.message)] {
            if let Some(value) = value {
                write!(f, " --{name} {}", Quoted(value))?;
            }
        }
        write!(f, " {}", Quoted(&self.tool))?;
        self.matches.iter().try_for_each(|(key, condition)| print(f, key, condition))
    }
}

fn print(f: &mut Formatter<'_>, key: &str, condition: &Condition) -> fmt::Result {
    if let Condition::Any(all) = condition {
        return all.iter().try_for_each(|one| print(f, key, one));
    }
    let colon = if key.contains([':', '=']) { ":" } else { "" };
    let name = format!("--{key}{colon}");
    write!(f, " {} {}", Quoted(&name), Quoted(&value(condition)))
}

fn value(condition: &Condition) -> String {
    match condition {
        Condition::Pattern(pattern) if as_json(pattern.text()).is_none() => {
            pattern.text().to_owned()
        }
        other => other.to_json().to_string(),
    }
}

/// A word in shell quotes, if it needs any.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
        if !self.0.is_empty() && self.0.chars().all(plain) {
            return f.write_str(self.0);
        }
        f.write_char('\'')?;
        for (index, piece) in self.0.split('\'').enumerate() {
            if index > 0 {
                f.write_str("'\\''")?;
            }
            f.write_str(piece)?;
        }
        f.write_char('\'')
    }
}
