//! The subagents (seed 001, "Subagents"), as data. Their models are their thread's.

use serde_json::{Value, json};

/// A subagent.
pub(super) struct Profile {
    /// The tool that sends it, and its name.
    pub name: &'static str,
    /// For the model that sends it.
    pub description: &'static str,
    /// For its own model.
    pub instructions: &'static str,
    /// What it takes.
    pub arguments: &'static [Argument],
    /// What it may call.
    pub offer: Offer,
    /// Requests to its model before it is stopped.
    pub most_requests: usize,
    /// Whether its call waits for the calls before it and holds up those after it.
    pub alone: bool,
}

/// An argument of a profile's tool.
pub(super) struct Argument {
    pub name: &'static str,
    pub description: &'static str,
    pub kind: Kind,
}

/// What an argument is to the subagent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its order. Required; exactly one.
    Order,
    /// One line that says to people what it is about. Required.
    Line,
    /// Something more that it is told.
    More,
    /// Files that it should look at.
    Files,
}

/// Tools of a subagent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// These lists and nothing else.
    Only(&'static [&'static [&'static str]]),
    /// All, with those of MCP servers and toolboxes, but for those that send subagents.
    AllButSubagents,
}

/// Looking at files, in all dialects.
const LOOKING: &[&str] = &["Read", "Grep", "glob", "ls", "read_file", "grep"];
const WEB: &[&str] = &["read_web_page", "web_search"];
const EDITING: &[&str] = &[
    "edit_file",
    "create_file",
    "delete_file",
    "undo_edit",
    "format_file",
    "multi_edit",
    "write_file",
];
const PLANNING: &[&str] =
    &["todo_read", "todo_write", "markdown_plan", "update_plan_step", "list_plans", "read_plan"];

/// All of them.
pub(super) const PROFILES: [Profile; 5] = [TASK, FINDER, ORACLE, LIBRARIAN, KRAKEN];

const TASK: Profile = Profile {
    name: "Task",
    description: "Send a subagent to do a self-contained piece of work, with the tools that you \
have but for those that send subagents. It knows nothing of your conversation: put everything that it \
needs into the prompt, with the paths of files, what counts as done, and what it should report. It \
sees the changes that you have proposed, and you see its: they wait for the user like yours. Its last \
message is the result. Send several at once for parts that touch different files. It can't ask the \
user for a command that no rule allows. Not for what a single search or edit does.",
    instructions: "You are a subagent: you do one piece of work for another agent, on your own. \
Nobody answers questions, so decide what is left open, and say how you did. Stay with the task. Look \
before you edit. Your changes are proposals that the user reviews later; you see them in the files at \
once. What is refused is not allowed here: do it in another way, or leave it and say so. Your last \
message is all that the other agent reads of you: say what you did, in which files, and what is left.",
    arguments: &[
        Argument {
            name: "prompt",
            description: "What the subagent should do, with everything that it needs to know",
            kind: Kind::Order,
        },
        Argument {
            name: "description",
            description: "A few words for the user: what it does",
            kind: Kind::Line,
        },
    ],
    offer: Offer::AllButSubagents,
    most_requests: 100,
    alone: false,
};

const FINDER: Profile = Profile {
    name: "finder",
    description: "Find code by what it does, where a text to search for is not known: a subagent \
searches in several steps and answers with the files and lines, and why they matter. Say what you look \
for and what for, in full sentences. It sees unsaved text and the changes that you have proposed; it \
changes nothing. Send several at once for separate questions. For an exact name or text use Grep, for \
a file's name glob.",
    instructions: "You find code for another agent. Search with several patterns, in parallel where \
you can; open what looks right, and follow it to where it is defined and used. Answer with paths and \
line ranges, the most important first, and one sentence for each that says what is there. Say what you \
looked for and did not find. Propose nothing and explain no more than was asked.",
    arguments: &[Argument {
        name: "query",
        description: "What to find, in full sentences",
        kind: Kind::Order,
    }],
    offer: Offer::Only(&[LOOKING]),
    most_requests: 20,
    alone: false,
};

const ORACLE: Profile = Profile {
    name: "oracle",
    description: "Ask a subagent that thinks for longer: for a plan, a review, or the cause of a \
bug that resists. It reads files and web pages and changes nothing; its answer is advice, to be \
checked. Tell it what you know and tried, and name the files that it should look at.",
    instructions: "You are an adviser of another agent, which does the work. Read what you need: do \
not guess what a file says. Think it through, then give one recommendation, the simplest that does it, \
with the reasons, the steps in order, and the files and lines that they touch. Name risks, and what \
would change your mind. Say so where you are not sure.",
    arguments: &[
        Argument {
            name: "task",
            description: "The question, or what should be planned or reviewed",
            kind: Kind::Order,
        },
        Argument {
            name: "context",
            description: "What is known and was tried already",
            kind: Kind::More,
        },
        Argument {
            name: "files",
            description: "Paths of files that it should look at",
            kind: Kind::Files,
        },
    ],
    offer: Offer::Only(&[LOOKING, WEB]),
    most_requests: 30,
    alone: false,
};

const LIBRARIAN: Profile = Profile {
    name: "librarian",
    description: "Have a subagent read up on code that is not in this workspace: other \
repositories, libraries, their documentation and issues on the web. It answers with what it found and \
where. It changes nothing. Name the library or repository, and the version if it matters.",
    instructions: "You look things up for another agent, mostly on the web: documentation, source \
code, issues of other repositories. Prefer the source to what is said about it, and the version that \
the workspace uses: look there if it is not named. Answer what was asked, quote what decides it, and \
give the address of each source. Say what you did not find.",
    arguments: &[
        Argument {
            name: "query",
            description: "What to find out, in full sentences",
            kind: Kind::Order,
        },
        Argument {
            name: "context",
            description: "What is known, and what the answer is for",
            kind: Kind::More,
        },
    ],
    offer: Offer::Only(&[WEB, LOOKING]),
    most_requests: 30,
    alone: false,
};

const KRAKEN: Profile = Profile {
    name: "kraken",
    description: "Have a subagent make one change in many files, such as renaming a thing, \
moving to another API or splitting a module: it finds all places, plans, and edits one file after the \
other. It runs no commands. The changes wait for the user like yours. Describe the change, and what \
must stay as it is. For a few files edit them yourself.",
    instructions: "You make one change across many files for another agent, on your own. First find \
every place with searches, then write down the plan as a list of files, then edit them one after the \
other, and search again at the end for what is left. Change nothing else. Your edits are proposals that \
the user reviews later; you see them in the files at once. Your last message is all that the other \
agent reads of you: the plan, the files that you changed, and those that you left and why.",
    arguments: &[Argument {
        name: "prompt",
        description: "The change, and what must stay as it is",
        kind: Kind::Order,
    }],
    offer: Offer::Only(&[LOOKING, EDITING, PLANNING, &["Check"]]),
    most_requests: 200,
    alone: true,
};

/// The schema of a profile's tool.
pub(super) fn schema(profile: &Profile) -> Value {
    let mut properties = serde_json::Map::new();
    let mut required = Vec::new();
    for Argument { name, description, kind } in profile.arguments {
        let property = match kind {
            Kind::Files => json!({
                "type": "array", "items": {"type": "string"}, "description": description
            }),
            Kind::Order | Kind::Line | Kind::More => {
                json!({"type": "string", "description": description})
            }
        };
        properties.insert((*name).to_owned(), property);
        if matches!(kind, Kind::Order | Kind::Line) {
            required.push(*name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}
