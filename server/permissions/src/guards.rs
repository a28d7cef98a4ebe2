//! Guards that tools apply after permission, as data.

mod danger;
mod runner;
mod target;

use std::path::Path;

pub use danger::{Danger, dangers};

const SAMPLES: [&str; 3] = [".example", ".sample", ".template"];

/// Whether a file holds secrets by its name: `.env` and `.env.*` (but `.example`, `.sample` and
/// `.template`), `credentials*`, `*.pem`, and private keys `id_*` (not their `.pub`). Only the base
/// name counts, upper and lower case alike; pass the real path as well as the written one.
pub fn is_secret_file(path: &Path) -> bool {
    let Some(name) = path.file_name() else { return false };
    let name = name.to_string_lossy().to_lowercase();
    let is_sample = SAMPLES.iter().any(|sample| name.ends_with(sample));
    (name == ".env" || name.starts_with(".env.")) && !is_sample
        || name.starts_with("credentials")
        || name.ends_with(".pem")
        || name.starts_with("id_") && is_key(&name)
}

/// Source files such as `id_map.rs` are no keys: a key has no extension, or one of its own.
fn is_key(name: &str) -> bool {
    match name.rsplit_once('.') {
        None => true,
        Some((_, extension)) => matches!(extension, "key" | "pem" | "old" | "bak" | "ppk"),
    }
}
