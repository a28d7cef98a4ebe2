//! The language server: life cycle, and the routes from methods to handlers.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use redline_agent::Agent;
use redline_audit::io::{self as audit_log, Place};
use redline_layers::ThreadId;
use redline_tools::Tools;
use redline_workspace::{Config, GrantStore, Workspace};
use serde_json::{Value, json};
use tokio::sync::watch;
use tower_lsp::{
    ClientSocket, LanguageServer, LspService,
    jsonrpc::{Error, Result},
    lsp_types::{
        DidChangeConfigurationParams, DidChangeWatchedFilesParams, InitializeParams,
        InitializeResult, InitializedParams,
    },
};

use super::{
    capabilities,
    client::Client,
    feed::Feed,
    front::EditorFront,
    handlers,
    host::EditorHost,
    log::Log,
    names::own,
    parent,
    plain::{MessageAsks, Proposals},
    settings::Configured,
    transport::{Peer, Stop},
    trust::TrustQuestions,
};
use crate::settings::config_dir;

/// One connection.
pub struct Server {
    peer: Peer,
    log: Log,
    stop: Stop,
    /// The user's state directory.
    state: Option<PathBuf>,
    house: OnceLock<House>,
}

/// What there is once the client has introduced itself.
pub struct House {
    /// Sends to the client.
    pub peer: Peer,
    /// What the client can do.
    pub client: Client,
    /// Where lines go.
    pub log: Log,
    /// The session.
    pub workspace: Arc<Workspace>,
    /// The threads.
    pub agent: Arc<Agent>,
    /// What the client sees of the threads.
    pub feed: Arc<Feed>,
    /// The thread of `redline.prompt`.
    pub commanded: Mutex<Option<ThreadId>>,
    /// Asks of a client that is asked in messages.
    pub asks: Arc<MessageAsks>,
    /// Touched with each didChange.
    pub changes: Arc<watch::Sender<()>>,
    /// What `redline.show` writes.
    pub proposals: Proposals,
    pub settings: Arc<Configured>,
}

/// A server and its routes.
pub fn service(
    peer: Peer,
    log: Log,
    stop: Stop,
    state: Option<PathBuf>,
) -> (LspService<Server>, ClientSocket) {
    use handlers::{command, documents, plain, review, rewind, threads};
    let house = OnceLock::new();
    LspService::build(|_| Server { peer, log, stop, state, house })
        .custom_method("redline/prompt", threads::prompt)
        .custom_method("redline/cancel", threads::cancel)
        .custom_method("redline/tool", threads::tool)
        .custom_method("redline/resolve", review::resolve)
        .custom_method("redline/reviews", review::reviews)
        .custom_method("redline/content", review::content)
        .custom_method("redline/threads", threads::threads)
        .custom_method("redline/thread", threads::thread)
        .custom_method("redline/turns", rewind::turns)
        .custom_method("redline/rewind", rewind::rewind)
        .custom_method("redline/status", review::status)
        .custom_method("redline/changeReason", documents::change_reason)
        .custom_method("window/workDoneProgress/cancel", threads::progress_cancel)
        .custom_method(own!("textDocument/didOpen"), documents::did_open)
        .custom_method(own!("textDocument/didChange"), documents::did_change)
        .custom_method(own!("textDocument/didSave"), documents::did_save)
        .custom_method(own!("textDocument/didClose"), documents::did_close)
        .custom_method(own!("textDocument/codeLens"), plain::code_lens)
        .custom_method(own!("textDocument/codeAction"), plain::code_action)
        .custom_method(own!("textDocument/hover"), plain::hover)
        .custom_method(own!("workspace/executeCommand"), command::execute)
        .finish()
}

