//! How far the built-in rules for commands reach: to commands that only look around inside the
//! workspace. No rule can say that, so it is said here.
//!
//! Sound first, useful second. Each program has the options that are known to be harmless; a word
//! that is not known, or not on its list, is asked about. Contents of files are not read by any of
//! them (that is what Read and Grep are for, which follow symlinks and skip secrets): `cat`, `grep`
//! and their kind are only let through as filters of what another command prints. `cargo --version`
//! and `go version` are not here, since the files of a project choose what they run.
//!
//! What it cannot see is a symlink that stands in the workspace and leads out of it: through such a
//! one `ls` and `find` tell the names of files elsewhere, but not what is in them.

use std::path::{Component, Path};

use crate::Call;
use crate::guards::is_secret_file;
use crate::readonly::only_looks;
use crate::shell::{Argument, SimpleCommand};

/// Where the built-in rules end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop<'a> {
    /// The word that it is about.
    pub(crate) word: &'a str,
    /// What it does, as a sentence without a subject.
    pub(crate) why: &'static str,
}

const OUTSIDE: &str = "leads out of the workspace";
const SECRET: &str = "may be a file with secrets";
const UNKNOWN: &str = "is not known";
const MORE: &str = "may do more than look";
const CONTENTS: &str = "is a file whose contents would be read";
const COMPUTES: &str = "computes with values that are not known";
const PATCH: &str = "prints what is in files, of which some may hold secrets";
const OBJECT: &str = "may be the contents of a file with secrets";
const NESTED: &str = "may be another repository with settings of its own";

type Fenced<'a> = Result<(), Stop<'a>>;

/// Why a built-in rule may not allow the command, if there is a reason.
pub(crate) fn stop<'a>(command: &'a SimpleCommand, call: &Call) -> Option<Stop<'a>> {
    look(command, call).err()
}

fn look<'a>(command: &'a SimpleCommand, call: &Call) -> Fenced<'a> {
    let Some((program, arguments)) = command.words.split_first() else {
        return stopped(&command.text, MORE);
    };
    let inside = |path: &Path| call.workspace.iter().any(|root| path.starts_with(root));
    if !inside(call.cwd) {
        return stopped(&program.text, "starts outside the workspace");
    }
    if command.assigns || command.caution.is_some() {
        return stopped(&command.text, MORE);
    }
    if let Some(read) = command.reads.iter().find(|read| read.text != "/dev/null") {
        return stopped(&read.text, CONTENTS);
    }
    if let Some(word) = command.words.iter().find(|word| !word.is_known) {
        return stopped(&word.text, UNKNOWN);
    }
    if command.computes {
        return stopped(&command.text, COMPUTES);
    }
    if let [only] = arguments
        && only.text == "--version"
    {
        return Ok(());
    }
    match program.text.as_str() {
        "echo" => arguments.iter().try_for_each(|word| match word.globs {
            true => names(word, call),
            false => home(word),
        }),
        "pwd" => flags(arguments, "LP", ""),
        "cd" => change(program, arguments, call),
        "ls" => arguments.iter().try_for_each(|word| list(word, call)),
        "which" => {
            arguments.iter().try_for_each(|word| match word.text.contains('/') || word.globs {
                true => stopped(&word.text, MORE),
                false => Ok(()),
            })
        }
        "cat" => flags(arguments, "AbeEnstTuv", ""),
        "head" => flags(arguments, "0123456789qvz", "cn"),
        "tail" => flags(arguments, "0123456789qvz", "cn"),
        "wc" => flags(arguments, "clmwL", ""),
        "sort" => flags(arguments, "bdfghiMnrRsuVz", "kt"),
        "uniq" => flags(arguments, "cdDiuz", "fsw"),
        "grep" => search(arguments),
        "find" => find(arguments, call),
        "git" => git(command, program, arguments, call),
        _ => stopped(&program.text, MORE),
    }
}

