//! That every group still measures: tiny sizes, few rounds, no network, no peers.

use std::process::Command;

#[test]
fn every_group_gives_its_table() {
    let peers = ["REDLINE_BENCH_PEERS", "REDLINE_BENCH_RG", "REDLINE_BENCH_CORPUS"];
    let mut bench = Command::new(env!("CARGO_BIN_EXE_redline-bench"));
    for name in peers {
        bench.env_remove(name);
    }
    let output = bench
        .arg("--quick")
        .env("REDLINE_BIN", redline_tests::binary::redline())
        .env_remove("REDLINE_BENCH_PAGE")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    for figure in ["start to `initialize`", "pending hunks", "64 asks are open", "open: proposed"] {
        assert!(text.contains(figure), "{figure} is missing in {text}");
    }
    for figure in ["500 rules: edit_file", "500 rules: a command", "500 rules: JSON"] {
        assert!(text.contains(figure), "{figure} is missing in {text}");
    }
    for figure in ["## Grep", "by name, later", "a tool that does nothing", "Read, 64 KiB"] {
        assert!(text.contains(figure), "{figure} is missing in {text}");
    }
}

#[test]
fn an_unknown_group_is_named() {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_redline-bench"));
    let output = bench.arg("grap").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("\"grap\"") && errors.contains("start, changes"), "{errors}");
}
