//! Judging one part of a call.

use crate::facts::{Facts, Part};
use crate::protected::Place;
use crate::reason::Cause;
use crate::rules::{self, Listed, Walk};
use crate::{Action, Call, Context, Origin, Source, builtin, fence, protected};

/// What one part comes to.
#[derive(Debug, Clone)]
pub(crate) struct Finding<'a> {
    pub(crate) action: Action,
    pub(crate) cause: Cause<'a>,
    pub(crate) origin: Origin,
    pub(crate) grantable: bool,
    pub(crate) delegates: Vec<&'a str>,
    /// The simple command that it is about.
    pub(crate) part: Option<&'a str>,
    /// The file that it would write, if it is about a redirection.
    pub(crate) write: Option<&'a str>,
}

impl<'a> Finding<'a> {
    pub(crate) fn of(listed: Listed<'a>) -> Self {
        let rule = listed.rule;
        let origin = match rule.source {
            Source::User { .. } | Source::Editor => Origin::User,
            Source::BuiltIn => Origin::BuiltIn,
            Source::Repository { .. } => Origin::Repository,
            Source::SessionGrant { .. } | Source::SavedGrant { .. } => Origin::Grant,
        };
        let action = rule.rule.action;
        let delegates = rule.rule.to.as_deref().filter(|_| action == Action::Delegate);
        let delegates = delegates.into_iter().collect();
        Finding { action, cause: Cause::Rule(listed), origin, delegates, ..Finding::asks() }
    }

    fn asks() -> Self {
        Finding {
            action: Action::Ask,
            cause: Cause::NoRule,
            origin: Origin::NoRule,
            grantable: true,
            delegates: Vec::new(),
            part: None,
            write: None,
        }
    }

    /// What goes where no rule matches.
    pub(crate) fn none(call: &Call) -> Self {
        let action = match call.context {
            Context::Thread => Action::Ask,
            Context::Subagent => Action::Reject,
        };
        Finding { action, ..Finding::asks() }
    }

    pub(crate) fn becomes(&mut self, action: Action, cause: Cause<'a>, origin: Origin) {
        (self.action, self.cause, self.origin) = (action, cause, origin);
    }

    /// What a reject rule wants the model to be told.
    pub(crate) fn message(&self) -> Option<&'a str> {
        let Cause::Rule(listed) = self.cause else { return None };
        listed.rule.rule.message.as_deref().filter(|_| self.action == Action::Reject)
    }

    pub(crate) fn runs(&self) -> bool {
        matches!(self.action, Action::Allow | Action::Delegate)
    }

    /// Of a file that a command writes: whether somebody has said something of it, and not only that
    /// such things are asked.
    pub(crate) fn speaks(&self) -> bool {
        match self.origin {
            Origin::User
            | Origin::Trusted
            | Origin::Repository
            | Origin::Grant
            | Origin::Protected => true,
            Origin::Redirection | Origin::Opaque => false,
            Origin::BuiltIn | Origin::NoRule | Origin::Outside => self.runs(),
        }
    }

    /// Which finding of several decides; a later ask that nothing can grant before one that may be.
    pub(crate) fn weight(&self) -> (u8, bool) {
        (self.action.rank(), !self.grantable)
    }
}

/// The user's rules, then the built-in ones; the first match decides. An earlier rule that perhaps
/// matches makes it an ask.
pub(crate) fn base<'a>(
    lists: [&[Listed<'a>]; 3],
    facts: &Facts,
    unknown: Option<&Cause<'a>>,
) -> Finding<'a> {
    let [user, trusted, builtin] = lists;
    let mut is_theirs = false;
    let walk = rules::walk(user, facts).or(|| {
        let walk = rules::walk(trusted, facts);
        is_theirs = walk.decided.is_some();
        walk
    });
    let Walk { decided, perhaps } = walk.or(|| rules::walk(builtin, facts));
    let mut finding = decided.map_or_else(|| Finding::none(facts.ground.call), Finding::of);
    if is_theirs {
        finding.origin = Origin::Trusted;
    }
    doubt(&mut finding, perhaps, unknown);
    finding
}

