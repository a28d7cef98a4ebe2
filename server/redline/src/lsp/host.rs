//! What tools may want of the editor.

use std::sync::Arc;

use futures::future::BoxFuture;
use redline_text::PositionRange;
use redline_tools::{Answer, Formatted, Host, HostError, Question, SessionHost};
use redline_workspace::{Ask, AskOutcome, Workspace, WorkspacePath};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use super::{
    client::Client,
    plain::{MessageAsks, questions::answers},
    protocol as wire,
    settings::Configured,
    transport::Peer,
    uri,
};

/// The editor's side for tools: requests of ours for the parts that the client declared.
pub struct EditorHost {
    workspace: Arc<Workspace>,
    session: SessionHost,
    peer: Peer,
    client: Client,
    messages: Arc<MessageAsks>,
    settings: Arc<Configured>,
}

impl EditorHost {
    /// The host of that client; `messages`: its dialogs, if it is asked in messages; `settings`: what
    /// is looked at before each call.
    pub fn new(
        workspace: Arc<Workspace>,
        peer: Peer,
        client: Client,
        (messages, settings): (Arc<MessageAsks>, Arc<Configured>),
    ) -> Arc<Self> {
        let session = SessionHost::new(workspace.clone());
        Arc::new(Self { workspace, session, peer, client, messages, settings })
    }

    /// The client's own dialog. Nobody waits for it any more where the future is dropped.
    async fn own_question(
        &self,
        questions: Vec<Question>,
    ) -> Result<Option<Vec<Answer>>, HostError> {
        let call = self.peer.request("redline/question", wire::QuestionParams { questions });
        let mut open = Cancelled { peer: &self.peer, request: Some(call.id()) };
        let answer = call.await;
        open.request = None;
        let value = answer.map_err(|error| HostError::Failed(error.message.into_owned()))?;
        let answers: Option<wire::QuestionAnswers> =
            serde_json::from_value(value).map_err(|error| HostError::Failed(error.to_string()))?;
        Ok(answers.map(|answers| answers.answers))
    }

    fn uri(&self, file: &WorkspacePath) -> String {
        let named = self.workspace.query(|session| session.uri_of(file));
        named.unwrap_or_else(|| uri::from_path(file.as_path()))
    }

    async fn request<T: DeserializeOwned>(
        &self,
        declared: bool,
        what: &'static str,
        method: &str,
        params: impl Serialize,
    ) -> Result<T, HostError> {
        if !declared {
            return Err(HostError::Unavailable(what));
        }
        let answer = self.peer.request(method, params).await;
        let value = answer.map_err(|error| HostError::Failed(error.message.into_owned()))?;
        serde_json::from_value(value).map_err(|error| HostError::Failed(error.to_string()))
    }
}

impl Host for EditorHost {
    fn ask(&self, ask: Ask) -> BoxFuture<'_, AskOutcome> {
        self.session.ask(ask)
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        let settings = self.settings.clone();
        Box::pin(async move { drop(settings.in_turn(Configured::refresh).await) })
    }

    fn question(
        &self,
        questions: Vec<Question>,
    ) -> BoxFuture<'_, Result<Option<Vec<Answer>>, HostError>> {
        Box::pin(async move {
            match self.client.declared.question {
                true => self.own_question(questions).await,
                false => answers(&self.messages, &questions).await,
            }
        })
    }

    fn open(
        &self,
        file: &WorkspacePath,
        range: Option<PositionRange>,
        preview: bool,
    ) -> BoxFuture<'_, Result<(), HostError>> {
        let params = wire::OpenParams { uri: self.uri(file), range, preview };
        let declared = self.client.declared.open;
        Box::pin(async move { self.request(declared, "open files", "redline/open", params).await })
    }

    fn format(&self, file: &WorkspacePath) -> BoxFuture<'_, Result<Formatted, HostError>> {
        let params = wire::FormatParams { uri: self.uri(file), preview: true };
        let declared = self.client.declared.format;
        Box::pin(async move {
            let result: wire::FormatResult =
                self.request(declared, "format files", "redline/format", params).await?;
            Ok(formatted(result))
        })
    }

    fn save(
        &self,
        files: Vec<WorkspacePath>,
    ) -> BoxFuture<'_, Result<Vec<WorkspacePath>, HostError>> {
        let uris: Vec<String> = files.iter().map(|file| self.uri(file)).collect();
        let declared = self.client.declared.save;
        Box::pin(async move {
            let params = wire::SaveParams { uris: uris.clone() };
            let result: wire::SaveResult =
                self.request(declared, "save files", "redline/save", params).await?;
            let saved = files.into_iter().zip(uris);
            Ok(saved.filter(|(_, uri)| result.saved.contains(uri)).map(|(file, _)| file).collect())
        })
    }
}

/// A client that formatted and sends no edits knows no previews: it has changed its buffer.
fn formatted(result: wire::FormatResult) -> Formatted {
    match result.edits {
        Some(edits) if !edits.is_empty() => {
            let edits = edits.into_iter().map(|edit| (edit.range, edit.new_text)).collect();
            Formatted::Edits { version: result.version, edits }
        }
        None if result.formatted => Formatted::InBuffer,
        _ => Formatted::Nothing,
    }
}

/// Tells the client that nobody waits for an answer any more.
struct Cancelled<'a> {
    peer: &'a Peer,
    request: Option<i64>,
}

impl Drop for Cancelled<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.request {
            self.peer.notify("$/cancelRequest", json!({ "id": id }));
        }
    }
}
