//! Running a permitted call: alone if it must be, within its time, until it is cancelled.

use std::{any::Any, sync::Arc, time::Duration};

use serde_json::Value;
use tokio::{
    sync::{SemaphorePermit, watch},
    time::timeout,
};

use super::{permit::Permit, report::Report};
use crate::{
    Scope, ToolContext, ToolDefinition, ToolResult, ToolStatus, Tools,
    clock::{Clock, LIMIT},
};

/// How long a tool that ends its processes itself may take for it after a cancel.
const CANCEL_GRACE: Duration = Duration::from_secs(5);

impl Tools {
    pub(super) async fn run_tool(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: Value,
        permit: Permit,
        report: &Report<'_>,
    ) -> ToolResult {
        let _alone = tokio::select! {
            alone = self.alone(tool) => alone,
            () = scope.cancel.cancelled() => return ToolResult::Cancelled,
        };
        let (progress, mut news) = watch::channel(None);
        let clock = Arc::new(Clock::default());
        let (mut waits, mut is_still) = (clock.waits(), false);
        let context = self.context(scope, tool, permit, report, clock.clone(), progress);
        let mut work = (tool.run)(context, args);
        let meta = tool.spec.meta;
        let expired = clock.expired(LIMIT);
        tokio::pin!(expired);
        loop {
            tokio::select! {
                biased;
                () = scope.cancel.cancelled() => break,
                result = &mut work => return result,
                Ok(()) = news.changed() => {
                    let text = news.borrow_and_update().clone();
                    self.tell(scope, report, text.unwrap_or_default());
                }
                still = waits.is_still(is_still) => {
                    is_still = still;
                    report.status(match still {
                        true => ToolStatus::BlockedOnUser,
                        false => ToolStatus::InProgress,
                    });
                }
                () = &mut expired, if !meta.disable_timeout => return timed_out(),
            }
        }
        if !meta.ends_on_cancel {
            return ToolResult::Cancelled;
        }
        timeout(CANCEL_GRACE, work).await.unwrap_or(ToolResult::Cancelled)
    }

    /// Serial tools wait for their turn; their time does not run meanwhile.
    async fn alone(&self, tool: &ToolDefinition) -> Option<SemaphorePermit<'_>> {
        let serial = tool.execution_profile.as_ref().is_some_and(|profile| profile.serial);
        // The semaphore is never closed.
        if serial { self.serial.acquire().await.ok() } else { None }
    }

    fn context(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        permit: Permit,
        report: &Report<'_>,
        clock: Arc<Clock>,
        progress: watch::Sender<Option<String>>,
    ) -> ToolContext {
        ToolContext {
            workspace: self.workspace.clone(),
            scope: scope.clone(),
            tool: tool.spec.name.clone(),
            call: report.id(),
            mode: permit.mode,
            unguarded: permit.unguarded,
            bound: permit.bound,
            host: self.host.clone(),
            clock,
            progress,
            told: self.told.clone(),
            memory: self.memory.clone(),
            states: self.states.clone(),
            settings: self.settings(),
            agents: self.agents(),
        }
    }

    fn tell(&self, scope: &Scope, report: &Report<'_>, text: String) {
        self.host.progress(&scope.thread, &report.id(), &text);
        report.progress(text);
    }
}

/// Seed 001, "Timeout Behavior".
fn timed_out() -> ToolResult {
    ToolResult::error(format!("Tool execution timed out after {} seconds", LIMIT.as_secs()))
}

/// A fault of ours must not end the process, nor leave a call without a result.
pub(super) fn panicked(tool: &str, panic: &(dyn Any + Send)) -> ToolResult {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    ToolResult::error(format!(
        "{tool} failed through a fault of its own ({}). Nothing is known about how far it came; \
         look before you try it again.",
        words.unwrap_or("no message")
    ))
}
