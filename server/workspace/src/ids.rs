//! Names for things in flight between the session and the outside.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.strip_prefix($prefix).unwrap_or("-").parse().map(Self)
            }
        }
    };
}

id!(
    /// Somebody waits for a reply.
    Ticket, "t"
);
id!(
    /// A `workspace/applyEdit` in flight.
    EditId, "e"
);
id!(
    /// A disk write in flight.
    WriteId, "w"
);
id!(
    /// An open question about a permission.
    AskId, "ask"
);
