//! Variables that change what later commands are or do.

const NAMES: [&str; 37] = [
    "PATH",
    "IFS",
    "ENV",
    "SHELL",
    "HOME",
    "PWD",
    "OLDPWD",
    "CDPATH",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "GLOBIGNORE",
    "FIGNORE",
    "EXECIGNORE",
    "HISTFILE",
    "TEXTDOMAIN",
    "TEXTDOMAINDIR",
    "TMOUT",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "BROWSER",
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "TAR_OPTIONS",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "MAKEFLAGS",
    "RUSTC",
    "RUSTDOC",
    "CC",
];

const PREFIXES: [&str; 13] = [
    "LD_", "DYLD_", "BASH_", "GIT_", "PYTHON", "PERL5", "RUBY", "NODE_", "npm_", "CARGO_",
    "RUSTC_", "JAVA_", "GCONV_",
];

/// Whether a value of the variable can make a program run another one, or names mean something else.
pub(super) fn is_dangerous(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
