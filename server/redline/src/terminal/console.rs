//! The user at a terminal, as the few things that asks and reviews need of one.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use super::Paint;

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A char.
    Char(char),
    /// Never a decision: it is too easily pressed.
    Enter,
    /// Takes back the char before the cursor of a line.
    Backspace,
    /// Takes away the char at the cursor.
    Delete,
    /// Empties a line.
    Clear,
    /// The cursor goes back by a char.
    Left,
    /// The cursor goes on by a char.
    Right,
    /// The cursor goes to the start of the line.
    LineStart,
    /// The cursor goes to its end.
    LineEnd,
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

    /// The time, by which a key is told from one that was pressed too early.
    fn now(&self) -> Instant;

    /// A line of text that begins as `text`; `None` if the user left it with Escape, Ctrl-C or
    /// Ctrl-D, or `stop` says that nobody waits for it any more.
    fn edit(&mut self, prompt: &str, text: &str, stop: &dyn Fn() -> bool) -> Option<String>;

    /// A line of text; `None` if the user left it.
    fn line(&mut self, prompt: &str) -> Option<String> {
        self.edit(prompt, "", &|| false)
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
    use std::{collections::VecDeque, time::Duration};

    use super::*;
    use crate::terminal::line::read_line;

    /// A user who types a prepared text and then leaves. `\n` is Enter, `\x1b` Escape, `\x7f`
    /// Backspace; `←` and `⌂` move the cursor back and to the start.
    pub struct Typist {
        keys: VecDeque<(Duration, char)>,
        now: Instant,
        pub screen: String,
    }

    impl Typist {
        /// Presses one key a second.
        pub fn new(keys: &str) -> Arc<Mutex<Self>> {
            Self::after(keys.chars().map(|key| (1_000, key)))
        }

        /// Presses each key so many milliseconds after the one before it.
        pub fn after(keys: impl IntoIterator<Item = (u64, char)>) -> Arc<Mutex<Self>> {
            let keys = keys.into_iter().map(|(ms, key)| (Duration::from_millis(ms), key));
            let (keys, now) = (keys.collect(), Instant::now());
            Arc::new(Mutex::new(Self { keys, now, screen: String::new() }))
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
            let Some((after, key)) = self.keys.pop_front() else { return Key::End };
            self.now += after;
            match key {
                '\n' => Key::Enter,
                '\x1b' => Key::Escape,
                '\x7f' => Key::Backspace,
                '←' => Key::Left,
                '⌂' => Key::LineStart,
                key => Key::Char(key),
            }
        }

        fn forget_typed(&mut self) {}

        fn width(&self) -> usize {
            80
        }

        fn paint(&self) -> Paint {
            Paint::Plain
        }

        fn now(&self) -> Instant {
            self.now
        }

        fn edit(&mut self, prompt: &str, text: &str, stop: &dyn Fn() -> bool) -> Option<String> {
            read_line(self, prompt, text, stop)
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
