use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::path::PathBuf;

fn check(before: &str, after: &str) {
    assert_eq!(text(before), after, "{before}");
    assert_eq!(text(after), after, "a second time");
}

#[test]
fn shapes_of_tokens() {
    for token in [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "gho_0123456789abcdefghijABCDEFGHIJ012345",
        "github_pat_11ABCDEFG0123456789_abcdefghijklmnop",
        "glpat-0123456789abcdefghij",
        "sk-0123456789abcdefghijABCDEF",
        "sk-ant-api03-abcdefghij-0123456789_AA",
        "sk_live_0123456789abcdefghij",
        "xoxb-123456789012-abcdefghij",
        "AIzaSyA0123456789abcdefghijABCDEFGHIJ01",
        "npm_0123456789abcdefghijABCDEFGHIJ012345",
        "hf_0123456789abcdefghijABCDEF",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123",
    ] {
        check(&format!("echo {token} | cat"), "echo [redacted] | cat");
        check(token, "[redacted]");
        check(&format!("\"{token}\""), "\"[redacted]\"");
    }
}

#[test]
fn what_stands_before_a_secret() {
    check("curl -H 'Authorization: Bearer abcdef' x", "curl -H 'Authorization: [redacted]' x");
    check("curl -H \"authorization: token x y\"", "curl -H \"authorization: [redacted]\"");
    check("curl -H 'X-Api-Key: abc' u", "curl -H 'X-Api-Key: [redacted]' u");
    check("Cookie: a=b; c=d\nHost: h", "Cookie: [redacted]\nHost: h");
    check("Bearer abcdefg", "Bearer [redacted]");
    check("curl -u me:pass https://h/", "curl -u me:[redacted] https://h/");
    check("curl --user 'me:pass' h", "curl --user 'me:[redacted]' h");
    check("git clone https://me:p%40ss@h/r.git", "git clone https://me:[redacted]@h/r.git");
    check("postgres://u:a:b@c@h/db", "postgres://u:[redacted]@h/db");
    check("https://0123456789abcdefghij@h/", "https://[redacted]@h/");
    check("FOO_TOKEN=x make", "FOO_TOKEN=[redacted] make");
    check("export API_KEY=\"a b\"; ls", "export API_KEY=\"[redacted]\"; ls");
    check("PGPASSWORD='a b' psql", "PGPASSWORD='[redacted]' psql");
    check("x --password=abc y", "x --password=[redacted] y");
    check("x --password abc y", "x --password [redacted] y");
    check("x --api-key 'a b' y", "x --api-key '[redacted]' y");
    check(
        "{\"password\": \"a\", \"user\": \"b\"}",
        "{\"password\": \"[redacted]\", \"user\": \"b\"}",
    );
    check("password: hunter2", "password: [redacted]");
    check("//registry/:_authToken=abc", "//registry/:_authToken=[redacted]");
    check("sshpass -p abc ssh h", "sshpass -p [redacted] ssh h");
    check("mysql -u root -pabc db", "mysql -u root -p[redacted] db");
    check("docker login -u me -p abc r.io", "docker login -u me -p [redacted] r.io");
}

#[test]
fn keys_go_as_a_whole() {
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----";
    check(&format!("a\n{key}\nb"), "a\n[redacted]\nb");
    check("a -----BEGIN PRIVATE KEY-----\nMIIE", "a [redacted]");
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "",
        "cargo test --workspace",
        "ls -la /home/me",
        "mkdir -p a/b && docker run -p 80:80 -u 1000:1000 x",
        "grep -rn token src",
        "let tokens = 5; max_tokens=100",
        "TOKEN=$TOKEN make",
        "TOKEN=$(cat f) make",
        "export TOKEN=\"$OTHER\"",
        "use crate::Token::new",
        "https://example.org/a@b",
        "git@github.com:a/b.git",
        "author = \"x\"",
        "sk-short",
        "PWD=/home OLDPWD=/ ls",
        "é日本 --key-file x",
    ] {
        check(text, text);
    }
}

#[test]
fn long_texts_are_cut() {
    let long = "é".repeat(2001);
    let cut = text(&long);
    assert!(cut.chars().count() <= LONGEST, "{}", cut.chars().count());
    assert!(cut.contains("… [cut: 2001 chars, sha256 ") && cut.starts_with("ééé"), "{cut}");
    check(&cut, &cut);
    let whole = "é".repeat(2000);
    check(&whole, &whole);
    let secret = format!("{}ghp_{}", "x ".repeat(845), "a".repeat(900));
    let cut = text(&secret);
    assert!(!cut.contains("ghp_"), "{cut}");
    check(&cut, &cut);
}

