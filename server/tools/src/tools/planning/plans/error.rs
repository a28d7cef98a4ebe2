//! Why a plan tool did nothing.

use redline_workspace::{PathError, ProposeError, ReadError, WriteError};

/// Messages for the model; the first lines of some are Agent Air's own.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlanError {
    #[error(
        "\"plan_id\" must be like plan-001, but is {0:?}. Use list_plans to see available plans."
    )]
    Id(String),
    #[error("Plan '{0}' not found. Use list_plans to see available plans.")]
    NotFound(String),
    #[error("Plan file not found: {0}. Create the plan first using markdown_plan.")]
    NoFile(String),
    #[error(
        "Plan '{0}' not found. Use list_plans to see available plans, or leave \"plan_id\" out to \
         create a new one."
    )]
    Nothing(String),
    #[error(
        "No steps found in plan '{0}'. The plan file may be malformed; read it with read_plan."
    )]
    NoSteps(String),
    #[error("Step {step} is out of range. Plan '{id}' has {count} step(s).")]
    Range { step: String, id: String, count: usize },
    #[error("\"title\" is empty; give the plan a title")]
    Title,
    #[error("step {0} has an empty \"description\"; say what is to be done")]
    Description(usize),
    #[error("a plan is at most {most} bytes long, but this one would be {size}; make it shorter")]
    TooLong { size: usize, most: usize },
    #[error("{path} is larger than {most} bytes, which no plan is; look at it with Read")]
    TooLarge { path: String, most: u64 },
    #[error("all plan ids up to {0} are taken; update a plan that is there instead")]
    Full(String),
    #[error("there is no workspace folder to keep plans in; open a folder first")]
    NoWorkspace,
    #[error(
        "{written} leads to {real}: plans are kept only in the workspace's own .agent-air/plans, \
         not behind a symbolic link. Remove the link and try again"
    )]
    Linked { written: String, real: String },
    #[error("cannot read {path}: {reason}")]
    Read { path: String, reason: String },
    #[error("cannot write {path}: {reason}")]
    Write { path: String, reason: String },
    #[error("{0} changes all the time; read the plan again and try once more")]
    Busy(String),
    #[error(transparent)]
    Path(#[from] PathError),
}

impl PlanError {
    pub fn read(path: impl ToString, error: &ReadError) -> Self {
        Self::Read { path: path.to_string(), reason: error.to_string() }
    }

    pub fn write(path: impl ToString, error: &WriteError) -> Self {
        Self::Write { path: path.to_string(), reason: error.to_string() }
    }

    pub fn propose(path: impl ToString, error: &ProposeError) -> Self {
        Self::Write { path: path.to_string(), reason: error.to_string() }
    }
}