fn stopped<'a, T>(word: &'a str, why: &'static str) -> Result<T, Stop<'a>> {
    Err(Stop { word, why })
}

/// Options without operands: a filter.
fn flags<'a>(arguments: &'a [Argument], flags: &str, valued: &str) -> Fenced<'a> {
    match operands(arguments, flags, valued)?.first() {
        Some(word) => stopped(&word.text, CONTENTS),
        None => Ok(()),
    }
}

/// The words that are no options, if all options are among these letters.
fn operands<'a>(
    arguments: &'a [Argument],
    flags: &str,
    valued: &str,
) -> Result<Vec<&'a Argument>, Stop<'a>> {
    let (mut words, mut operands) = (arguments.iter(), Vec::new());
    while let Some(word) = words.next() {
        if word.globs {
            return stopped(&word.text, UNKNOWN);
        }
        let Some(letters) = word.text.strip_prefix('-').filter(|letters| !letters.is_empty())
        else {
            operands.push(word);
            continue;
        };
        let value = letters.find(|letter| valued.contains(letter));
        let own = letters.get(..value.unwrap_or(letters.len())).unwrap_or_default();
        if !own.chars().all(|letter| flags.contains(letter)) {
            return stopped(&word.text, MORE);
        }
        if value.is_some_and(|at| at + 1 == letters.len()) {
            words.next();
        }
    }
    Ok(operands)
}

/// `grep PATTERN` as a filter.
fn search(arguments: &[Argument]) -> Fenced<'_> {
    let words = operands(arguments, "acEFhHinoPqsvwxz0123456789", "ABCem")?;
    let has_pattern = arguments.iter().any(|word| {
        word.text.starts_with('-') && word.text.chars().find(|c| "ABCem".contains(*c)) == Some('e')
    });
    match words.get(usize::from(!has_pattern)) {
        Some(word) => stopped(&word.text, CONTENTS),
        None => Ok(()),
    }
}

/// A path that stays inside, as it is written.
fn path<'a>(word: &'a Argument, call: &Call) -> Fenced<'a> {
    home(word)?;
    let text = word.text.as_str();
    let parts = text.split(['/', ':', '=']);
    let climbs = parts.clone().any(|part| part == ".." || word.globs && is_hidden_glob(part));
    let is_inside = |path: &Path| {
        let plain = path.components().all(|part| part != Component::ParentDir);
        plain && call.workspace.iter().any(|root| path.starts_with(root))
    };
    let absolute = [Some(text), text.split_once([':', '=']).map(|(_, rest)| rest)];
    let leaves = absolute
        .into_iter()
        .flatten()
        .any(|path| path.starts_with('/') && !is_inside(Path::new(path)) || path.starts_with('~'));
    if climbs || leaves { stopped(text, OUTSIDE) } else { Ok(()) }
}

fn home(word: &Argument) -> Fenced<'_> {
    if word.text.starts_with('~') { stopped(&word.text, OUTSIDE) } else { Ok(()) }
}

/// `.*` is `..` too.
fn is_hidden_glob(part: &str) -> bool {
    part.starts_with('.') && part.contains(['*', '?', '['])
}

/// A path of which only the name is told.
fn names<'a>(word: &'a Argument, call: &Call) -> Fenced<'a> {
    path(word, call)
}

fn list<'a>(word: &'a Argument, call: &Call) -> Fenced<'a> {
    let text = word.text.as_str();
    let follows = match text.strip_prefix("--") {
        Some(long) => long.starts_with("de"),
        None => text.starts_with('-') && text.contains(['L', 'H']),
    };
    if follows || text.starts_with('-') && word.globs {
        return stopped(text, OUTSIDE);
    }
    names(word, call)
}

fn change<'a>(program: &'a Argument, arguments: &'a [Argument], call: &Call) -> Fenced<'a> {
    match arguments {
        [to] if !to.may_be_option && !to.globs && !to.text.is_empty() => path(to, call),
        [to] => stopped(&to.text, UNKNOWN),
        _ => stopped(&program.text, OUTSIDE),
    }
}

