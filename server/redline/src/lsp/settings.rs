//! The settings of a connection (PROTOCOL.md, "Settings"): the files, then
//! `initializationOptions.redline`, then what the client says of its configuration. All of them may
//! change at any time.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
};

use redline_agent::{Agent, AgentSettings};
use redline_permissions::Source;
use redline_tools::Tools;
use redline_workspace::{Event, LogLevel, Workspace};
use serde_json::Value;

use super::{
    log::Log,
    section::{Section, Wrong},
    trust::TrustQuestions,
};
use crate::{
    settings::{Files, Settings, Trouble, Want, config_dir},
    trust::{TrustStore, look},
};

/// The files' settings, and the client's in the order in which they came.
pub struct Configured {
    roots: Vec<PathBuf>,
    options: Value,
    log: Log,
    /// Held while the files are looked at and for what comes of it, so that nobody puts older rules in
    /// force than somebody else.
    state: Mutex<State>,
    /// Whoever reads the disk or waits for somebody who does: one after the other, as they came.
    order: tokio::sync::Mutex<()>,
    targets: OnceLock<Targets>,
    trust: Arc<TrustQuestions>,
}

/// Nobody else reads settings meanwhile.
pub type Turn<'a> = tokio::sync::MutexGuard<'a, ()>;

/// What follows from rules of the user's that nobody knows.
const HELD: &str = ". Nobody knows what your rules there say: until they can be read, no saved grant \
    and no trusted folder counts, and whatever changes or runs something is asked.";

struct State {
    files: Files,
    /// The client's newest configuration.
    configuration: Value,
    /// `initializationOptions` and the configuration, as they could last be used.
    sections: [Section; 2],
    /// What was told of settings that cannot be used.
    told: Vec<String>,
}

/// Those who go by the settings. Not held: they hold the settings.
struct Targets {
    agent: Weak<Agent>,
    tools: Weak<Tools>,
    workspace: Weak<Workspace>,
}

impl Configured {
    /// Reads the files; `options` is `initializationOptions.redline`. The user is told what cannot be
    /// used.
    pub fn new(
        roots: Vec<PathBuf>,
        options: Value,
        log: Log,
        trust: Arc<TrustQuestions>,
    ) -> Arc<Self> {
        let (files, troubles) = Files::open(config_dir(), &roots);
        for trouble in troubles {
            let more = if files.unread() == Some(&trouble) { HELD } else { "" };
            log.tell(LogLevel::Error, &format!("settings: {trouble}{more}"));
        }
        let (configuration, sections) = (Value::Null, Default::default());
        let state = State { files, configuration, sections, told: Vec::new() };
        let (state, targets) = (Mutex::new(state), OnceLock::new());
        let order = tokio::sync::Mutex::default();
        Arc::new(Self { roots, options, log, state, order, targets, trust })
    }

    /// Who goes by them from now on.
    pub fn attach(&self, agent: &Arc<Agent>, tools: &Arc<Tools>, workspace: &Arc<Workspace>) {
        let _ = self.targets.set(Targets {
            agent: Arc::downgrade(agent),
            tools: Arc::downgrade(tools),
            workspace: Arc::downgrade(workspace),
        });
    }

    /// All of them.
    pub fn settings(&self) -> Settings {
        self.made(&mut self.state())
    }

    fn made(&self, state: &mut State) -> Settings {
        let mut settings = state.files.settings(self.trusting(&state.configuration));
        let said = [&self.options, &state.configuration];
        let each = said.into_iter().zip(&mut state.sections);
        let wrong: Vec<Wrong> =
            each.map(|(said, section)| section.merge(said, &mut settings)).collect();
        let lacks_rules = wrong.iter().any(|wrong| wrong.lacks_rules);
        let mut errors: Vec<String> = wrong.into_iter().flat_map(|wrong| wrong.errors).collect();
        if lacks_rules && !state.sections.iter().any(Section::has_rules) {
            settings.hold(Source::Editor, None);
            errors.iter_mut().for_each(|error| error.push_str(HELD));
        }
        let mut notes = settings.told();
        let news = |text: &&String| !state.told.contains(text);
        notes.iter().filter(news).for_each(|text| self.log.line(LogLevel::Warning, text));
        errors.iter().filter(news).for_each(|text| self.log.tell(LogLevel::Error, text));
        notes.append(&mut errors);
        state.told = notes;
        settings
    }

    /// Whether trust in a folder counts. An editor with a notion of its own (VS Code's restricted mode)
    /// has the first word.
    fn trusting(&self, configuration: &Value) -> bool {
        let sections = [configuration, &self.options];
        let said = sections.into_iter().find_map(|section| {
            let said = section.get("trusted").or_else(|| section.get("redline.trusted"));
            said.filter(|said| !said.is_null())
        });
        said.is_none_or(|said| *said == Value::Bool(true))
    }

    /// The client's configuration from now on, told to those who go by it.
    pub fn configure(self: &Arc<Self>, section: Value) {
        let mut state = self.state();
        state.configuration = section;
        self.look(&mut state);
        self.apply(&mut state);
    }

