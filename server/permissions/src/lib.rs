//! Permission rules, their text and JSON forms, and evaluation with reasons.
//!
//! [`Policy::evaluate`] takes a [`Call`] and answers with a [`Verdict`] that says why and what would
//! change it. Rules are ordered and the first match wins: the user's, then the built-in ones; then
//! a repository's own rules may only tighten what came out, and a grant may turn an *ask* into
//! *allow*, never a *reject*.
//!
//! Two asymmetries run through everything, and both err on the safe side. A rule that **allows**
//! must match what the call really does (the resolved path, the command as it stands); a rule that
//! **asks or rejects** may also match what it looks like (the path as written, the base name, the
//! command without its quotes, the whole command text). And what is not understood is asked.
//!
//! Everything here is pure: no files, no environment, no processes. The caller resolves paths.

mod action;
mod builtin;
mod call;
pub mod check;
mod condition;
mod error;
mod explain;
mod expression;
mod facts;
mod fence;
mod forms;
mod glob;
mod grant;
pub mod guards;
mod json;
mod judge;
mod letters;
mod lexer;
mod own;
mod pattern;
mod policy;
mod print;
mod protected;
mod readonly;
mod reason;
mod rule;
mod rules;
pub mod shell;
mod spelled;
mod text;
mod tool;
mod verdict;
mod walk;
mod write;

pub use action::{Action, Context};
pub use call::{Call, ResolvedPath};
pub use condition::{Condition, Literal, Matches};
pub use error::{Place, Problem, RuleError};
pub use explain::{
    Explanation, Held, Outcome, PartExplained, PartName, RuleList, Stage, StageName, WhyNot,
};
pub use grant::{grant_anywhere, grant_for, home};
pub use json::{parse_json, to_json};
pub use pattern::Pattern;
pub use policy::Policy;
pub use readonly::is_read_only;
pub use reason::Reason;
pub use rule::{Rule, Source, SourcedRule};
pub use text::{parse_text, parse_words};
pub use verdict::{Matched, Origin, Verdict};
