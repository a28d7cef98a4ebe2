//! The user at a terminal, as the few things that asks and reviews need of one.

use std::sync::{Arc, Mutex, PoisonError};

use super::{
    Paint,
    cells::{columns, printable},
};

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A char.
    Char(char),
    /// Never a decision: it is too easily pressed.
    Enter,
    /// Takes back the last char of a line.
    Backspace,
    /// Leaves a line.
    Escape,
    /// Nothing that means anything here.
    Other,
    /// Ctrl-C, Ctrl-D, or nobody is there any more.
    End,
    /// Nobody waits for the answer any more.
    Stopped,
}

/// A place to show text and get keys from. Its calls may block; call them through
/// [`with_console`].
pub trait Console: Send {
    /// Shows text.
    fn print(&mut self, text: &str);
    /// Waits for a key, as long as `stop` says no.
    fn key(&mut self, stop: &dyn Fn() -> bool) -> Key;
    /// Forgets keys that were pressed before the question was there to be read.
    fn forget_typed(&mut self);
    /// Its columns.
    fn width(&self) -> usize;
    /// Its colours.
    fn paint(&self) -> Paint;

    /// A line of text; `None` if the user left it with Escape, Ctrl-C or Ctrl-D.
    fn line(&mut self, prompt: &str) -> Option<String>;
}

/// [`Console::line`] for consoles that have keys.
pub fn read_line(console: &mut dyn Console, prompt: &str) -> Option<String> {
    let mut text = String::new();
    console.print(prompt);
    loop {
        match console.key(&|| false) {
            Key::Char(c) => {
                text.push(c);
                console.print(&printable(&c.to_string()));
            }
            Key::Backspace => {
                let back = text.pop().map_or(0, |c| columns(&c.to_string()));
                console.print(&"\x08 \x08".repeat(back));
            }
            Key::Enter => {
                console.print("\n");
                return Some(text.trim().to_owned());
            }
            Key::Escape | Key::End | Key::Stopped => {
                console.print("\n");
                return None;
            }
            Key::Other => {}
        }
    }
}

/// A console that several tasks use, one at a time.
pub type SharedConsole = Arc<Mutex<dyn Console>>;

/// Uses the console on a thread that may block. `None` if `f` could not be run to its end.
pub async fn with_console<T, F>(console: &SharedConsole, f: F) -> Option<T>
where
    T: Send + 'static,
    F: FnOnce(&mut dyn Console) -> T + Send + 'static,
{
    let console = Arc::clone(console);
    let work = move || f(&mut *console.lock().unwrap_or_else(PoisonError::into_inner));
    tokio::task::spawn_blocking(work).await.ok()
}

#[cfg(test)]
pub mod testing {
    use std::collections::VecDeque;

    use super::*;

    /// A user who types a prepared text (`\n` is Enter, `\x1b` Escape) and then leaves.
    pub struct Typist {
        keys: VecDeque<char>,
        pub screen: String,
    }

    impl Typist {
        pub fn new(keys: &str) -> Arc<Mutex<Self>> {
            Arc::new(Mutex::new(Self { keys: keys.chars().collect(), screen: String::new() }))
        }
    }

    impl Console for Typist {
        fn print(&mut self, text: &str) {
            self.screen.push_str(text);
        }

        fn key(&mut self, stop: &dyn Fn() -> bool) -> Key {
            if stop() {
                return Key::Stopped;
            }
            match self.keys.pop_front() {
                None => Key::End,
                Some('\n') => Key::Enter,
                Some('\x1b') => Key::Escape,
                Some('\x7f') => Key::Backspace,
                Some(c) => Key::Char(c),
            }
        }

        fn forget_typed(&mut self) {}

        fn width(&self) -> usize {
            80
        }

        fn paint(&self) -> Paint {
            Paint::Plain
        }

        fn line(&mut self, prompt: &str) -> Option<String> {
            read_line(self, prompt)
        }
    }

    #[test]
    fn a_line_can_be_corrected_and_left() {
        let check = |keys: &str, want: Option<&str>| {
            let line = Typist::new(keys).lock().unwrap().line("> ");
            assert_eq!(line.as_deref(), want, "{keys:?}");
        };
        check("ab\x7fc \n", Some("ac"));
        check("\x7f\n", Some(""));
        check("ab\x1b", None);
        check("ab", None);
    }
}