fn doubt<'a>(finding: &mut Finding<'a>, perhaps: Option<Listed<'a>>, unknown: Option<&Cause<'a>>) {
    let doubtful = finding.runs() && perhaps.is_some();
    match (unknown, perhaps) {
        (Some(cause), _)
            if doubtful || (finding.action == Action::Ask && finding.origin != Origin::User) =>
        {
            finding.becomes(Action::Ask, cause.clone(), cause.unknown_origin());
        }
        (None, rule) => suspect(finding, rule),
        _ => {}
    }
}

/// What runs is asked where a rule that would tighten may be about it.
pub(crate) fn suspect<'a>(finding: &mut Finding<'a>, rule: Option<Listed<'a>>) {
    if let Some(rule) = rule.filter(|_| finding.runs()) {
        let origin = Finding::of(rule).origin;
        finding.becomes(Action::Ask, Cause::Perhaps(rule), origin);
    }
}

/// What no rule can say: reads and edits that leave the workspace, and writes to protected places.
pub(crate) fn fence<'a>(finding: &mut Finding<'a>, facts: &Facts<'a>) {
    let call = facts.ground.call;
    let outside = call.paths.iter().find(|path| !path.inside_workspace);
    if let (Origin::BuiltIn, Action::Allow | Action::Ask, Some(path)) =
        (finding.origin, finding.action, outside)
    {
        finding.becomes(Action::Ask, Cause::Outside(path), Origin::Outside);
    }
    if let Some(place) = protected::place(call, facts.ground.own())
        && !builtin::is_read(call)
    {
        protect(finding, place, facts);
    }
}

/// A built-in rule lets a command through only as far as its fence.
pub(crate) fn fence_command<'a>(finding: &mut Finding<'a>, facts: &Facts<'a>) {
    let by_builtin = finding.origin == Origin::BuiltIn && finding.action == Action::Allow;
    if let (true, Part::Command { command, .. }) = (by_builtin, facts.part)
        && let Some(stop) = fence::stop(command, facts.ground.call)
    {
        finding.becomes(Action::Ask, Cause::Fence(stop), Origin::BuiltIn);
    }
    if let Some(folder) = facts.ground.own().named_by(facts) {
        protect(finding, Place::Own(folder), facts);
    }
}

fn protect<'a>(finding: &mut Finding<'a>, place: Place<'a>, facts: &Facts<'a>) {
    let lifted = match finding.cause {
        Cause::Rule(listed) => {
            finding.origin == Origin::User
                && finding.action == Action::Allow
                && match place {
                    Place::Named(name) => protected::names(&listed.rule.rule, name),
                    Place::Own(folder) => {
                        facts.ground.own().is_named_in(&listed.rule.rule, folder, facts)
                    }
                }
        }
        _ => false,
    };
    if lifted || finding.action == Action::Reject {
        return;
    }
    finding.grantable = false;
    if finding.action != Action::Ask || finding.origin != Origin::User {
        finding.becomes(Action::Ask, Cause::Protected(place), Origin::Protected);
    }
}

/// A repository's rules, which can only tighten. Its delegates are asks unless it is trusted: it may
/// not start programs.
pub(crate) fn tighten<'a>(finding: &mut Finding<'a>, theirs: Walk<'a>, is_trusted: bool) {
    let Walk { decided, perhaps } = theirs;
    if let Some(rule) = decided {
        let action = match rule.rule.rule.action {
            Action::Delegate if !is_trusted => Action::Ask,
            action => action,
        };
        // Of two that say the same, a rule says more than none: who goes on from here sees that one
        // spoke.
        let is_first = finding.origin == Origin::NoRule && action.rank() == finding.action.rank();
        if action.rank() > finding.action.rank() || is_first {
            finding.becomes(action, Cause::Rule(rule), Origin::Repository);
            let program = rule.rule.rule.to.as_deref().filter(|_| action == Action::Delegate);
            finding.delegates.extend(program);
        }
    }
    suspect(finding, perhaps);
}

/// Grants turn an ask into allow, or into the delegates that were named on the way.
pub(crate) fn grant<'a>(finding: &mut Finding<'a>, grants: &[Listed<'a>], facts: &Facts) {
    if finding.action != Action::Ask || !finding.grantable {
        return;
    }
    if let Some(rule) = rules::allowing(grants, facts) {
        let action = if finding.delegates.is_empty() { Action::Allow } else { Action::Delegate };
        finding.becomes(action, Cause::Rule(rule), Origin::Grant);
    }
}
