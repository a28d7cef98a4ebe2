//! Names of plans.

use std::fmt;

use super::error::PlanError;

/// `plan-001`, `plan-002`, …: three digits, or more where three do not do. Nothing else is a plan's
/// name, so that no name can be a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlanId(u32);

const LAST: u32 = 999_999;

impl PlanId {
    /// # Errors
    /// `PlanError::Id`.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let digits = text.strip_prefix("plan-").filter(|it| it.bytes().all(|b| b.is_ascii_digit()));
        let id = digits.and_then(|digits| digits.parse().ok()).map(PlanId);
        let id = id.filter(|id| (1..=LAST).contains(&id.0) && id.to_string() == text);
        id.ok_or_else(|| PlanError::Id(text.chars().take(40).collect()))
    }

    /// The plan whose file has that name.
    pub fn of_file(name: &str) -> Option<Self> {
        Self::parse(name.strip_suffix(".md")?).ok()
    }

    /// The id after all of these.
    ///
    /// # Errors
    /// `PlanError::Full`.
    pub fn next(taken: impl IntoIterator<Item = PlanId>) -> Result<Self, PlanError> {
        let last = taken.into_iter().map(|id| id.0).max().unwrap_or_default();
        let next = PlanId(last.saturating_add(1));
        if next.0 > LAST { Err(PlanError::Full(PlanId(LAST).to_string())) } else { Ok(next) }
    }

    pub fn file(self) -> String {
        format!("{self}.md")
    }
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan-{:03}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_plans_are_ids() {
        for text in ["plan-001", "plan-999", "plan-1000", "plan-999999"] {
            assert_eq!(PlanId::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "plan-",
            "plan-1",
            "plan-0001",
            "plan-000",
            "Plan-001",
            "plan-001.md",
            "plan-+01",
            "../plan-001",
            "plan-001/../../x",
            "plan-001\0",
            " plan-001",
            "plan-1000000",
            "plan-99999999999999999999",
            "plan-٠٠١",
        ] {
            assert!(PlanId::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(PlanId::next([]).unwrap().to_string(), "plan-001");
        assert_eq!(PlanId::next([PlanId(7), PlanId(3)]).unwrap(), PlanId(8));
        assert!(PlanId::next([PlanId(LAST)]).is_err());
    }
}
