//! Caution while the user's rules are not known: they may have rejected what others allow.

use std::path::PathBuf;

use redline_permissions::{Action, Policy, Rule, Source, SourcedRule};

use super::{Settings, SettingsError, gives};

/// Tools that only look, and the agent's own bookkeeping: what the built-in rules say of them goes on
/// (inside the workspace, that is). What else they allow is asked.
const LOOKS: [&str; 15] = [
    "Read",
    "glob",
    "Grep",
    "finder",
    "ls",
    "todo_*",
    "read_thread",
    "find_thread",
    "task_list",
    "mermaid",
    "list_plans",
    "read_plan",
    "list_skills",
    "ask_user_questions",
    "ask_for_permissions",
];

impl Settings {
    /// Goes by nothing that gives something: no grants, no trusted folder, no rule so far that allows;
    /// and asks for what changes something, runs something or leaves the machine. `source`: what
    /// cannot be used, and the line there that is wrong, from 1.
    pub fn hold(&mut self, source: Source, line: Option<u32>) {
        self.grants.clear();
        let trusted = std::mem::take(&mut self.trusted_rules);
        self.repository_rules.extend(trusted.into_iter().flat_map(|(_, rules)| rules));
        for rule in self.user_rules.iter_mut().filter(|rule| gives(rule)) {
            (rule.rule.action, rule.rule.to) = (Action::Ask, None);
        }
        let asks = |tool: String| SourcedRule {
            rule: Rule::new(Action::Ask, tool),
            source: source.clone(),
            line,
        };
        self.user_rules.extend(careful().into_iter().map(asks));
    }
}

/// The tools of which the built-in rules allow some call that is more than a look. What no built-in rule
/// is about is asked anyway.
fn careful() -> Vec<String> {
    let builtin = Policy::builtin();
    let allowing = builtin.builtin_rules().iter().map(|rule| &rule.rule);
    let allowing = allowing.filter(|rule| rule.action == Action::Allow);
    let mut tools: Vec<String> = allowing.map(|rule| rule.tool.clone()).collect();
    tools.retain(|tool| !LOOKS.contains(&tool.as_str()));
    tools.sort();
    tools.dedup();
    tools
}

/// A rule's source that says in a dialog why it is asked.
pub fn source(error: &SettingsError) -> Source {
    let path = match error {
        SettingsError::Unreadable { path, .. } => path.display().to_string(),
        SettingsError::Wrong { path, .. } => path.clone(),
    };
    Source::User { path: PathBuf::from(format!("{path}, which cannot be used")) }
}

impl SettingsError {
    /// The line that is wrong, from 1, if one is.
    pub fn line(&self) -> Option<u32> {
        match self {
            SettingsError::Wrong { line, .. } => u32::try_from(*line).ok(),
            SettingsError::Unreadable { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_than_a_look_is_asked() {
        let tools = careful();
        for tool in ["Bash", "web_search", "read_web_page", "{Task,oracle,librarian,kraken}"] {
            assert!(tools.iter().any(|it| it == tool), "{tools:?}");
        }
        assert!(!tools.iter().any(|tool| tool == "Read" || tool == "*"), "{tools:?}");
    }

    #[test]
    fn nothing_that_was_said_gives_and_rejects_stay() {
        let rule = |text: &str| SourcedRule {
            rule: redline_permissions::parse_text(text).unwrap().remove(0).1,
            source: Source::Editor,
            line: None,
        };
        let mut settings = Settings {
            user_rules: vec![rule("reject Bash --cmd 'rm *'"), rule("allow Bash")],
            trusted_rules: vec![(PathBuf::from("/w"), vec![rule("allow *"), rule("reject Grep")])],
            grants: vec![rule("allow Bash")],
            ..Settings::default()
        };
        settings.hold(Source::Editor, None);
        assert_eq!((settings.grants.len(), settings.trusted_rules.len()), (0, 0));
        let texts: Vec<String> =
            settings.user_rules.iter().map(|rule| rule.rule.to_string()).collect();
        assert!(
            texts.starts_with(&["reject Bash --cmd 'rm *'".into(), "ask Bash".into()]),
            "{texts:?}"
        );
        assert_eq!(settings.user_rules.iter().filter(|rule| gives(rule)).count(), 0);
        assert_eq!(settings.repository_rules.len(), 2);
    }
}
