use std::fs;

use super::*;

/// A configuration folder and a workspace's folder.
struct Place {
    config: tempfile::TempDir,
    root: tempfile::TempDir,
    files: Files,
}

const OWN: &str = r#"{"redline.permissions": [{"tool": "Bash", "action": "reject"}]}"#;
const THEIRS: &str = r#"{
  "redline.model": "m",
  "redline.permissions": [
    {"tool": "Bash", "action": "allow", "matches": {"cmd": "make *"}},
    {"tool": "Read", "action": "ask"}
  ]
}"#;

impl Place {
    fn new(user: &str, theirs: &str) -> Self {
        let (config, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (files, _) = Files::open(Some(config.path().to_owned()), &[root.path().to_owned()]);
        let mut place = Self { config, root, files };
        place.user(user);
        place.theirs(theirs);
        place.refresh();
        place
    }

    fn user(&self, text: &str) {
        fs::write(self.config.path().join("settings.json"), text).unwrap();
    }

    fn theirs(&self, text: &str) {
        fs::create_dir_all(self.root.path().join(".redline")).unwrap();
        fs::write(self.root.path().join(".redline/settings.json"), text).unwrap();
    }

    fn refresh(&mut self) -> (bool, Vec<String>) {
        let News { changed, troubles } = self.files.refresh();
        (changed, troubles.iter().map(ToString::to_string).collect())
    }

    fn trust(&self) {
        let seen = look(self.root.path()).unwrap();
        TrustStore::in_folder(self.config.path()).trust(&seen).unwrap();
    }

    /// How many rules there are: the user's, a repository's, a trusted one's, grants.
    fn counts(&self) -> [usize; 4] {
        let settings = self.files.settings(true);
        let trusted = settings.trusted_rules.iter().map(|(_, rules)| rules.len()).sum();
        let (user, theirs) = (settings.user_rules.len(), settings.repository_rules.len());
        [user, theirs, trusted, settings.grants.len()]
    }

    fn wants(&self) -> Vec<Want> {
        self.files.wants(&self.files.settings(true))
    }
}

#[test]
fn a_change_is_seen_and_nothing_else_is_news() {
    let mut place = Place::new(OWN, "{}");
    assert_eq!(place.counts(), [1, 0, 0, 0]);
    assert_eq!(place.refresh(), (false, vec![]));
    place.user("{}");
    assert_eq!(place.refresh(), (true, vec![]));
    assert_eq!(place.counts(), [0; 4]);
    fs::remove_file(place.config.path().join("settings.json")).unwrap();
    assert_eq!(place.refresh(), (false, vec![]), "no file says what an empty one says");
    let store = GrantStore::in_folder(place.config.path());
    let rules = redline_workspace::grants::allowing("allow Read").unwrap();
    store.save(&rules, None).unwrap();
    assert!(place.refresh().0);
    assert_eq!(place.counts(), [0, 0, 0, 1]);
}

#[test]
fn what_is_broken_leaves_the_former_rules_and_is_told_once() {
    let mut place = Place::new(OWN, THEIRS);
    place.user("{\n \"redline.permissions\": [{\"tool\": 1}]}");
    place.theirs("[");
    let (_, troubles) = place.refresh();
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(troubles[0].contains("settings.json:2:35: redline.permissions"), "{troubles:?}");
    assert!(troubles[1].contains(".redline/settings.json:1:2: "), "{troubles:?}");
    assert_eq!(place.refresh().1, Vec::<String>::new());
    assert_eq!(place.counts(), [1, 2, 0, 0]);
    place.user("{");
    assert_eq!(place.refresh().1.len(), 1, "another error");
    place.user("{}");
    assert_eq!(place.refresh(), (true, vec![]));
    assert_eq!(place.counts(), [0, 2, 0, 0]);
}

#[test]
fn a_damaged_list_grants_nothing() {
    let mut place = Place::new("{}", THEIRS);
    place.trust();
    let store = GrantStore::in_folder(place.config.path());
    let rules = redline_workspace::grants::allowing("allow Read").unwrap();
    store.save(&rules, None).unwrap();
    place.refresh();
    assert_eq!(place.counts(), [0, 0, 2, 1]);
    fs::write(store.path(), "[1]").unwrap();
    fs::write(place.config.path().join("trust.json"), "{}").unwrap();
    let (changed, troubles) = place.refresh();
    assert!(changed && troubles.len() == 2, "{troubles:?}");
    assert_eq!(place.counts(), [0, 2, 0, 0]);
}

#[test]
fn trust_counts_until_a_file_changes() {
    let mut place = Place::new("{}", THEIRS);
    let [want] = place.wants().try_into().unwrap();
    assert!(!want.changed);
    assert_eq!(
        want.lines,
        [
            ".redline/settings.json:2: redline.model = \"m\"",
            ".redline/settings.json:4: allow Bash --cmd 'make *'"
        ]
    );
    place.trust();
    assert!(place.refresh().0);
    assert_eq!((place.counts(), place.wants()), ([0, 0, 2, 0], vec![]));
    assert_eq!(place.files.settings(true).agent.model.as_deref(), Some("m"));
    let restricted = place.files.settings(false);
    assert_eq!((restricted.agent.model, restricted.repository_rules.len()), (None, 2));
    // Another file, the same wishes: read it again.
    place.theirs(&format!("{THEIRS}\n"));
    assert!(place.refresh().0);
    assert_eq!(place.counts(), [0, 2, 0, 0]);
    assert!(place.wants()[0].changed);
    // Back to what was trusted.
    place.theirs(THEIRS);
    place.refresh();
    assert_eq!(place.counts(), [0, 0, 2, 0]);
    // What cannot be read any more is not what was trusted.
    place.theirs("{");
    let (changed, troubles) = place.refresh();
    assert!(changed && troubles.len() == 1);
    assert_eq!((place.counts(), place.wants()), ([0, 2, 0, 0], vec![]));
}

#[test]
fn a_program_that_decides_is_part_of_what_is_trusted() {
    let text = r#"{"redline.permissions": [{"tool": "*", "action": "delegate", "to": "./check"}]}"#;
    let mut place = Place::new("{}", text);
    let program = place.root.path().join("check");
    fs::write(&program, "exit 0").unwrap();
    place.refresh();
    assert_eq!(place.wants()[0].seen.names(), [".redline/settings.json", "check"]);
    place.trust();
    place.refresh();
    assert_eq!(place.counts(), [0, 0, 1, 0]);
    fs::write(&program, "exit 1").unwrap();
    assert!(place.refresh().0);
    assert_eq!(place.counts(), [0, 1, 0, 0]);
}

#[test]
fn a_file_of_the_users_that_was_never_readable_gives_nothing() {
    let place = Place::new("{}", THEIRS);
    place.trust();
    let store = GrantStore::in_folder(place.config.path());
    let rules = redline_workspace::grants::allowing("allow Bash").unwrap();
    store.save(&rules, None).unwrap();
    place.user("{\n  oops\n}");
    // As at the start of a server.
    let roots = [place.root.path().to_owned()];
    let (mut files, troubles) = Files::open(Some(place.config.path().to_owned()), &roots);
    assert!(troubles[0].to_string().contains("settings.json:2:3: "), "{troubles:?}");
    assert_eq!(files.unread(), Some(&troubles[0]));
    let held = files.settings(true);
    assert_eq!((held.grants.len(), held.trusted_rules.len()), (0, 0));
    let source = held.user_rules[0].source.to_string();
    assert!(source.ends_with("settings.json, which cannot be used"), "{source}");
    assert_eq!(held.user_rules[0].line, Some(2));
    assert_eq!(held.repository_rules.len(), 2, "they tighten all the same");
    // What is good once stays good.
    place.user("{}");
    assert!(files.refresh().changed);
    let free = files.settings(true);
    assert_eq!((free.user_rules.len(), free.grants.len(), free.trusted_rules.len()), (0, 1, 1));
    place.user("{");
    files.refresh();
    assert_eq!((files.unread(), files.settings(true).grants.len()), (None, 1));
}
