//! The real terminal.

use std::{
    io::{IsTerminal, Write, stderr, stdin, stdout},
    time::{Duration, Instant},
};

use crossterm::{
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read},
    terminal::{disable_raw_mode, enable_raw_mode, size},
};

use super::{ColorChoice, Console, Key, Paint, line::read_line};

/// How long a withdrawn ask may stay before it is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether somebody sits at both ends: types into stdin and reads stdout.
pub fn is_interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// The terminal of this process. It is in raw mode only while it waits for keys, so that nothing
/// that ends the process can leave it there.
pub struct Tty {
    paint: Paint,
    to_stderr: bool,
    raw: Option<Raw>,
}

impl Tty {
    /// Writes to stdout.
    pub fn new(colors: ColorChoice) -> Self {
        Self { paint: colors.paint(&stdout()), to_stderr: false, raw: None }
    }

    /// Writes to stderr, because stdout is for the result.
    pub fn beside_stdout(colors: ColorChoice) -> Self {
        Self { paint: colors.paint(&stderr()), to_stderr: true, raw: None }
    }

    fn write(&self, text: &str) -> std::io::Result<()> {
        match self.to_stderr {
            true => stderr().write_all(text.as_bytes()).and_then(|()| stderr().flush()),
            false => stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()),
        }
    }
}

impl Console for Tty {
    fn print(&mut self, text: &str) {
        // Nobody is left to be told that nobody can be told.
        let _ = match self.raw {
            Some(_) => self.write(&text.replace('\n', "\r\n")),
            None => self.write(text),
        };
    }

    fn key(&mut self, stop: &dyn Fn() -> bool) -> Key {
        let entered = if self.raw.is_none() { Raw::enter() } else { None };
        if self.raw.is_none() && entered.is_none() {
            return Key::End;
        }
        loop {
            match poll(PATIENCE) {
                Ok(false) if stop() => return Key::Stopped,
                Ok(false) => {}
                Ok(true) => match read() {
                    Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                        return meaning(key);
                    }
                    Ok(_) => {}
                    Err(_) => return Key::End,
                },
                Err(_) => return Key::End,
            }
        }
    }

    fn forget_typed(&mut self) {
        let Some(_raw) = Raw::enter() else { return };
        while let Ok(true) = poll(Duration::ZERO) {
            if read().is_err() {
                return;
            }
        }
    }

    fn width(&self) -> usize {
        size().map_or(80, |(columns, _)| usize::from(columns).max(20))
    }

    fn paint(&self) -> Paint {
        self.paint
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    fn edit(&mut self, prompt: &str, text: &str, stop: &dyn Fn() -> bool) -> Option<String> {
        self.raw = Raw::enter();
        let line = read_line(self, prompt, text, stop);
        self.raw = None;
        line
    }
}

/// Raw mode until it is dropped.
struct Raw;

impl Raw {
    fn enter() -> Option<Self> {
        enable_raw_mode().ok().map(|()| Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

fn meaning(key: KeyEvent) -> Key {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if control => Key::End,
        KeyCode::Char('j' | 'm') if control => Key::Enter,
        KeyCode::Char('h') if control => Key::Backspace,
        KeyCode::Char('u') if control => Key::Clear,
        KeyCode::Char('a') if control => Key::LineStart,
        KeyCode::Char('e') if control => Key::LineEnd,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => Key::Other,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Home => Key::LineStart,
        KeyCode::End => Key::LineEnd,
        KeyCode::Esc => Key::Escape,
        _ => Key::Other,
    }
}