    /// Does that in a thread that may wait for the disk. Those who ask take turns in the order in which
    /// they were polled first, which is that of the client's messages; the next one begins when the
    /// answer is dropped.
    pub async fn in_turn<'a>(
        self: &'a Arc<Self>,
        work: impl FnOnce(&Arc<Self>) + Send + 'static,
    ) -> Turn<'a> {
        let turn = self.order.lock().await;
        let settings = self.clone();
        // Lost only with the process.
        let _ = tokio::task::spawn_blocking(move || work(&settings)).await;
        turn
    }

    /// Looks whether the files have changed, and puts in force what they say now. Blocks for as long as
    /// the disk takes: one `stat` a file, most often.
    pub fn refresh(self: &Arc<Self>) {
        let mut state = self.state();
        if self.look(&mut state) {
            self.apply(&mut state);
        }
    }

    /// Whether the files have changed.
    fn look(&self, state: &mut State) -> bool {
        let news = state.files.refresh();
        for trouble in news.troubles {
            let more = match trouble {
                _ if state.files.unread() == Some(&trouble) => HELD,
                Trouble::Settings(_) => ". What it said before stays in force.",
                Trouble::List(_) => "",
            };
            self.log.tell(LogLevel::Error, &format!("settings: {trouble}{more}"));
        }
        news.changed
    }

    fn apply(self: &Arc<Self>, state: &mut State) {
        let settings = self.made(state);
        if let Some(targets) = self.targets.get() {
            targets.configure(&settings, self.agent(&settings));
        }
        self.trust.consider(self, self.wants(state, &settings));
    }

    fn wants(&self, state: &State, settings: &Settings) -> Vec<Want> {
        match self.trusting(&state.configuration) {
            true => state.files.wants(settings),
            false => Vec::new(),
        }
    }

    /// Asks whether folders are to be trusted, if there is something to ask.
    pub fn consider_trust(self: &Arc<Self>) {
        let mut state = self.state();
        let settings = self.made(&mut state);
        self.trust.consider(self, self.wants(&state, &settings));
    }

    /// Whether the editor has opened the workspace as one that its user does not trust. May block, as
    /// the others do.
    pub fn is_restricted(&self) -> bool {
        !self.trusting(&self.state().configuration)
    }

    /// Asks once more, whatever was answered before. False: there is nothing to ask.
    pub fn ask_trust(self: &Arc<Self>, folder: Option<&Path>) -> bool {
        self.refresh();
        let mut state = self.state();
        let settings = self.made(&mut state);
        let mut wants = self.wants(&state, &settings);
        let is_meant = |want: &Want| folder.is_none_or(|folder| want.seen.folder == folder);
        self.trust.forget(folder);
        self.trust.consider(self, wants.clone());
        wants.retain(is_meant);
        !wants.is_empty()
    }

    /// The user trusts a folder as it was shown. If it is not so any more, that is no answer, and it is
    /// asked again. Blocks.
    pub fn trusted(self: &Arc<Self>, want: &Want) {
        let folder = &want.seen.folder;
        let is_same = look(folder).is_ok_and(|now| now.hash == want.seen.hash);
        let store = config_dir().map(|config| TrustStore::in_folder(&config));
        let told = match (is_same, store) {
            (false, _) => {
                self.trust.forget(Some(folder));
                Err("its files changed while you were asked".to_owned())
            }
            (true, None) => {
                Err("there is no folder to keep it in (REDLINE_CONFIG_DIR names one)".to_owned())
            }
            (true, Some(store)) => store.trust(&want.seen).map_err(|error| error.to_string()),
        };
        if let Err(why) = told {
            let text = format!("{} is not trusted: {why}.", folder.display());
            self.log.tell(LogLevel::Warning, &text);
        }
        self.refresh();
        self.consider_trust();
    }

    /// The agent's part. A relative script starts at the first root.
    pub fn agent(&self, settings: &Settings) -> AgentSettings {
        let mut agent = settings.agent.clone();
        if let (Some(script), Some(root)) = (&mut agent.script, self.roots.first()) {
            *script = root.join(&*script);
        }
        agent
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Targets {
    fn configure(&self, settings: &Settings, of_agent: AgentSettings) {
        if let Some(agent) = self.agent.upgrade() {
            agent.configure(of_agent);
        }
        if let Some(tools) = self.tools.upgrade() {
            tools.configure(settings.for_tools());
        }
        if let Some(workspace) = self.workspace.upgrade() {
            let (policy, save_on_accept) =
                (Box::new(settings.policy()), settings.saves_on_accept());
            workspace.post(Event::Configured { policy, save_on_accept });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;
    use crate::lsp::{client::Client, plain::MessageAsks, transport::Peer};

    // One thread: whoever blocked it would wait for ever.
    #[tokio::test]
    async fn those_who_read_settings_take_turns_and_nobody_else_waits() {
        let (peer, _outbox) = Peer::new();
        let (client, log) = (Client::new(&Value::Null), Log::new(peer.clone(), None));
        let asks = MessageAsks::new(peer.clone(), log.clone());
        let trust = TrustQuestions::new(peer, client, log.clone(), asks);
        let settings = Configured::new(Vec::new(), Value::Null, log, trust);
        let (go, gone) = mpsc::channel();
        let (done, order) = mpsc::channel();
        let (first, second) = (done.clone(), done);
        let slow = settings.in_turn(move |_| {
            gone.recv_timeout(Duration::from_secs(20)).unwrap();
            first.send(1).unwrap();
        });
        let next = settings.in_turn(move |_| second.send(2).unwrap());
        tokio::join!(async { drop(slow.await) }, async { drop(next.await) }, async {
            go.send(()).unwrap()
        },);
        assert_eq!(order.iter().collect::<Vec<_>>(), [1, 2]);
    }
}
