//! A plan as Markdown (seed 002, "Planning"). What is written is read back as it was; what people
//! made of it by hand is read as far as it can be.

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Pending,
    Started,
    Completed,
    Skipped,
}

impl Progress {
    pub const ALL: [Progress; 4] =
        [Progress::Pending, Progress::Started, Progress::Completed, Progress::Skipped];

    /// The name in arguments.
    pub fn name(self) -> &'static str {
        match self {
            Progress::Pending => "pending",
            Progress::Started => "in_progress",
            Progress::Completed => "completed",
            Progress::Skipped => "skipped",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|progress| progress.name() == name)
    }

    /// Seed 002: "pending = [ ], in_progress = [~], completed = [x], skipped = [-]".
    pub fn mark(self) -> char {
        match self {
            Progress::Pending => ' ',
            Progress::Started => '~',
            Progress::Completed => 'x',
            Progress::Skipped => '-',
        }
    }

    fn of_mark(mark: char) -> Option<Self> {
        let mark = if mark == 'X' { 'x' } else { mark };
        Self::ALL.into_iter().find(|progress| progress.mark() == mark)
    }
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub progress: Progress,
    pub description: String,
    pub notes: Option<String>,
}

/// A plan; its id is the name of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub title: String,
    pub status: String,
    /// A day, `2026-11-21`.
    pub created: String,
    pub steps: Vec<Step>,
}

/// How far what belongs to a step is indented: as far as the text of a list item, so that Markdown
/// takes it for that too.
const INDENT: &str = "   ";
const NOTES: &str = "Notes";

impl Plan {
    /// The file's text.
    pub fn render(&self, id: &str) -> String {
        let Plan { title, status, created, steps } = self;
        let mut text = format!(
            "# Plan: {title}\n\n**ID**: {id}\n**Status**: {status}\n**Created**: {created}\n\n\
             ## Steps\n\n"
        );
        for (at, step) in steps.iter().enumerate() {
            text += &format!("{}. [{}] ", at + 1, step.progress.mark());
            push_block(&mut text, &step.description);
            if let Some(notes) = &step.notes {
                text += &format!("{INDENT}{NOTES}: ");
                push_block(&mut text, notes);
            }
        }
        text
    }

    /// Reads a plan file; what it does not say is "Untitled" or "unknown".
    pub fn parse(text: &str) -> Self {
        let first = text.lines().take_while(|line| step_line(line).is_none());
        let mut plan = Plan {
            title: "Untitled".to_owned(),
            status: "unknown".to_owned(),
            created: "unknown".to_owned(),
            steps: steps(text),
        };
        let mut titled = false;
        for line in first {
            let title = line.strip_prefix("# ").filter(|_| !titled);
            if let Some(title) = title {
                let title = title.trim();
                plan.title = title.strip_prefix("Plan:").unwrap_or(title).trim().to_owned();
                titled = true;
            } else if let Some(status) = field(line, "status") {
                plan.status = status;
            } else if let Some(created) = field(line, "created") {
                plan.created = created;
            }
        }
        plan
    }
}

/// Lines after the first are indented; one that looks like the start of notes is marked.
fn push_block(text: &mut String, block: &str) {
    if block.is_empty() {
        text.push('\n');
    }
    for (at, line) in block.lines().enumerate() {
        match (at, line) {
            (0, line) => text.push_str(line),
            (_, "") => {}
            (_, line) => *text += &format!("{INDENT}{}", escaped(line)),
        }
        text.push('\n');
    }
}

/// `**Status**: active`, with or without the stars.
fn field(line: &str, name: &str) -> Option<String> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim().trim_matches('*');
    let value = value.trim().trim_start_matches("**").trim();
    (key.eq_ignore_ascii_case(name) && !value.is_empty()).then(|| value.to_owned())
}

/// `Notes:` at a line's start is Markdown's `Notes\:` unless notes begin there.
fn escaped(line: &str) -> String {
    match colon_after_notes(line) {
        Some(colon) => format!("{}\\{}", &line[..colon], &line[colon..]),
        None => line.to_owned(),
    }
}

fn unescaped(line: &str) -> String {
    match colon_after_notes(line) {
        Some(colon) if line[..colon].ends_with('\\') => {
            format!("{}{}", &line[..colon - 1], &line[colon..])
        }
        _ => line.to_owned(),
    }
}

/// The byte where the colon stands in `Notes:`, `Notes\:`, `Notes\\:` …
fn colon_after_notes(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix(NOTES)?;
    let colon = rest.trim_start_matches('\\');
    colon.starts_with(':').then(|| line.len() - colon.len())
}

/// What follows `Notes:`, if notes begin in this line.
fn notes_of(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix(NOTES)?.strip_prefix(':')
}

/// The byte of the mark in a line that begins a step, its meaning, and the text behind it.
fn step_line(line: &str) -> Option<(usize, Progress, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?.strip_prefix(['.', ')'])?;
    let rest = rest.strip_prefix(' ')?.trim_start_matches(' ').strip_prefix('[')?;
    let at = line.len() - rest.len();
    let (mark, after) = (rest.chars().next()?, rest.get(1..)?.strip_prefix(']')?);
    let is_step = digits > 0 && (after.is_empty() || after.starts_with([' ', '\t', '\r', '\n']));
    Some((at, Progress::of_mark(mark).filter(|_| is_step)?, after))
}

/// Where in a plan file the marks stand, in bytes; each is one byte.
pub(super) fn marks(text: &str) -> Vec<(usize, Progress)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        found.extend(step_line(line).map(|(at, progress, _)| (start + at, progress)));
        start += line.len();
    }
    found
}

/// Lines that are not indented and begin no step belong to none.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some((_, progress, rest)) = step_line(line) {
            steps.push(Step { progress, description: rest.to_owned(), notes: None });
            inside = true;
            continue;
        }
        inside &= line.trim().is_empty() || line.starts_with([' ', '\t']);
        if let Some(step) = steps.last_mut().filter(|_| inside) {
            more(step, dedented(line));
        }
    }
    for step in &mut steps {
        step.description = block(&step.description);
        step.notes = step.notes.as_deref().map(block).filter(|notes| !notes.is_empty());
    }
    steps
}

fn more(step: &mut Step, line: &str) {
    match (notes_of(line), &mut step.notes) {
        (Some(first), None) => step.notes = Some(first.to_owned()),
        (_, Some(notes)) => *notes += &format!("\n{}", unescaped(line)),
        (None, None) => step.description += &format!("\n{}", unescaped(line)),
    }
}

fn dedented(line: &str) -> &str {
    if let Some(rest) = line.strip_prefix('\t') {
        return rest;
    }
    let spaces = line.bytes().take(INDENT.len()).take_while(|byte| *byte == b' ').count();
    &line[spaces..]
}

/// A text as a plan holds it: line ends `\n`, no control characters, no blanks at line ends, no empty
/// lines around it.
pub(super) fn block(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<String> = text.split('\n').map(one_line).collect();
    let is_text = |line: &String| !line.is_empty();
    let Some(first) = lines.iter().position(is_text) else { return String::new() };
    let last = lines.iter().rposition(is_text).unwrap_or(first);
    lines[first..=last].join("\n").trim().to_owned()
}

fn one_line(line: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\t' { ' ' } else { c };
    line.chars().map(shown).collect::<String>().trim_end().to_owned()
}

/// A text in one line.
pub(super) fn line(text: &str) -> String {
    block(text).split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