/// Tests and actions of `find` that only look, without and with a value.
const FIND: [&str; 20] = [
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-depth",
    "-empty",
    "-false",
    "-ls",
    "-mount",
    "-not",
    "-o",
    "-or",
    "-print",
    "-print0",
    "-prune",
    "-true",
    "-xdev",
    "-executable",
];
const FIND_VALUED: [&str; 17] = [
    "-amin",
    "-atime",
    "-cmin",
    "-ctime",
    "-iname",
    "-ipath",
    "-iregex",
    "-links",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-path",
    "-perm",
    "-regex",
    "-size",
];

fn find<'a>(arguments: &'a [Argument], call: &Call) -> Fenced<'a> {
    let is_start = |word: &Argument| !word.text.starts_with(['-', '(', '!', ',']);
    let starts = arguments.iter().take_while(|word| is_start(word)).count();
    let (places, mut tests) = arguments.split_at(starts);
    places.iter().try_for_each(|word| names(word, call))?;
    while let Some((word, rest)) = tests.split_first() {
        let text = word.text.as_str();
        tests = match rest {
            _ if word.globs => return stopped(text, UNKNOWN),
            rest if FIND.contains(&text) => rest,
            [value, rest @ ..] if FIND_VALUED.contains(&text) && !value.globs => rest,
            [value, rest @ ..] if text == "-type" && !value.globs => rest,
            _ => return stopped(text, MORE),
        };
    }
    Ok(())
}

/// Subcommands of git that are let through, and their options; those that end with `=` have a value.
const GIT: [&str; 11] = [
    "status",
    "log",
    "diff",
    "show",
    "branch",
    "rev-parse",
    "ls-files",
    "shortlog",
    "describe",
    "tag",
    "stash",
];
const GIT_OPTIONS: [&str; 62] = [
    "--",
    "-p",
    "-u",
    "-s",
    "-b",
    "-v",
    "-vv",
    "-a",
    "-r",
    "-w",
    "-l",
    "-M",
    "-sb",
    "-uno",
    "-n",
    "--abbrev-commit",
    "--abbrev-ref",
    "--all",
    "--branch",
    "--branches",
    "--cached",
    "--color=never",
    "--contains",
    "--decorate",
    "--exclude-standard",
    "--first-parent",
    "--follow",
    "--graph",
    "--ignored",
    "--is-inside-work-tree",
    "--list",
    "--merges",
    "--modified",
    "--name-only",
    "--name-status",
    "--no-color",
    "--no-decorate",
    "--no-merges",
    "--no-patch",
    "--numstat",
    "--oneline",
    "--others",
    "--patch",
    "--porcelain",
    "--porcelain=v1",
    "--porcelain=v2",
    "--reverse",
    "--short",
    "--shortstat",
    "--show-current",
    "--show-toplevel",
    "--staged",
    "--stat",
    "--summary",
    "--tags",
    "--untracked-files",
    "--verify",
    "--word-diff",
    "--since=",
    "--until=",
    "--author=",
    "--max-count=",
];

fn git<'a>(
    command: &'a SimpleCommand,
    program: &'a Argument,
    arguments: &'a [Argument],
    call: &Call,
) -> Fenced<'a> {
    if command.moves || !call.workspace.iter().any(|root| root == call.cwd) {
        return stopped(&program.text, NESTED);
    }
    let words = match arguments {
        [first, rest @ ..] if first.text == "--no-pager" => rest,
        words => words,
    };
    let Some((name, rest)) = words.split_first() else { return stopped(&program.text, MORE) };
    if !GIT.contains(&name.text.as_str()) || !only_looks(command) {
        return stopped(&name.text, MORE);
    }
    rest.iter().try_for_each(|word| git_word(word, call))?;
    git_contents(name, rest)
}

