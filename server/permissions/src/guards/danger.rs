//! Commands that no agent gets to run (seed 002, bash: "dangerous command detection").
//!
//! The seed speaks of patterns in the text; this reads the command instead, so that
//! `echo "rm -rf /"` is no danger and `sudo bash -c 'rm -r -f /'` is one.

use std::path::Path;

use super::{
    runner::{self, Run},
    target::Place,
};
use crate::shell::{self, Argument, Shell, SimpleCommand, base_name};

/// How deep commands in the arguments of commands are looked for.
const MAX_DEPTH: usize = 8;
/// What a text that is run adds to the depth: reading one finds several levels of texts by itself.
const TEXT: usize = 5;

/// A part of a command that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Danger {
    /// The simple command that it is, or that would run it; where none can be told, the whole text.
    pub command: String,
    /// What it would do, as a sentence without a subject: "deletes everything below /".
    pub does: &'static str,
}

/// What is dangerous in a command text that would run in `cwd`. `home` is what `~` and `$HOME` stand
/// for. Looks at no file.
pub fn dangers(cmd: &str, cwd: &Path, home: Option<&Path>) -> Vec<Danger> {
    let mut place = Place { cwd: Some(cwd.to_owned()), home: home.map(Path::to_owned) };
    within(cmd, &mut place, 0)
}

fn within(cmd: &str, place: &mut Place, depth: usize) -> Vec<Danger> {
    if depth > MAX_DEPTH {
        return vec![Danger { command: cmd.trim().to_owned(), does: TOO_DEEP }];
    }
    let shell = shell::read(cmd);
    let mut found = of_shell(cmd, &shell, place, depth);
    let mut known: Vec<Danger> = Vec::new();
    found.retain(|danger| {
        let is_new = !known.contains(danger);
        known.push(danger.clone());
        is_new
    });
    found
}

fn of_shell(cmd: &str, shell: &Shell, place: &mut Place, depth: usize) -> Vec<Danger> {
    let mut found = Vec::new();
    let whole = |does| Danger { command: cmd.trim().to_owned(), does };
    found.extend(shell.writes.iter().any(|file| is_disk(file)).then(|| whole("overwrites a disk")));
    found.extend(is_fork_bomb(&shell.commands).then(|| whole("starts processes without end")));
    let mut fetches: Vec<bool> = Vec::new();
    for (index, command) in shell.commands.iter().enumerate() {
        let before = shell.commands.get(..index).unwrap_or_default();
        let named = |does| Danger { command: command.text.clone(), does };
        if runs_fetched(command, before, &fetches) {
            found.push(whole(FETCHED));
        }
        found.extend(of_words(&command.words, place, depth).into_iter().map(named));
        place.moved_by(&command.words);
        fetches.push(runner::fetches(runner::innermost(&command.words)));
    }
    found
}

/// `NAME() { NAME | NAME & }`, whatever the name.
fn is_fork_bomb(commands: &[SimpleCommand]) -> bool {
    let calls_itself = |command: &SimpleCommand| {
        let program = command.words.first().map(|word| word.text.as_str());
        command.function.is_some() && command.function.as_deref() == program
    };
    commands.windows(2).any(|two| {
        matches!(two, [first, second]
            if calls_itself(first) && calls_itself(second) && second.is_piped
                && first.function == second.function)
    })
}

/// What one command does, with what it runs itself.
fn of_words(words: &[Argument], place: &mut Place, depth: usize) -> Vec<&'static str> {
    match runner::run(words) {
        Some(Run::Text(text)) => {
            within(&text, place, depth + TEXT).into_iter().map(|danger| danger.does).collect()
        }
        Some(Run::Words(inner)) if depth < MAX_DEPTH => of_words(inner, place, depth + 1),
        Some(Run::Words(_)) => vec![TOO_DEEP],
        None => does(words, place).into_iter().collect(),
    }
}

/// Nobody writes so who means well.
const TOO_DEEP: &str = "hides what it runs behind too many other programs";

const FETCHED: &str = "runs what it fetches from the network, unseen";

fn does(words: &[Argument], place: &Place) -> Option<&'static str> {
    let (program, arguments) = words.split_first()?;
    let name = base_name(&program.text);
    match name {
        "rm" if is_recursive(arguments) && place.any(operands(arguments)) => {
            Some("deletes a whole system or home directory")
        }
        "chmod" | "chown" | "chgrp"
            if is_recursive(arguments) && place.any(operands(arguments).skip(1)) =>
        {
            Some("changes the permissions of a whole system or home directory")
        }
        "find" if deletes(arguments) && place.any(operands(arguments)) => {
            Some("deletes a whole system or home directory")
        }
        "mke2fs" | "wipefs" => Some("makes a file system, or removes one"),
        _ if name == "mkfs" || name.starts_with("mkfs.") => {
            Some("makes a file system, or removes one")
        }
        "dd" if arguments.iter().any(|word| copies_raw(&word.text)) => Some("copies raw data"),
        "tee" | "cp" | "mv" | "shred" if operands(arguments).any(|word| is_disk(&word.text)) => {
            Some("overwrites a disk")
        }
        _ => None,
    }
}

/// `-r`, `-R`, `-fr`, `--recursive`; what follows `--` is no option.
fn is_recursive(arguments: &[Argument]) -> bool {
    let options = arguments.iter().take_while(|word| word.text != "--");
    options.map(|word| word.text.as_str()).any(|word| match word.strip_prefix("--") {
        // The programs take any beginning of an option's name.
        Some(long) => long.len() > 2 && "recursive".starts_with(long),
        None => word.starts_with('-') && word.contains(['r', 'R']),
    })
}

fn operands(arguments: &[Argument]) -> impl Iterator<Item = &Argument> {
    let mut ended = false;
    arguments.iter().filter(move |word| {
        let is_end = !ended && word.text == "--";
        ended |= is_end;
        !is_end && (ended || !word.text.starts_with('-'))
    })
}

fn deletes(arguments: &[Argument]) -> bool {
    let is = |text: &str, names: &[&str]| names.contains(&base_name(text));
    arguments.iter().any(|word| word.text == "-delete")
        || arguments.windows(2).any(|two| {
            matches!(two, [action, program]
                if is(&action.text, &["-exec", "-execdir", "-ok", "-okdir"])
                    && is(&program.text, &["rm", "shred"]))
        })
}

/// Seed 002: `dd if=`; and every copy to a disk.
fn copies_raw(word: &str) -> bool {
    word.starts_with("if=") || word.strip_prefix("of=").is_some_and(is_disk)
}

fn is_disk(file: &str) -> bool {
    const DISKS: [&str; 8] = ["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "mapper/"];
    let device = file.strip_prefix("/dev/");
    device.is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
}

/// `curl … | bash`, `bash -c "$(curl …)"`, `` eval `wget …` ``. `fetches`: which of those before get
/// something from the network.
fn runs_fetched(command: &SimpleCommand, before: &[SimpleCommand], fetches: &[bool]) -> bool {
    let words = runner::innermost(&command.words);
    let Some(from) = fetches.iter().rposition(|fetches| *fetches) else { return false };
    if runner::reads_program(words) {
        let since = before.get(from + 1..).unwrap_or_default();
        return command.is_piped || since.iter().any(|one| one.is_piped);
    }
    let evaluated = words.iter().filter(|word| !word.is_known);
    let fetched = |text: &str| {
        let mut all = before.iter().zip(fetches);
        all.any(|(one, fetches)| *fetches && text.contains(&one.text))
    };
    runner::evaluates(words) && evaluated.map(|word| word.text.as_str()).any(fetched)
}