#[test]
fn a_name_that_is_no_secret_hides_none() {
    check("curl 'https://x/?access_token=SECRET'", "curl 'https://x/?access_token=[redacted]'");
    check("https://x/?a=1&token=SECRET&b=2", "https://x/?a=1&token=[redacted]&b=2");
    check("docker run --env=API_TOKEN=SECRET x", "docker run --env=API_TOKEN=[redacted] x");
    check("kubectl x --from-literal=password=S ", "kubectl x --from-literal=password=[redacted] ");
    gone("CONN='Server=x;Password=SECRET' run");
    gone("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=SECRET==");
    gone("Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=SECRET=");
    check(
        r#"curl -d "{\"user\":\"b\",\"password\":\"SECRET\",\"x\":\"y\"}" h"#,
        r#"curl -d "{\"user\":\"b\",\"password\":\"[redacted]\",\"x\":\"y\"}" h"#,
    );
    check(
        "a:\n  password: >\n    SE\n    CRET\n  b: c",
        "a:\n  password: >\n    [redacted]\n  b: c",
    );
    check("password: a b SECRET # c\nx: y", "password: [redacted] # c\nx: y");
}

/// No part of it is left.
fn gone(before: &str) {
    let after = text(before);
    let left = after.contains("SECRET") || after.contains("REST") || !after.contains("[redacted]");
    assert!(!left, "{before}\n{after}");
    assert_eq!(text(&after), after, "a second time");
}

#[test]
fn to_the_end_of_the_word() {
    for before in [
        r#"PASSWORD="a\"REST" x"#,
        r"PASSWORD='it'\''REST' x",
        "PASSWORD=ab(REST x",
        "PASSWORD=ab,REST x",
        r"PASSWORD=ab\&REST x",
        r"PASSWORD=ab\ REST x",
        r"PASSWORD=$'a\'REST' x",
        "PASSWORD=ab'c REST' x",
        "PASSWORD=\\\nREST x",
        "PASSWORD=\"a\nREST\" x",
        "x --password \\\n  SECRET y",
        "bash -c \"PASSWORD='a SECRET' x\"",
        "bash -c 'PASSWORD=a|REST x'",
        "PASSWORD=\"SECRET",
    ] {
        gone(before);
    }
}

#[test]
fn programs_and_languages() {
    for before in [
        "DB_PASS=SECRET x",
        "STRIPE_KEY=SECRET x",
        "sshpass -p 'a SECRET' ssh h",
        "curl -su u:SECRET h",
        "curl -s \\\n  -u u:SECRET h",
        "curl 'http://h/?a;b' -u 'u:a SECRET'",
        "mariadb -u root -pSECRET db",
        "mysqldump -u root -p'a SECRET' db",
        "redis-cli -h x -a SECRET ping",
        "openssl enc -pass pass:SECRET -in x",
        "7z a -pSECRET x.7z y",
        "zip -P SECRET x y",
        "set -x API_TOKEN SECRET",
        "set -gx API_TOKEN 'a SECRET'",
        "npm config set //registry.example.org/:_authToken SECRET",
        "echo SECRET | docker login -u a --password-stdin",
        "echo 'a; SECRET' | docker login -u a --password-stdin r",
        "echo SECRET | sudo -S ls",
        "docker login --password-stdin <<< SECRET",
        "<password>SECRET</password>",
        "<db:password type='x'>a SECRET</db:password>",
        "'password' => 'a SECRET',",
        "const apiKey = `a SECRET`;",
        "password: str = \"a SECRET\"",
        "CREATE USER 'a'@'h' IDENTIFIED BY 'a SECRET'",
        "run([\"--password\", \"a SECRET\"])",
        "[\"--password\",\"SECRET\"]",
        "- name: DB_PASS\n  value: SECRET",
        "{\"name\": \"API_TOKEN\", \"value\": \"a SECRET\"}",
        "https://h/?X-Amz-Signature=SECRET&a=b",
    ] {
        gone(before);
    }
}

