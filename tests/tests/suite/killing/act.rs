//! What is done to a server that is killed, and what may have become of it.

use std::collections::{BTreeMap, BTreeSet};

/// A hunk: what must survive of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub id: String,
    pub state: String,
    pub old: String,
    pub new: String,
}

/// Hunks by file.
pub type Facts = BTreeMap<String, Vec<Fact>>;

/// What is done to the server.
#[derive(Clone, Debug)]
pub enum Act {
    Propose { file: String, old: String, new: String },
    Create { file: String },
    Decide { file: String, action: &'static str, to: &'static str, hunk: Fact },
    Type { file: String, before: String, text: String },
    Save { file: String },
}

impl Act {
    /// The file that it is about.
    pub fn file(&self) -> &str {
        match self {
            Act::Propose { file, .. }
            | Act::Create { file }
            | Act::Decide { file, .. }
            | Act::Type { file, .. }
            | Act::Save { file } => file,
        }
    }

    /// Whether the hunks of its file can be these after it.
    pub fn leads_to(&self, was: &[Fact], is: &[Fact]) -> bool {
        match self {
            Act::Propose { .. } | Act::Create { .. } => {
                let fresh = |fact: &&Fact| !was.iter().any(|old| old.id == fact.id);
                let old: Vec<_> = is.iter().filter(|fact| !fresh(fact)).cloned().collect();
                let new: Vec<_> = is.iter().filter(fresh).collect();
                let is_it = |fact: &Fact| fact.state == "pending" && self.proposes(&fact.new);
                old == was && new.len() == 1 && is_it(new[0])
            }
            Act::Decide { hunk, to, .. } => {
                let mut want = was.to_vec();
                let decided = want.iter_mut().filter(|fact| fact.id == hunk.id);
                decided.for_each(|fact| (*to).clone_into(&mut fact.state));
                // Where they lie in the text may have changed.
                want.len() == is.len() && want.iter().all(|fact| is.contains(fact))
            }
            // The buffer says what was typed; what of it was in a hunk is found by a diff.
            Act::Type { .. } | Act::Save { .. } => {
                let names = |facts: &[Fact]| {
                    let name = |fact: &Fact| (fact.id.clone(), fact.state.clone());
                    facts.iter().map(name).collect::<BTreeSet<_>>()
                };
                names(was) == names(is)
            }
        }
    }

    fn proposes(&self, text: &str) -> bool {
        match self {
            Act::Propose { new, .. } => text.contains(new.trim_end()),
            _ => text == "new\n",
        }
    }
}
