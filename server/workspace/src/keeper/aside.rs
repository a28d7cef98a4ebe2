//! What cannot be read any more is put aside, never thrown away.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{KeepError, record::Place, shelf::Shelf};
use crate::io::journal::Tail;

/// No name needs more bytes of the file's.
const NAME: usize = 80;

/// What there is to say of an end that was torn off.
pub(super) fn torn(tail: &Tail, what: &str) -> Option<String> {
    let kept = tail.kept.as_ref();
    let kept = kept.map(|path| format!("; they are in {}", path.display())).unwrap_or_default();
    let dropped = tail.dropped;
    (dropped > 0)
        .then(|| format!("the end of {what} was torn or damaged: {dropped} bytes dropped{kept}"))
}

/// Makes room for a new file; says where the old one is.
pub(super) fn damaged_file(path: &Path, what: &str) -> Result<String, KeepError> {
    let to = (1..).map(|n| path.with_extension(format!("damaged-{n}"))).find(|to| !to.exists());
    let to = to.unwrap_or_else(|| path.with_extension("damaged"));
    let error = |source| KeepError::Aside { path: path.to_owned(), source };
    fs::rename(path, &to).map_err(error)?;
    Ok(format!("{what} is damaged and begins anew; the old one is {}", to.display()))
}

impl Shelf {
    /// Takes the records of a file that is not taken up out of the journal. What the agent wrote is
    /// in them: says where they are.
    pub(super) fn put_aside(&mut self, path: &Path, places: &[Place], why: &str) -> String {
        let (name, lines) = (path.display(), self.lines(places));
        match self.write_aside(path, &lines) {
            Ok(aside) => {
                // If this fails it is said again the next time.
                let _ = self.add(path, super::record::Line::End);
                format!(
                    "what was under review in {name} cannot be shown ({why}); the agent's text is \
                     in {}",
                    aside.display()
                )
            }
            Err(error) => {
                format!("what was under review in {name} cannot be read: {why}; {error}")
            }
        }
    }

    /// [`Shelf::put_aside`] for a file that can be read.
    pub fn put_file_aside(&mut self, path: &Path, why: &str) -> String {
        let places = self.files.get(path).map(|live| live.places.clone()).unwrap_or_default();
        self.put_aside(path, &places, why)
    }

    fn lines(&self, places: &[Place]) -> Vec<u8> {
        let lines = places.iter().filter_map(|place| self.log.read_at(place.at, place.len).ok());
        lines.flat_map(|line| [line, b"\n".to_vec()].concat()).collect()
    }

    /// One record a line.
    fn write_aside(&self, path: &Path, lines: &[u8]) -> io::Result<PathBuf> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME / 4).collect();
        for number in 1_u32.. {
            let aside = self.dir.join(format!("unread-{number}-{name}.jsonl"));
            match private(&aside) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => return file?.write_all(lines).map(|()| aside),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// A new file, readable by the user only.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
