use proptest::prelude::*;

use super::parsed;

/// What is found, one a line: `FILE:LINE:COLUMN SEVERITY CODE MESSAGE`.
fn check(output: &str, want: &[&str]) {
    let shown: Vec<String> = parsed(&[output], "s")
        .into_iter()
        .map(|it| {
            let column = it.column.map_or("-".to_owned(), |column| column.to_string());
            let code = it.code.unwrap_or("-".to_owned());
            format!("{}:{}:{column} {} {code} {}", it.file, it.line, it.severity.name(), it.message)
        })
        .collect();
    assert_eq!(shown, want, "{output}");
}

#[test]
fn cargo() {
    let message = r#"{"reason":"compiler-message","package_id":"x","message":{"rendered":"…","level":"error","message":"cannot find value `x`","code":{"code":"E0425","explanation":null},"spans":[{"file_name":"src/other.rs","line_start":1,"column_start":1,"is_primary":false},{"file_name":"src/lib.rs","line_start":3,"column_start":5,"is_primary":true,"label":"not found"}]}}"#;
    let artifact = r#"{"reason":"compiler-artifact","package_id":"x"}"#;
    let closing = r#"{"reason":"compiler-message","message":{"level":"error","message":"aborting","spans":[],"code":null}}"#;
    check(
        &format!("{artifact}\n{message}\n{closing}\n{{\"reason\":\"build-finished\"}}\n"),
        &["src/lib.rs:3:5 error E0425 cannot find value `x`: not found"],
    );
    check(
        "error[E0308]: mismatched types\n --> src/lib.rs:7:9\n  |\n7 | x\n\nwarning: unused\n  --> a/b.rs:1:2\nerror: could not compile `x`\n",
        &["src/lib.rs:7:9 error E0308 mismatched types", "a/b.rs:1:2 warning - unused"],
    );
    check(
        "test a ... FAILED\nthread 'tests::a' (42) panicked at src/lib.rs:12:9:\nassertion failed: x\nnote: run with\n",
        &["src/lib.rs:12:9 error - panicked: assertion failed: x"],
    );
}

#[test]
fn javascript() {
    check(
        "src/a.ts(3,7): error TS2322: Type 'string' is not assignable.\n\x1b[31msrc/b b.ts(1,1): error TS1: x\x1b[0m\n",
        &[
            "src/a.ts:3:7 error TS2322 Type 'string' is not assignable.",
            "src/b b.ts:1:1 error TS1 x",
        ],
    );
    check(
        "> lint\n[{\"filePath\":\"/w/a.js\",\"messages\":[{\"ruleId\":\"no-undef\",\"severity\":2,\"message\":\"'x' is not defined.\",\"line\":1,\"column\":5},{\"ruleId\":null,\"severity\":1,\"message\":\"m\",\"line\":2}]},{\"filePath\":\"/w/b.js\",\"messages\":[]}]\n",
        &["/w/a.js:1:5 error no-undef 'x' is not defined.", "/w/a.js:2:- warning - m"],
    );
    check(
        "\n/w/src/a.js\n  1:5   error    'x' is not defined  no-undef\n  2:1   warning  Unexpected console statement  no-console\n\n✖ 2 problems\n",
        &[
            "/w/src/a.js:1:5 error no-undef 'x' is not defined",
            "/w/src/a.js:2:1 warning no-console Unexpected console statement",
        ],
    );
    check("[1, 2]\n[]\n[{\"a\": 1}]\n[not json\n", &[]);
}

#[test]
fn python() {
    check(
        "[\n  {\n    \"code\": \"F401\",\n    \"filename\": \"/w/a.py\",\n    \"location\": {\"column\": 8, \"row\": 1},\n    \"message\": \"`os` imported but unused\"\n  }\n]\nb.py:2:1: E302 expected 2 blank lines\n",
        &[
            "/w/a.py:1:8 error F401 `os` imported but unused",
            "b.py:2:1 error E302 expected 2 blank lines",
        ],
    );
    check(
        "a.py:3: error: Incompatible types in assignment  [assignment]\na.py:4: note: See this\nFound 1 error in 1 file (checked 1 source file)\n",
        &["a.py:3:- error assignment Incompatible types in assignment", "a.py:4:- info - See this"],
    );
    check(
        "************* Module a\na.py:1:0: C0114: Missing module docstring (missing-module-docstring)\na.py:2:0: E0602: Undefined variable 'x' (undefined-variable)\n",
        &[
            "a.py:1:0 warning C0114 Missing module docstring (missing-module-docstring)",
            "a.py:2:0 error E0602 Undefined variable 'x' (undefined-variable)",
        ],
    );
    check(
        "  /w/a.py:3:5 - error: \"x\" is not defined (reportUndefinedVariable)\n",
        &["/w/a.py:3:5 error reportUndefinedVariable \"x\" is not defined"],
    );
    check(
        "/w/tests/test_a.py:2: assert 1 == 2\n",
        &["/w/tests/test_a.py:2:- error - assert 1 == 2"],
    );
}

#[test]
fn others() {
    check(
        "# example.com/x\n./main.go:5:2: undefined: y\nvet: ./main.go:6:3: unreachable code\n    a_test.go:8: got 1\n",
        &["./main.go:5:2 error - undefined: y", "a_test.go:8:- error - got 1"],
    );
    check(
        "src/a.c:1:2: fatal error: x.h: No such file\nsrc/a.c:3:4: warning: unused [-Wunused]\n",
        &["src/a.c:1:2 error - x.h: No such file", "src/a.c:3:4 warning -Wunused unused"],
    );
    check(
        "12:30:45: hello\nhttp://a.b:80: x\nlocalhost:80: x\nok\n99999999999999999999.c:99999999999999999999: x",
        &[],
    );
}

proptest! {
    #[test]
    fn no_output_can_panic(output in "(\\[|\\{|a\\.c:1:|error: |  --> a:1:1|thread 'x' panicked at a:1:1:|[\\x00-\\x7fé\n\"]){0,30}") {
        let _ = parsed(&[&output], "s");
    }
}
