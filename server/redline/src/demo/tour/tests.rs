use crate::terminal::Typist;

use super::*;

async fn tour(keys: &str, watched: bool) -> (Project, String, Tally) {
    let project = Project::create().unwrap();
    let typist = Typist::new(keys);
    let console: SharedConsole = typist.clone();
    let tally = run(&project, console, watched).await.unwrap();
    let screen = typist.lock().unwrap().screen.clone();
    (project, screen, tally)
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_terminal_everything_is_accepted_and_the_tests_pass() {
    let (project, screen, tally) = tour("", false).await;
    assert_eq!((tally.rejected(), tally.undecided), (0, 0), "{screen}");
    assert!(tally.accepted() >= 8, "{screen}");
    for part in ["+MONTH = 29.530588853", "+import sys", "+class FullMoonTest", "ok  Bash", "OK"] {
        assert!(screen.contains(part), "{part} in {screen}");
    }
    let file = std::fs::read_to_string(project.root().join("phase.py")).unwrap();
    assert!(file.contains("round(age(moment) / MONTH * 8) % 8"), "{file}");
    project.remove();
}

#[tokio::test(flavor = "multi_thread")]
async fn hunk_by_hunk_with_a_comment_and_the_rest_rejected() {
    // moon.py: all of it; phase.py: one with a comment, the rest rejected; the new test: no.
    let (project, screen, tally) = tour("acnot like this\ndny", true).await;
    assert!(tally.rejected() > 0 && tally.accepted() > 0, "{screen}");
    assert!(screen.contains("not like this"), "{screen}");
    assert!(!project.root().join("test_full_moons.py").exists(), "{screen}");
    project.remove();
}

#[tokio::test(flavor = "multi_thread")]
async fn quitting_leaves_the_files_alone() {
    let (project, screen, tally) = tour("q", true).await;
    assert_eq!((tally.accepted(), tally.rejected()), (0, 0), "{screen}");
    assert!(tally.undecided > 0 && project.diff().is_empty(), "{screen}");
    project.remove();
}
