//! What a provider is asked.

use futures::future::BoxFuture;
use redline_permissions::Context;
use redline_tools::Cancel;

use super::*;
use crate::{
    Block,
    event::{Emitter, Voice},
    provider::{Asker, Provider, ProviderError, Reply, Request},
    talk::Talk,
    thread::Threads,
};

/// Remembers its request in words.
#[derive(Default)]
struct Listener(Mutex<String>);

impl Provider for Listener {
    fn complete<'a>(
        &'a self,
        request: Request<'a>,
        _: &'a (dyn Fn(&str) + Send + Sync),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let Request { model, messages, tools, instructions, asker } = request;
        let heard = format!(
            "{model:?} {} {} {instructions:?} {asker:?}",
            messages.iter().map(|it| it.content().len()).sum::<usize>(),
            tools.len()
        );
        *self.0.lock().unwrap() = heard;
        Box::pin(std::future::ready(Err(ProviderError::ScriptEnded)))
    }

    fn name(&self) -> &'static str {
        "listener"
    }
}

async fn check(subagent: Option<&str>, parent: Option<&str>, want: &str) {
    let provider = Arc::new(Listener::default());
    let threads = Arc::new(Threads::default());
    let talk = Talk {
        house: Arc::new(Paper::default()),
        provider: provider.clone(),
        emitter: Arc::new(Emitter::new(Arc::new(|_| {}))),
        threads: threads.clone(),
        model: Some("m".to_owned()),
        instructions: parent.map(|_| "Find.".to_owned()),
        scope: Scope {
            thread: ThreadId::from("T"),
            agent: "finder".to_owned(),
            context: Context::Subagent,
            cwd: PathBuf::from("/project"),
            dialect: Dialect::Amp,
            cancel: Cancel::new(),
            mode: None,
            subagent: subagent.map(ThreadId::from),
        },
        voice: Voice {
            thread: ThreadId::from("T"),
            turn: "turn-1".to_owned(),
            parent: parent.map(str::to_owned),
        },
    };
    threads.lock().get_or_start(talk.conversation(), "t");
    talk.tell(vec![Block::text("Where?"), Block::text("Now.")]);
    assert_eq!(talk.ask().await, Err(ProviderError::ScriptEnded));
    assert_eq!(*provider.0.lock().unwrap(), want);
}

#[tokio::test]
async fn a_request_says_who_asks_and_what_it_is() {
    let thread = format!("Some(\"m\") 2 0 None {:?}", Asker::Thread("T"));
    check(None, None, &thread).await;
    let asker = Asker::Subagent { agent: "finder", call: "c1" };
    let subagent = format!("Some(\"m\") 2 0 Some(\"Find.\") {asker:?}");
    check(Some("S"), Some("c1"), &subagent).await;
}