/// What makes git name the files of a change in place of showing it.
const GIT_NAMES: [&str; 8] = [
    "-s",
    "--no-patch",
    "--name-only",
    "--name-status",
    "--numstat",
    "--shortstat",
    "--stat",
    "--summary",
];

/// Changes are shown file by file, and which files those are no path says: it may be a directory.
/// So only `git show REVISION:FILE` may tell what is in one.
fn git_contents<'a>(name: &'a Argument, rest: &'a [Argument]) -> Fenced<'a> {
    let end = rest.iter().position(|word| word.text == "--").unwrap_or(rest.len());
    let (own, paths) = rest.split_at(end);
    if let Some(word) = own.iter().find(|word| is_patch(&name.text, &word.text)) {
        return stopped(&word.text, PATCH);
    }
    let mut operands = own.iter().filter(|word| !word.text.starts_with('-'));
    let is_show = name.text == "show";
    if is_show && let Some(word) = operands.clone().find(|word| is_object(&word.text)) {
        return stopped(&word.text, OBJECT);
    }
    // Some versions take the word behind `-n` for its value, whatever it is.
    let is_named = |at: usize, word: &Argument| {
        let before = at.checked_sub(1).and_then(|at| own.get(at));
        GIT_NAMES.contains(&word.text.as_str()) && before.is_none_or(|word| word.text != "-n")
    };
    let names_only = own.iter().enumerate().any(|(at, word)| is_named(at, word));
    let is_blob = is_show
        && paths.is_empty()
        && operands.clone().next().is_some()
        && operands.all(|word| is_file_of_revision(&word.text));
    match is_show || name.text == "diff" {
        true if !names_only && !is_blob => stopped(&name.text, PATCH),
        _ => Ok(()),
    }
}

/// Whether the option has the subcommand show changes.
fn is_patch(name: &str, option: &str) -> bool {
    let options: &[&str] = match name {
        "status" => &["-v"],
        "log" | "diff" | "show" | "stash" => &["-p", "-u", "--patch", "--word-diff"],
        _ => &[],
    };
    options.iter().any(|start| option.starts_with(start))
}

/// Whether a revision may be any object of the repository by its hash, such as a file without a
/// name. What stands before a colon is a directory.
fn is_object(text: &str) -> bool {
    let is_hash = |part: &str| {
        let name = part.split(['^', '~', '@']).find(|name| !name.is_empty()).unwrap_or_default();
        // `git describe` names a commit so, but any object is found.
        let hash = name.rsplit("-g").next().unwrap_or_default();
        hash.len() >= 4 && hash.chars().all(|c| c.is_ascii_hexdigit())
    };
    !text.contains(':') && text.split("..").any(|part| is_hash(part.trim_start_matches('.')))
}

/// `REVISION:FILE`, which cannot be taken for a pattern of paths.
fn is_file_of_revision(text: &str) -> bool {
    text.contains(':') && !text.starts_with(':') && !text.contains(['*', '?', '[', '\\'])
}

fn git_word<'a>(word: &'a Argument, call: &Call) -> Fenced<'a> {
    let text = word.text.as_str();
    if word.globs {
        return stopped(text, UNKNOWN);
    }
    if text.starts_with('-') {
        let is_count = text.len() > 1 && text.chars().skip(1).all(|c| c.is_ascii_digit());
        let is_format = ["--format=", "--pretty="].iter().any(|option| text.starts_with(option))
            // Signatures are checked by a program.
            && !text.contains("%G")
            // The whole of an object that a tag names.
            && !(text.contains("%(") && text.contains("raw"));
        let is_known = GIT_OPTIONS.iter().any(|option| match option.ends_with('=') {
            true => text.starts_with(option),
            false => text == *option,
        });
        return if is_count || is_format || is_known { Ok(()) } else { stopped(text, MORE) };
    }
    let is_secret = |part: &str| is_secret_file(Path::new(part));
    if text.split(['/', ':']).any(is_secret) {
        return stopped(text, SECRET);
    }
    path(word, call)
}
