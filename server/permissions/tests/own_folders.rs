//! Nobody but the user writes where Redline keeps rules, grants and trust.

mod common;

use common::{HOME, Owned, policy, user};
use redline_permissions::Action::{self, Allow, Ask};
use redline_permissions::{Origin, Policy};

const CONFIG: &str = "/home/u/.config/redline";
const STATE: &str = "/var/state/redline";

fn guarded(rules: &str) -> Policy {
    policy(rules).with_own_folders(vec![
        [CONFIG.into(), "/real/redline".into()],
        [STATE.into(), STATE.into()],
    ])
}

fn commands(rules: &str, rows: &[(&str, Action)]) {
    let policy = guarded(rules);
    for (cmd, expect) in rows {
        let verdict = Owned::bash(cmd).judge(&policy);
        assert_eq!(verdict.action, *expect, "{rules} | {cmd:?}: {}", verdict.reason.text);
        if *expect == Ask {
            assert!(!verdict.grantable, "{cmd:?}: {}", verdict.reason.text);
        }
    }
}

#[test]
fn a_write_there_is_asked_whatever_a_wide_rule_says() {
    let policy = guarded("allow create_file\nallow edit_file\nallow delete_file\nallow Read");
    for file in [
        "/home/u/.config/redline/grants.json",
        "/home/u/.config/redline",
        "/real/redline/trust.json",
        "/var/state/redline/audit/x",
    ] {
        for tool in ["create_file", "edit_file", "delete_file"] {
            let verdict = Owned::at(tool, file).judge(&policy);
            let found = (verdict.action, verdict.grantable, verdict.origin);
            assert_eq!(found, (Ask, false, Origin::Protected), "{tool} {file}");
        }
        assert_eq!(Owned::at("Read", file).judge(&policy).action, Allow, "{file}");
    }
    let plain = Owned::at("create_file", "/home/u/.config/redline-old/x").judge(&policy);
    assert_eq!(plain.action, Allow);
    let linked = Owned::file("create_file", "link/grants.json", "/real/redline/grants.json");
    assert_eq!(linked.judge(&policy).action, Ask);
}

#[test]
fn also_where_the_workspace_is_around_it() {
    let policy = guarded("allow create_file");
    let mut call = Owned::at("create_file", "/home/u/.config/redline/grants.json");
    call.workspace = vec![HOME.into()];
    call.paths[0].inside_workspace = true;
    let verdict = call.judge(&policy);
    assert_eq!((verdict.action, verdict.grantable), (Ask, false));
    let named = guarded("allow create_file --path '.config/redline/notes/*'");
    let mut call = Owned::at("create_file", "/home/u/.config/redline/notes/x");
    call.workspace = vec![HOME.into()];
    call.paths[0].inside_workspace = true;
    assert_eq!(call.judge(&named).action, Allow);
}

#[test]
fn only_a_rule_of_the_users_that_names_it_lifts_that() {
    let call = Owned::at("create_file", "/home/u/.config/redline/skills/x");
    for (rules, expect) in [
        ("allow create_file --path '/home/u/.config/redline/**'", Allow),
        ("allow create_file --path '~/.config/redline/skills/*'", Allow),
        ("allow create_file --path '$HOME/.config/redline/skills/x'", Allow),
        ("allow create_file --path '/real/redline/**' --path '~/.config/redline/**'", Allow),
        ("allow create_file --path '/var/state/redline/**' --path '~/.config/redline/**'", Ask),
        ("allow create_file --path '/home/u/**'", Ask),
        ("allow create_file --path '/home/u/.config/*/skills/x'", Ask),
        ("allow create_file --path '/home/u/.config/redline/**' --path '**'", Ask),
        ("allow create_file --path '/var/state/redline/**' --path '/home/u/**'", Ask),
    ] {
        let verdict = call.judge(&guarded(rules));
        assert_eq!(verdict.action, expect, "{rules}: {}", verdict.reason.text);
    }
    let wide = user("allow create_file --path '/home/u/.config/redline/**'");
    let granted = guarded("").with_grants(wide);
    assert_eq!(call.judge(&granted).action, Ask, "no grant lifts it");
}

#[test]
fn a_command_that_names_it_is_asked() {
    commands(
        "allow Bash",
        &[
            ("cp x /home/u/.config/redline/grants.json", Ask),
            ("cp x ~/.config/redline/grants.json", Ask),
            ("cp x $HOME/.config/redline/grants.json", Ask),
            ("cp x \"$D\"/.config/redline/grants.json", Ask),
            ("cp x ../../home/u/.config/redline/grants.json", Ask),
            ("cp x /home/u/.config/x/../redline/grants.json", Ask),
            ("cp x ~/.config/red*/grants.json", Ask),
            ("cp x ~/.config/'red'line/grants.json", Ask),
            ("cp -t/home/u/.config/redline x", Ask),
            ("cp --target-directory=/home/u/.config/./redline x", Ask),
            ("dd if=x of=~/.config/redline/trust.json", Ask),
            ("cd ~/.config/redline && cp /x grants.json", Ask),
            ("cd ~/.config && cp /x redline/grants.json", Ask),
            ("cd ~; cd .config; cp /x redline/grants.json", Ask),
            ("ls | tee /var/state/redline/audit/log", Ask),
            ("env -C ~/.config/redline cp /x grants.json", Ask),
            ("sh -c 'cp x ~/.config/redline/grants.json'", Ask),
            ("rm -rf /home/u/.config", Ask),
            ("cp -r evil/redline ~/.config", Ask),
            ("ln -s ~/.config/redline link", Ask),
            ("cp x ~/.config/redline-old/grants.json", Allow),
            ("cp x ~/.config/other", Allow),
            ("ls -a ~/.config", Allow),
            ("cp x redline/grants.json", Allow),
            ("cd sub && cp x redline/grants.json", Allow),
            ("cd .. && cargo build -p redline", Allow),
            ("cp x .", Allow),
            ("rm -rf target/*", Allow),
        ],
    );
    commands(
        "allow Bash --cmd 'cp *'",
        &[("cp x /home/u/.config/redline/grants.json", Ask), ("cp x y", Allow)],
    );
    let named = "allow Bash --cmd 'cp * ~/.config/redline/skills/*'\nallow Bash --cmd 'cp *'";
    commands(
        named,
        &[("cp x ~/.config/redline/skills/y", Allow), ("cp x ~/.config/redline/grants.json", Ask)],
    );
}

#[test]
fn a_redirection_there_is_asked() {
    commands(
        "allow Bash\nallow edit_file",
        &[
            ("echo x > ~/.config/redline/grants.json", Ask),
            ("echo x >> /home/u/.config/redline/grants.json", Ask),
            ("echo x > /real/redline/grants.json", Ask),
            ("echo x > out", Allow),
        ],
    );
}