impl Server {
    /// The house, or the error for a request that comes too early.
    pub fn house(&self) -> Result<&House> {
        let early = || Error {
            code: (-32002).into(),
            message: "initialize comes first".into(),
            data: None,
        };
        self.house.get().ok_or_else(early)
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Stops what runs.
    pub async fn close(&self) {
        if let Some(house) = self.house.get() {
            house.agent.shutdown().await;
            house.proposals.close();
        }
    }

    fn build(&self, params: &InitializeParams) -> House {
        // `names` put them there, unread.
        let capabilities = params.capabilities.experimental.as_ref();
        let client = Client::new(capabilities.unwrap_or(&Value::Null));
        let roots = roots(params);
        let options = params.initialization_options.as_ref().and_then(|o| o.get("redline"));
        let options = options.cloned().unwrap_or_default();
        let (peer, log) = (self.peer.clone(), self.log.clone());
        let front = Arc::new(EditorFront::new(peer.clone(), client, log.clone()));
        let (asks, changes) = (front.messages(), front.changes());
        let trust = TrustQuestions::new(peer.clone(), client, log.clone(), asks.clone());
        let configured = Configured::new(roots.clone(), options, log.clone(), trust);
        let settings = configured.settings();
        let config = Config {
            roots,
            home: std::env::home_dir(),
            encoding: client.encoding,
            save_on_accept: settings.saves_on_accept(),
            client_saves: client.declared.save,
            policy: settings.policy(),
        };
        let workspace = Workspace::start(config, front);
        if let Some(config) = config_dir() {
            workspace.save_grants_in(GrantStore::in_folder(&config));
        }
        let audit = self.state.as_deref().map(|state| audit_log::Log::new(Place::in_state(state)));
        workspace.audit_to(audit.map(Arc::new));
        let of_host = (asks.clone(), configured.clone());
        let host = EditorHost::new(workspace.clone(), peer.clone(), client, of_host);
        let tools = Tools::new(workspace.clone(), host, redline_tools::builtin());
        let feed = Feed::new(peer.clone(), client, workspace.clone());
        tools.configure(settings.for_tools());
        let agent =
            Agent::new(tools.clone(), workspace.clone(), feed.sink(), configured.agent(&settings));
        configured.attach(&agent, &tools, &workspace);
        let settings = configured;
        let (commanded, proposals) = (Mutex::default(), Proposals::default());
        House {
            peer,
            client,
            log,
            workspace,
            agent,
            feed,
            commanded,
            asks,
            changes,
            proposals,
            settings,
        }
    }
}

impl House {
    /// Asks the client for its settings, in a task of its own.
    fn ask_settings(&self) {
        let (settings, log) = (self.settings.clone(), self.log.clone());
        let items = json!({ "items": [{ "section": "redline" }] });
        let call = self.peer.request("workspace/configuration", items);
        tokio::spawn(async move {
            match call.await {
                Ok(mut answer) => {
                    let section = answer.get_mut(0).map(Value::take).unwrap_or_default();
                    drop(settings.in_turn(|settings| settings.configure(section)).await);
                }
                Err(error) => {
                    log.error(&format!("no settings from the client: {}", error.message));
                    drop(settings.in_turn(Configured::consider_trust).await);
                }
            }
        });
    }
}

/// The workspace's folders, canonical; without any, the process's own.
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    #[allow(deprecated)] // Older clients send nothing else.
    let root = params
        .root_uri
        .iter()
        .filter(|_| params.workspace_folders.as_ref().is_none_or(Vec::is_empty));
    let paths = folders.chain(root).filter_map(|uri| super::uri::to_path(uri.as_str()));
    let mut roots: Vec<PathBuf> =
        paths.filter_map(|path| PathBuf::from(path).canonicalize().ok()).collect();
    roots.dedup();
    if roots.is_empty() {
        roots.extend(std::env::current_dir().and_then(|folder| folder.canonicalize()).ok());
    }
    roots
}

#[tower_lsp::async_trait]
impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let house = self.house.get_or_init(|| self.build(&params));
        if let Some(process) = params.process_id {
            parent::watch(process, self.stop.clone());
        }
        Ok(capabilities::answer(&house.client))
    }

    async fn initialized(&self, _: InitializedParams) {
        let Some(house) = self.house.get() else { return };
        // Before the first document is opened: what it holds is compared with what was kept.
        if let Some(state) = &self.state {
            house.workspace.keep(state);
        }
        match house.client.configuration {
            true => house.ask_settings(),
            false => drop(house.settings.in_turn(Configured::consider_trust).await),
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let Some(house) = self.house.get() else { return };
        match params.settings.get("redline") {
            Some(section) => {
                let section = section.clone();
                drop(house.settings.in_turn(|settings| settings.configure(section)).await);
            }
            None if house.client.configuration => house.ask_settings(),
            None => {}
        }
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        if let Some(house) = self.house.get() {
            drop(house.settings.in_turn(Configured::refresh).await);
        }
    }

    async fn shutdown(&self) -> Result<()> {
        self.close().await;
        Ok(())
    }
}
