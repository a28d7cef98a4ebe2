use std::path::Path;

use serde_json::{Value, json};

use crate::{
    Dialect, ToolSettings,
    fixture::{Fixture, done},
};

fn fixture(files: &[(&str, &str)]) -> Fixture {
    let mut f = Fixture::new(files);
    f.scope.dialect = Dialect::AgentAir;
    f
}

fn put(path: &Path, name: &str, description: &str) {
    std::fs::create_dir_all(path).unwrap();
    let text = format!("---\nname: {name}\ndescription: {description}\n---\n# {name}\n");
    std::fs::write(path.join("SKILL.md"), text).unwrap();
}

async fn list(f: &Fixture) -> Vec<Value> {
    let result = f.call("list_skills", json!({})).await;
    assert_eq!(result["status"], "done", "{result}");
    result["result"].as_array().unwrap_or_else(|| panic!("{result}")).clone()
}

fn names(skills: &[Value]) -> Vec<(&str, &str)> {
    skills
        .iter()
        .filter(|skill| skill.is_object())
        .map(|skill| (skill["name"].as_str().unwrap(), skill["description"].as_str().unwrap()))
        .collect()
}

#[tokio::test]
async fn none() {
    let f = fixture(&[("skills/x/SKILL.md", "---\nname: x\ndescription: y\n---\n")]);
    assert_eq!(done(&f.call("list_skills", json!({})).await), "No skills available.");
}

#[tokio::test]
async fn skills_of_the_workspace_and_of_the_user() {
    let f = fixture(&[]);
    let base = f.root.parent().unwrap().to_owned();
    put(&f.root.join(".redline/skills/pdf"), "pdf", "workspace");
    put(&f.root.join(".agents/skills/b"), "b", "agents");
    put(&f.root.join(".claude/skills/a"), "a", "claude");
    put(&base.join("config/skills/pdf"), "pdf", "user");
    put(&base.join("config/skills/u"), "u", "user");
    put(&base.join("home/.claude/skills/h"), "h", "home");
    put(&base.join("more/m"), "m", "settings");
    f.tools.configure(ToolSettings {
        config: Some(base.join("config")),
        skills: vec![base.join("more"), base.join("nowhere")],
        ..ToolSettings::default()
    });
    let skills = list(&f).await;
    let want = [
        ("pdf", "workspace"),
        ("b", "agents"),
        ("a", "claude"),
        ("u", "user"),
        ("h", "home"),
        ("m", "settings"),
    ];
    assert_eq!(names(&skills), want);
    assert_eq!(skills[0]["path"], f.path(".redline/skills/pdf/SKILL.md"));
    let note = skills.last().unwrap().as_str().unwrap();
    assert!(
        note.contains("config/skills/pdf/SKILL.md") && note.contains("the same name"),
        "{note}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn broken_ones_are_noted() {
    let f = fixture(&[
        (".claude/skills/a/SKILL.md", "# no head"),
        (".claude/skills/b/SKILL.md", "---\nname: b\n---\n"),
        (".claude/skills/c/SKILL.md", "---\ndescription: named after its folder\n---\n"),
        (".claude/skills/d/SKILL.md/inner", "a folder"),
        (".claude/skills/readme.md", "no skill"),
        (".claude/skills/empty/other.md", "no skill"),
    ]);
    let skills = f.root.join(".claude/skills");
    std::fs::write(skills.join("a/SKILL.bin"), [0, 255]).unwrap();
    let outside = f.root.parent().unwrap().join("outside");
    put(&outside, "leak", "is not the workspace's");
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, skills.join(name)).unwrap();
    link(&outside, "e");
    link(&skills, "loop");
    link(&skills.join("c"), "twice");
    link(Path::new("nowhere"), "gone");
    std::fs::create_dir(skills.join("pipe")).unwrap();
    let pipe = skills.join("pipe/SKILL.md");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    put(&skills.join("large"), "large", &"x".repeat(300_000));
    let found = list(&f).await;
    assert_eq!(names(&found), [("c", "named after its folder")]);
    let note = found.last().unwrap().as_str().unwrap();
    for want in [
        "a/SKILL.md: it does not begin with a head",
        "b/SKILL.md: its head has no description",
        "d/SKILL.md",
        "e/SKILL.md: it leads out of the workspace",
        "pipe/SKILL.md",
        "large/SKILL.md: it is larger",
    ] {
        assert!(note.contains(want), "{want}: {note}");
    }
}

#[tokio::test]
async fn a_skill_that_is_only_proposed_is_there() {
    let f = fixture(&[]);
    let text = "---\nname: new\ndescription: d\n---\n";
    let args = json!({"path": f.path(".agents/skills/new/SKILL.md"), "content": text});
    let result = f.call("create_file", args).await;
    assert_eq!(result["review"]["state"], "pending", "{result}");
    assert_eq!(names(&list(&f).await), [("new", "d")]);
}

#[tokio::test]
async fn a_list_has_an_end() {
    let f = fixture(&[]);
    for n in 0..210 {
        let name = format!("s{n:03}");
        put(&f.root.join(".agents/skills").join(&name), &name, "d");
    }
    put(&f.root.join(".agents/skills/a"), "a", &"é".repeat(3_000));
    let skills = list(&f).await;
    assert_eq!(names(&skills).len(), 200);
    assert_eq!(names(&skills)[0], ("a", "é".repeat(1_024).as_str()));
    let note = skills.last().unwrap().as_str().unwrap();
    assert!(note.contains("11 more that are not listed"), "{note}");
}
