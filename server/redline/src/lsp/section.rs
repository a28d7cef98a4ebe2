//! The editor's section of settings, key by key: what cannot be used any more leaves in force what it
//! said before, as a broken file does. A typing error takes no rule away.

use serde_json::{Map, Value};

use crate::settings::{Settings, keys::rules_meant};

/// The keys of rules.
const RULES: [&str; 2] = ["permissions", "amp.permissions"];

/// A section as it could last be used.
#[derive(Debug, Default)]
pub struct Section {
    /// By key, without prefix.
    good: Map<String, Value>,
}

/// What is wrong with a section.
#[derive(Debug, Default)]
pub struct Wrong {
    /// For the user, one sentence or two each.
    pub errors: Vec<String>,
    /// There are rules in it that could not be used, and none from before.
    pub lacks_rules: bool,
}

impl Section {
    /// Merges what it says now, or said when it could be used.
    pub fn merge(&mut self, section: &Value, settings: &mut Settings) -> Wrong {
        let mut wrong = Wrong::default();
        let none = Map::new();
        let members = section.as_object().unwrap_or(&none);
        // What is not said any more counts no more.
        self.good.retain(|known, _| members.keys().any(|key| name(key) == known));
        for (key, value) in members {
            // One by one: a key that cannot be used takes no other with it.
            let Err(error) = settings.merge_editor(&one(key, value)) else {
                self.good.insert(name(key).to_owned(), value.clone());
                continue;
            };
            let is_said_right = name(key) != bare(key) && members.contains_key(name(key));
            let before = self.good.get(name(key)).filter(|_| !is_said_right);
            let stays =
                before.is_some_and(|value| settings.merge_editor(&one(name(key), value)).is_ok());
            let more = if stays { ". What it said before stays in force." } else { "" };
            wrong.errors.push(format!("settings: {error}{more}"));
            wrong.lacks_rules |= RULES.contains(&name(key)) && !stays && !is_said_right;
        }
        wrong
    }

    /// Whether it has rules that can be used.
    pub fn has_rules(&self) -> bool {
        let rules = RULES.iter().filter_map(|key| self.good.get(*key));
        rules.into_iter().any(|value| !value.is_null())
    }
}

fn one(key: &str, value: &Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value.clone())]))
}

/// The setting that a key stands for, without prefix. A misspelt key of rules stands for them.
fn name(key: &str) -> &str {
    rules_meant(key).unwrap_or(bare(key))
}

fn bare(key: &str) -> &str {
    key.strip_prefix("redline.").unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The rules after one section and then the next, and what is wrong with that.
    fn after(first: Value, then: Value) -> (Vec<String>, Wrong) {
        let mut section = Section::default();
        section.merge(&first, &mut Settings::default());
        let mut settings = Settings::default();
        let wrong = section.merge(&then, &mut settings);
        (settings.user_rules.iter().map(|rule| rule.rule.to_string()).collect(), wrong)
    }

    #[test]
    fn a_typing_error_takes_no_rule_away() {
        let good = || json!({"permissions": [{"tool": "Bash", "action": "reject"}], "model": "m"});
        let typing = [
            json!({"permissions": [{"tool": "Bash", "action": "rejec"}]}),
            json!({"permissions": 1}),
            json!({"permisions": [{"tool": "Bash", "action": "reject"}]}),
            json!({"redline.permission": []}),
        ];
        for then in typing {
            let (rules, wrong) = after(good(), then.clone());
            assert_eq!(rules, ["reject Bash"], "{then}");
            assert_eq!((wrong.errors.len(), wrong.lacks_rules), (1, false), "{wrong:?}");
            assert!(wrong.errors[0].ends_with("stays in force."), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_taken_away_is_gone() {
        let good = || json!({"permissions": [{"tool": "Bash", "action": "reject"}]});
        for then in
            [json!({}), json!(null), json!({"permissions": null}), json!({"permissions": []})]
        {
            let (rules, wrong) = after(good(), then);
            assert_eq!((rules.len(), wrong.errors.len(), wrong.lacks_rules), (0, 0, false));
        }
    }

    #[test]
    fn rules_that_never_could_be_used_are_missed() {
        let (rules, wrong) = after(json!({}), json!({"permissions": [{"tool": 1}]}));
        assert!(rules.is_empty() && wrong.lacks_rules, "{wrong:?}");
        let (_, wrong) = after(json!({}), json!({"dialect": "klingon"}));
        assert!(!wrong.lacks_rules && wrong.errors.len() == 1, "{wrong:?}");
        // They are there, and so is another key that looks like them.
        let both = json!({"permisions": [], "permissions": [{"tool": "Bash", "action": "ask"}]});
        let (rules, wrong) = after(both.clone(), both);
        assert_eq!((rules.len(), wrong.errors.len(), wrong.lacks_rules), (1, 1, false));
    }
}
