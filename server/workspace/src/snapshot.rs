//! What a tool sees of a file, and what the disk held.

use std::hash::{DefaultHasher, Hash, Hasher};

use redline_layers::Revision;
use redline_text::{DecodeError, Document, Format, Text};

use crate::WorkspacePath;

/// A file's content as it was read from the disk.
#[derive(Debug, Clone)]
pub struct DiskText {
    /// The text, without BOM, with its line ends as they are.
    pub text: Text,
    /// Encoding and BOM, to write it back as it was.
    pub format: Format,
    /// Of the text and format: equal hashes mean an unchanged file.
    pub hash: u64,
    /// The mode's permission bits (0o777), to make the file again as it was; `None`: not known, or no
    /// Unix.
    pub mode: Option<u32>,
}

impl DiskText {
    /// A decoded document and its hash.
    pub fn new(document: Document) -> Self {
        let mut hasher = DefaultHasher::new();
        format!("{:?}", document.format).hash(&mut hasher);
        for chunk in document.text.chunks() {
            hasher.write(chunk.as_bytes());
        }
        let Document { text, format } = document;
        Self { text, format, hash: hasher.finish(), mode: None }
    }

    /// Whether it is text, that can be edited.
    pub fn is_text(&self) -> bool {
        self.format.encoding.is_text()
    }

    /// The same of a file with this mode.
    #[must_use]
    pub fn with_mode(self, mode: Option<u32>) -> Self {
        Self { mode, ..self }
    }
}

/// A file as one thread sees it at one moment: the editor's text with that thread's pending
/// proposals. Taking one is cheap; it never changes.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Which file.
    pub file: WorkspacePath,
    /// Its text; empty if it does not exist.
    pub text: Text,
    /// Whether the file exists for this thread (on disk, in the editor or as its own proposal).
    pub exists: bool,
    /// The session's revision of the file; `None`: the session does not hold it yet.
    pub revision: Option<Revision>,
    /// The file on disk, where it was read for this snapshot.
    pub disk: Option<DiskText>,
    /// Whether it is open in the editor.
    pub open: bool,
}

impl Snapshot {
    /// A file that no session holds.
    pub fn of_disk(file: WorkspacePath, disk: Option<DiskText>) -> Self {
        let text = disk.as_ref().map(|disk| disk.text.clone()).unwrap_or_default();
        Snapshot { file, text, exists: disk.is_some(), revision: None, disk, open: false }
    }
}

/// Why a file could not be read as text.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its bytes are no text that could be written back unchanged.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// It is a folder, a socket, a device …
    #[error("{0} is not a regular file")]
    NotAFile(WorkspacePath),
    /// It is none of a disk's: the kernel makes it up while it is read, perhaps without an end.
    #[error(
        "{0} is an interface of the kernel, not a file on a disk; look at it with a command that \
         has a limit, such as head"
    )]
    Kernels(WorkspacePath),
    /// There is more of it than anybody reads as text.
    #[error(
        "{file} is larger than {most} bytes; search in it, or look at a part of it with a command \
         such as head or sed -n"
    )]
    TooLarge {
        /// The file.
        file: WorkspacePath,
        /// The limit, in bytes.
        most: u64,
    },
    /// It is no text, and too large to be kept.
    #[error("{0} is no text, and too large to be brought back; ask the user to delete it")]
    Unkept(WorkspacePath),
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}
