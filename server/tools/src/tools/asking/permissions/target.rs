//! What a permission is for, and when one that was granted covers another that is asked for. Pure.

use std::path::PathBuf;

/// "Higher levels imply greater potential impact": a higher one covers the lower ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Read,
    Write,
    Execute,
    Admin,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Read, Level::Write, Level::Execute, Level::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Level::Read => "read",
            Level::Write => "write",
            Level::Execute => "execute",
            Level::Admin => "admin",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// The resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Path {
        /// Canonical.
        path: PathBuf,
        /// And everything below it.
        recursive: bool,
    },
    /// A host, or `*.` and a host: all below that one.
    Domain(String),
    /// A command, exactly.
    Command(String),
}

impl Target {
    /// Whether a grant for this is one for `other` too.
    pub fn covers(&self, other: &Target) -> bool {
        match (self, other) {
            (
                Target::Path { path, recursive },
                Target::Path { path: wanted, recursive: wants_below },
            ) => match recursive {
                true => wanted.starts_with(path),
                false => wanted == path && !wants_below,
            },
            (Target::Domain(granted), Target::Domain(wanted)) => {
                let below = granted.strip_prefix('*');
                granted == wanted
                    || below.is_some_and(|end| wanted.len() > end.len() && wanted.ends_with(end))
            }
            (Target::Command(granted), Target::Command(wanted)) => granted == wanted,
            _ => false,
        }
    }

    /// For people.
    pub fn shown(&self) -> String {
        match self {
            Target::Path { path, recursive: false } => path.display().to_string(),
            Target::Path { path, recursive: true } => {
                format!("{} and everything below it", path.display())
            }
            Target::Domain(host) => host.clone(),
            Target::Command(command) => format!("the command: {command}"),
        }
    }
}

/// A host, or `*.` and one, as names are compared.
pub(super) fn domain(written: &str) -> Option<String> {
    let host = written.trim().trim_end_matches('.').to_lowercase();
    let name = host.strip_prefix("*.").unwrap_or(&host);
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | ':' | '[' | ']');
    let is_host = !name.is_empty() && !name.starts_with('.') && name.chars().all(fits);
    is_host.then_some(host)
}

/// Grants that are remembered; the oldest go first.
const MOST: usize = 1_000;

/// What was granted for the session.
#[derive(Debug, Default)]
pub(super) struct Grants(Vec<(Target, Level)>);

impl Grants {
    pub fn cover(&self, target: &Target, level: Level) -> bool {
        self.0.iter().any(|(granted, upto)| *upto >= level && granted.covers(target))
    }

    pub fn add(&mut self, target: Target, level: Level) {
        if self.0.len() >= MOST {
            self.0.remove(0);
        }
        self.0.push((target, level));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str, recursive: bool) -> Target {
        Target::Path { path: path.into(), recursive }
    }

    #[test]
    fn what_a_grant_covers() {
        let host = |name: &str| Target::Domain(name.to_owned());
        let command = |text: &str| Target::Command(text.to_owned());
        let check = |granted: &Target, wanted: &Target, want: bool| {
            assert_eq!(granted.covers(wanted), want, "{granted:?} {wanted:?}");
        };
        check(&path("/a", false), &path("/a", false), true);
        check(&path("/a", false), &path("/a", true), false);
        check(&path("/a", false), &path("/a/b", false), false);
        check(&path("/a", true), &path("/a", true), true);
        check(&path("/a", true), &path("/a/b/c", true), true);
        check(&path("/a", true), &path("/ab", false), false);
        check(&path("/a/b", true), &path("/a", false), false);
        check(&host("*.example.com"), &host("a.b.example.com"), true);
        check(&host("*.example.com"), &host("*.b.example.com"), true);
        check(&host("*.example.com"), &host("*.example.com"), true);
        for other in ["example.com", "evilexample.com", "a.example.com.evil.org", ".example.com"] {
            check(&host("*.example.com"), &host(other), false);
        }
        check(&host("example.com"), &host("a.example.com"), false);
        check(&command("git push"), &command("git push"), true);
        check(&command("git *"), &command("git push"), false);
        check(&command("/a"), &path("/a", false), false);
    }

    #[test]
    fn higher_levels_cover_lower_ones() {
        let mut grants = Grants::default();
        grants.add(path("/a", true), Level::Write);
        for (level, want) in Level::ALL.into_iter().zip([true, true, false, false]) {
            assert_eq!(grants.cover(&path("/a/b", false), level), want, "{level:?}");
        }
        for n in 0..2 * MOST {
            grants.add(path(&format!("/{n}"), false), Level::Read);
        }
        assert_eq!(grants.0.len(), MOST);
    }

    #[test]
    fn hosts() {
        for (written, want) in [
            (" Example.COM. ", Some("example.com")),
            ("*.example.com", Some("*.example.com")),
            ("localhost:8080", Some("localhost:8080")),
            ("*", None),
            ("*.", None),
            ("*.*.com", None),
            ("", None),
            ("https://example.com", None),
            ("a b", None),
            ("a\nb", None),
        ] {
            assert_eq!(domain(written).as_deref(), want, "{written:?}");
        }
    }
}
