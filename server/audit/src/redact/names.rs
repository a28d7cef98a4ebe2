//! Names whose values are secrets.

use serde_json::{Map, Value};

/// Words that say it alone.
const WORDS: [&str; 17] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "secrets",
    "token",
    "cookie",
    "cookies",
    "authorization",
    "credential",
    "credentials",
    "apikey",
    "storepass",
    "keypass",
    "userpass",
    "sshpass",
];
/// Ends of words that are written together: `PGPASSWORD`, `authtoken`.
const ENDS: [&str; 9] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "privatekey",
    "accesskey",
    "secretkey",
];
/// What a `key` must be of to be one that opens something.
const KEYS: [&str; 8] =
    ["api", "access", "private", "secret", "signing", "encryption", "master", "account"];

/// What a `signature` must be of.
const SIGNED: [&str; 4] = ["amz", "goog", "access", "oauth"];
/// Keys in capitals that open nothing.
const OPEN: [&str; 12] = [
    "public",
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "index",
    "group",
    "hot",
    "idempotency",
    "map",
    "natural",
];

/// The name that an entry of a list of names and values has: `{"name": "API_TOKEN", "value": "x"}`.
pub(super) fn of_entry(fields: &Map<String, Value>) -> Option<&String> {
    let is_name = |name: &str| ["name", "key"].iter().any(|it| name.eq_ignore_ascii_case(it));
    fields.iter().find_map(|(name, value)| match value {
        Value::String(value) if is_name(name) => Some(value),
        _ => None,
    })
}

/// `--password`: what follows it in a list is a secret.
pub(super) fn is_secret_option(text: &str) -> bool {
    text.starts_with('-') && !text.contains(['=', ' ', ':']) && is_secret_name(text)
}

/// Whether an argument, a variable or a header of that name holds a secret: `password`, `API_KEY`,
/// `apiKey`, `x-api-key`, `GITHUB_TOKEN`, whatever the case and the separators.
pub fn is_secret_name(name: &str) -> bool {
    // A name is short; a text that stands where a name is expected is none.
    if name.len() > 200 {
        return false;
    }
    let words = words(name);
    let one = |word: &String| {
        WORDS.contains(&word.as_str()) || ENDS.iter().any(|end| word.ends_with(end))
    };
    let key = |pair: &[String]| match pair {
        [of, key] => key == "key" && KEYS.contains(&of.as_str()),
        _ => false,
    };
    let session =
        |pair: &[String]| matches!(pair, [session, id] if session == "session" && id == "id");
    let signature = |pair: &[String]| match pair {
        [of, signature] => signature == "signature" && SIGNED.contains(&of.as_str()),
        _ => false,
    };
    let is_capital = !name.chars().any(char::is_lowercase);
    let of = words.len().checked_sub(2).and_then(|at| words.get(at));
    let opens = of.is_some_and(|of| !OPEN.contains(&of.as_str()));
    let last = words.last().map(String::as_str);
    words.iter().any(one)
        || words.windows(2).any(|pair| key(pair) || session(pair) || signature(pair))
        || matches!(last, Some("auth" | "pass"))
        || words == ["sig"]
        || is_capital && opens && last == Some("key")
        || words.len() > 1 && last == Some("pwd")
}

/// In lower case, split at separators and where a small letter is followed by a capital one.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (was_small && c.is_uppercase()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "Password",
            "db_password",
            "dbPassword",
            "DB-PASSWD",
            "PGPASSWORD",
            "passphrase",
            "token",
            "GITHUB_TOKEN",
            "access.token",
            "authToken",
            "_authToken",
            "//host/:_authToken",
            "secret",
            "client_secret",
            "clientSecret",
            "api_key",
            "API_KEY",
            "apiKey",
            "api-key",
            "apikey",
            "X-Api-Key",
            "OPENAI_API_KEY",
            "authorization",
            "Authorization",
            "Proxy-Authorization",
            "cookie",
            "Set-Cookie",
            "private_key",
            "privateKey",
            "PRIVATEKEY",
            "aws_secret_access_key",
            "AWS_ACCESS_KEY_ID",
            "credentials",
            "MYSQL_PWD",
            "basic_auth",
            "auth",
            "sessionId",
            "DB_PASS",
            "SMTP_PASS",
            "--pass",
            "ansible_become_pass",
            "STRIPE_KEY",
            "storepass",
            "sig",
            "X-Amz-Signature",
            "AccountKey",
            "SharedAccessKey",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn other_names() {
        for name in [
            "",
            "path",
            "cmd",
            "content",
            "max_tokens",
            "tokens",
            "tokenizer",
            "author",
            "authors",
            "key",
            "keys",
            "keyboard",
            "primary_key",
            "keyEnv",
            "PWD",
            "OLDPWD",
            "SSH_AUTH_SOCK",
            "secretary",
            "passwordless",
            "monkey",
            "description",
            "session",
            "cookiecutter",
            "id",
            "compass",
            "PUBLIC_KEY",
            "PRIMARY_KEY",
            "KEY",
            "pass_rate",
            "signature",
            "sign",
            "é",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
