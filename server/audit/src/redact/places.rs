//! Where in a text the value of a secret begins.

/// One way to write a secret with what says that it is one. The value begins where the match ends.
pub(super) struct Place {
    /// In lower case. A text without any of them has no match.
    pub needles: &'static [&'static str],
    /// The group `n`, if there is one, must be a secret's name.
    pub pattern: &'static str,
    pub takes: Takes,
}

/// What stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// A value, as what is between it and the name (the group `b`) says.
    Value,
    /// A word that is no option.
    Word,
    /// A word that may begin with a hyphen: nothing is between it and its option.
    Attached,
    /// `user:password`.
    Pair,
    /// What stands before the next element.
    Element,
}

/// What the names of secrets have in them.
const NAMES: &[&str] =
    &["pass", "secret", "token", "cookie", "auth", "cred", "key", "pwd", "session", "sig"];

const fn named(pattern: &'static str) -> Place {
    Place { needles: NAMES, pattern, takes: Takes::Value }
}

const fn place(needles: &'static [&'static str], pattern: &'static str, takes: Takes) -> Place {
    Place { needles, pattern, takes }
}

/// What may stand between a program and an option of its own.
macro_rules! options {
    ($program:literal, $option:literal) => {
        concat!(
            r"(?-u:\b)(?:",
            $program,
            r#")(?-u:\b)(?:\\\r?\n|"[^"]*"|'[^']*'|[^|;\n])*?[\s"'](?:"#,
            $option,
            ")"
        )
    };
}

/// Names first: what they take is gone for the others.
pub(super) const PLACES: [Place; 18] = [
    // `NAME=value`, `NAME: value`, `"NAME": "value"`, `'NAME' => 'value'`, `\"NAME\":\"value\"`.
    named(
        r#"(?P<n>[A-Za-z0-9_.-]*[A-Za-z0-9])(?P<b>(?:\\*["'`]|\])*(?:\s*=>\s*|\s*:=\s*|\s*=\s*|\s*:\s*))"#,
    ),
    // `--name value`, `"--name", "value"`.
    place(
        NAMES,
        r#"(?P<n>--?[A-Za-z0-9][A-Za-z0-9_-]*)(?:(?:\s|\\\r?\n)+|\\*["']\s*,\s*)"#,
        Takes::Word,
    ),
    // `set -x NAME value`, `npm config set //host/:NAME value`.
    place(
        NAMES,
        r"(?-u:\b)(?:set|setenv|config(?:ure)?(?:\s+set)?)\s+(?:--?[\w-]+\s+)*(?P<n>[^\s=]+)[ \t]+",
        Takes::Word,
    ),
    // `{"name": "NAME", "value": "value"}`, and YAML's.
    named(
        r#"(?i)(?-u:\b)(?:name|key)\\*["']?\s*[:=]\s*\\*["']?(?P<n>[a-z0-9_.-]+)\\*["']?[\s,;]+\\*["']?value(?P<b>\\*["']?\s*[:=]\s*)"#,
    ),
    // `<NAME>value<`.
    place(NAMES, r"<(?P<n>[A-Za-z0-9_.:-]+)(?:\s[^<>]*)?>", Takes::Element),
    place(
        &["identified"],
        r"(?i)identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?",
        Takes::Word,
    ),
    place(&["<<<"], r"(?:password-stdin|with-token|sudo -S)[^;\n|]*<<<\s*", Takes::Word),
    // Options of programs whose value is a password, or ends in one.
    place(&["sshpass"], options!("sshpass", r"-p\s*"), Takes::Attached),
    place(&["mysql", "mariadb"], options!("(?:mysql|mariadb)(?:-?[a-z]+)?", "-p"), Takes::Attached),
    place(&["7z"], options!("7z[az]?", "-p"), Takes::Attached),
    place(&["redis"], options!("redis-cli", r"-a\s*"), Takes::Word),
    place(&["zip"], options!("(?:un)?zip", r"-P\s*"), Takes::Word),
    place(&["ldap"], options!("ldap[a-z]+", r"-w\s*"), Takes::Word),
    place(
        &["pass:"],
        options!("openssl|keytool|jarsigner", r#"--?[a-z]*pass[a-z]*\s+["']?pass:"#),
        Takes::Attached,
    ),
    place(&["smb", "rpc"], options!("smbclient|rpcclient", r"-U\s*"), Takes::Pair),
    place(
        &["login"],
        options!(
            "docker|podman|helm|buildah|oras|az|oc|nerdctl",
            r#"login(?-u:\b)(?:\\\r?\n|[^|;\n])*?\s-p[ =]?\s*"#
        ),
        Takes::Word,
    ),
    place(
        &["curl", "wget"],
        options!("curl|wget", r"(?:-[A-Za-z]{0,8}?u|--user|--proxy-user)[ =]?(?:\s|\\\r?\n)*"),
        Takes::Pair,
    ),
    place(&["http", "xh"], options!("https?|xh|xhs", r"(?:-a|--auth)[ =]?\s*"), Takes::Pair),
];
