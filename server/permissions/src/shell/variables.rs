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

/// The same of programs that a command may run: their settings, and what they run in turn.
const OF_PROGRAMS: &[&str] = &[
    "AWKLIBPATH",
    "AWKPATH",
    "BAT_PAGER",
    "CLASSPATH",
    "CURL_HOME",
    "CVS_RSH",
    "CXX",
    "EXINIT",
    "FPATH",
    "FZF_DEFAULT_COMMAND",
    "GNUPGHOME",
    "GOENV",
    "GOFLAGS",
    "GOROOT",
    "GRADLE_OPTS",
    "INPUTRC",
    "JDK_JAVA_OPTIONS",
    "LESSKEYIN",
    "MAKEFILES",
    "MANOPT",
    "MAVEN_ARGS",
    "MAVEN_OPTS",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PHPRC",
    "RIPGREP_CONFIG_PATH",
    "RSYNC_CONNECT_PROG",
    "RSYNC_RSH",
    "RUSTFLAGS",
    "SVN_SSH",
    "SYSTEMD_EDITOR",
    "SYSTEMD_PAGER",
    "TERMINFO",
    "TERMINFO_DIRS",
    "VIMINIT",
    "WGETRC",
    "_JAVA_OPTIONS",
];
const PREFIXES_OF_PROGRAMS: &[&str] = &["XDG_", "PIP_", "PHP_", "BUNDLE_", "RUSTUP_", "LUA_"];

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
        || OF_PROGRAMS.contains(&name)
        || PREFIXES.iter().chain(PREFIXES_OF_PROGRAMS).any(|prefix| name.starts_with(prefix))
}