#[test]
fn more_shapes_of_tokens() {
    let (hook, bot) = ("T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "A".repeat(35));
    check(
        &format!("curl https://hooks.slack.com/services/{hook}"),
        "curl https://hooks.slack.com/services/[redacted]",
    );
    for token in [
        format!("123456789:{bot}"),
        format!("SG.{}.{}", "a".repeat(22), "b".repeat(43)),
        format!("dop_v1_{}", "a".repeat(64)),
        format!("hvs.{}", "a".repeat(24)),
        format!("whsec_{}", "a".repeat(32)),
        format!("AGE-SECRET-KEY-1{}", "Q".repeat(58)),
    ] {
        check(&format!("echo {token} x"), "echo [redacted] x");
    }
}

#[test]
fn lists_of_arguments_and_of_names() {
    let got = args(
        json!({"argv": ["x", "--password", "S", "--pass", "-v"], "env": {"STRIPE_KEY": "S"},
               "all": [{"name": "API_TOKEN", "value": "S"}, {"name": "A", "value": "b"}]}),
        None,
    );
    let want = json!({"argv": ["x", "--password", "[redacted]", "--pass", "-v"],
        "env": {"STRIPE_KEY": "[redacted]"},
        "all": [{"name": "API_TOKEN", "value": "[redacted]"}, {"name": "A", "value": "b"}]});
    assert_eq!(got.value, want);
}

fn args(args: Value, path: Option<(&str, &str)>) -> Redacted {
    let path: Option<(&str, PathBuf)> = path.map(|(arg, real)| (arg, PathBuf::from(real)));
    arguments(&args, path.iter().map(|(arg, real)| (*arg, real.as_path())))
}

#[test]
fn arguments_by_their_names() {
    let got = args(
        json!({"cmd": "ls", "env": {"API_KEY": "x", "PATH": "/bin", "n": {"token": ["a"]}}, "Password": 5,
               "token": null, "secret": "", "cookie": true, "list": ["Bearer abcdefgh", 1]}),
        None,
    );
    let want = json!({"cmd": "ls", "env": {"API_KEY": "[redacted]", "PATH": "/bin", "n": {"token": "[redacted]"}},
        "Password": "[redacted]", "token": null, "secret": "", "cookie": true,
        "list": ["Bearer [redacted]", 1]});
    assert_eq!(got.value, want);
    assert_eq!(got.redacted, ["env", "Password", "list"]);
    assert!(got.cut.is_empty());
}

#[test]
fn contents_of_secret_files() {
    let call = json!({"path": "${w}/.env", "content": "A=b", "edits": [{"old_str": "x", "n": 1}]});
    let got = args(call.clone(), Some(("path", "/w/.env")));
    let want = json!({"path": "${w}/.env", "content": "[redacted]", "edits": [{"old_str": "[redacted]", "n": 1}]});
    assert_eq!((got.value, got.redacted), (want, vec!["content".to_owned(), "edits".to_owned()]));
    assert_eq!(args(call.clone(), Some(("path", "/w/.env.example"))).value, call);
    assert_eq!(args(call, Some(("path", "/w/id_rsa"))).value["content"], "[redacted]");
}

#[test]
fn arguments_are_bounded() {
    let long = args(json!({"content": "x".repeat(10_000_000), "path": "a"}), None);
    assert_eq!((long.cut, long.redacted), (vec!["content".to_owned()], vec![]));
    assert_eq!(long.value["path"], "a");
    let many = args(json!({"edits": vec![json!({"old_str": "x".repeat(1000)}); 100]}), None);
    assert_eq!(many.cut, ["*"]);
    assert!(many.value.to_string().len() < 300, "{}", many.value);
    assert_eq!(args(json!("ghp_0123456789abcdefghij"), None).value, "[redacted]");
    let mut deep = json!(1);
    for _ in 0..500 {
        deep = json!([deep]);
    }
    assert_eq!(args(json!({"a": deep}), None).cut, ["a"]);
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~é日\n]{0,12}",
        "(password|TOKEN|api_key|--secret|Cookie|authorization)",
        "[=: ]{1,2}",
        "(ghp_|sk-|AKIA|eyJ|xoxb-|Bearer )[A-Za-z0-9._-]{0,30}",
        "(https://|postgres://)[a-z:@/]{0,12}",
        "(-----BEGIN KEY-----|-----END KEY-----)",
        "(curl -u |mysql -p|docker login -p |sshpass -p)[a-z:'\"]{0,6}",
        "['\"$\\[\\]]",
        "(\\\\\"|\\\\'|: [>|]\n  |<token>|`|\\(|\\)|,|=>)",
        Just("[redacted]".to_owned()),
        "x{0,900}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop::collection::vec(piece(), 0..12).prop_map(|all| json!(all.concat()));
    let leaf =
        prop_oneof![text, any::<i64>().prop_map(Value::from), Just(json!(null)), Just(json!(true))];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("(a|token|b_key|cmd|ghp_[a-z]{16})", inner), 0..4)
                .prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn once_is_enough(value in value(), secret in any::<bool>()) {
        let file = [("path", Path::new(if secret { "/w/.env" } else { "/w/a" }))];
        let once = arguments(&value, file.into_iter());
        let twice = arguments(&once.value, file.into_iter());
        prop_assert_eq!(&once.value, &twice.value);
        let read: Value = serde_json::from_str(&once.value.to_string()).unwrap();
        prop_assert_eq!(read, once.value);
    }

    #[test]
    fn texts_have_a_bound(parts in prop::collection::vec(piece(), 0..60)) {
        let once = text(&parts.concat());
        prop_assert!(once.chars().count() <= LONGEST, "{}", once.chars().count());
        prop_assert_eq!(text(&once), once);
    }
}
