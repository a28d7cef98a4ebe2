//! `redline permissions add`: one more rule, before the others.

use std::process::ExitCode;

use redline_permissions::{Action, Place, Rule, RuleError, parse_text, parse_words};

use super::shown;
use crate::{
    cli::{CliError, folder, print},
    settings::store::RulesFile,
    terminal::printable,
};

/// The part of the help that clap can't know.
pub const HELP: &str = "\
The rule is put before your others, so that it is the first to be read. It is saved in settings.json
of Redline's configuration folder; with --workspace in .redline/settings.json of this folder, where it
only tightens until the folder is trusted.

Examples:
  redline permissions add reject mermaid
  redline permissions add ask web_search --query '*node*' --query '*npm*'
  redline permissions add reject --message 'Use cargo nextest' Bash --cmd 'cargo test*'
  redline permissions add --workspace ask Bash --cmd 'terraform *'";

/// Words that make no rule.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// As it was typed, word by word.
    #[error("word {word} of the rule: {problem}")]
    Word {
        /// Counted from 1.
        word: u32,
        /// What is wrong, and what was expected.
        problem: redline_permissions::Problem,
    },
    /// A rule in one word, with a place in it.
    #[error("{0}")]
    Text(RuleError),
    /// A word with several rules, or none.
    #[error("expected one rule, found {0}; use `redline permissions edit` for many")]
    Count(usize),
}

/// Runs the command.
pub fn main(words: &[String], workspace: bool) -> Result<ExitCode, CliError> {
    let rule = rule(words)?;
    let file = match workspace {
        true => RulesFile::of_workspace(&folder()?)?,
        false => RulesFile::of_user()?,
    };
    let place = shown::short(file.path());
    if file.rules().next() == Some(&rule) {
        print(&format!("{}\nis the first rule of {place} already\n", printable(&rule.to_string())));
        return Ok(ExitCode::SUCCESS);
    }
    file.prepend(&rule)?;
    print(&format!("{}\nsaved as the first rule of {place}\n", printable(&rule.to_string())));
    if workspace {
        print(note(&rule));
    }
    Ok(ExitCode::SUCCESS)
}

fn rule(words: &[String]) -> Result<Rule, AddError> {
    if let [text] = words
        && text.contains(char::is_whitespace)
    {
        let mut rules = parse_text(text).map_err(AddError::Text)?;
        let count = rules.len();
        return match rules.pop() {
            Some((_, rule)) if count == 1 => Ok(rule),
            _ => Err(AddError::Count(count)),
        };
    }
    // What is missing at the end is missing behind the last word.
    let end = u32::try_from(words.len()).unwrap_or(u32::MAX).saturating_add(1);
    parse_words(words).map_err(|error| match error.place {
        Place::Text { column, .. } => {
            AddError::Word { word: column.min(end), problem: error.problem }
        }
        Place::Json { .. } => AddError::Text(error),
    })
}

fn note(rule: &Rule) -> &'static str {
    match rule.action {
        Action::Allow => {
            "It has no effect before the folder is trusted (`redline trust`): until then a folder's \
             rules only tighten.\n"
        }
        Action::Delegate => {
            "Until the folder is trusted (`redline trust`) it asks instead of starting the program.\n"
        }
        Action::Ask | Action::Reject => {
            "It only tightens until the folder is trusted (`redline trust`).\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_in_words_or_in_one() {
        let check = |words: &[&str], want: Result<&str, &str>| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let got = rule(&words).map(|rule| rule.to_string()).map_err(|error| error.to_string());
            assert_eq!(got, want.map(str::to_owned).map_err(str::to_owned), "{words:?}");
        };
        check(&["reject", "mermaid"], Ok("reject mermaid"));
        check(&["reject mermaid"], Ok("reject mermaid"));
        check(&["ask", "Bash", "--cmd", "a b"], Ok("ask Bash --cmd 'a b'"));
        check(
            &["deny", "Bash"],
            Err(
                "word 1 of the rule: expected an action (allow, ask, reject or delegate), found `deny`",
            ),
        );
        check(
            &["ask", "Bash", "--cmd"],
            Err(
                "word 4 of the rule: expected a value after the argument's name, found the end of the rule",
            ),
        );
        check(
            &["ask Bash\nask Read"],
            Err("expected one rule, found 2; use `redline permissions edit` for many"),
        );
        check(
            &[" # nothing"],
            Err("expected one rule, found 0; use `redline permissions edit` for many"),
        );
        assert!(
            rule(&["ask B(sh".to_owned()])
                .is_err_and(|error| error.to_string().contains("column 6"))
        );
    }
}
