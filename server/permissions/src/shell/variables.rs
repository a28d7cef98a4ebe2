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

/// What bash evaluates as arithmetic when it is set, subscripts with substitutions included, and
/// others that it keeps itself. Plain numbers are harmless in them.
const INTEGERS: [&str; 18] = [
    "OPTIND",
    "OPTERR",
    "SECONDS",
    "RANDOM",
    "SRANDOM",
    "HISTCMD",
    "HISTSIZE",
    "HISTFILESIZE",
    "LINENO",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "BASHPID",
    "PPID",
    "UID",
    "EUID",
    "SHLVL",
    "FUNCNEST",
    "MAILCHECK",
];

/// What bash sets to texts that come from elsewhere: the last word of a command, a line of input.
const TEXTS: [&str; 9] = [
    "_",
    "REPLY",
    "OPTARG",
    "FUNCNAME",
    "DIRSTACK",
    "MAPFILE",
    "COPROC",
    "READLINE_LINE",
    "COMP_LINE",
];

/// Whether bash evaluates the values that it gets.
pub(super) fn is_integer(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// Whether its value may be a text of somebody else's without any assignment.
pub(super) fn is_foreign_text(name: &str) -> bool {
    TEXTS.contains(&name)
}

/// Whether it is spelled like those that bash or other programs know.
pub(super) fn is_capital(name: &str) -> bool {
    name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Whether a value of the variable can make a program run another one, or names mean something else.
pub(super) fn is_dangerous(name: &str) -> bool {
    is_integer(name)
        || NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
