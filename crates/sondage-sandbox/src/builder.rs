//! The initial state of a sandbox.

use crate::account::{Account, DataCenter};
use crate::demo::{self, Seeded, Wave};
use crate::generate;
use crate::own_survey::{self, Frame};
use crate::profile::Profile;
use crate::random;
use crate::sandbox::{AddedSurveys, Sandbox};
use crate::server::{ListenerRole, SandboxRuntime, SandboxServer};
use crate::state::{Address, ServerState};
use crate::world::{PlatformState, Survey};
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::arguments::FilePath;
use sondage::model::Secret;
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;

/// What the demo account has in addition to its panels, its survey in the public domain, and its messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Content {
    /// Nothing.
    #[default]
    Demo,
    /// `Library visitors 2025` and `Library visitors 2026`: two waves of an invented survey with 400 interviews each, in several
    /// languages, with what real surveys have: "not available", texts beside choices, every kind of matrix, conditions, weights,
    /// interviews that were not finished. The README of this crate lists how the waves differ.
    Waves,
}

/// The initial state of a sandbox.
///
/// All settings are optional. They can also be read from data, under the names of the methods in camel case; the generated
/// survey then has two settings: `generatedInterviews` and `generatedQuestions`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Builder {
    /// Which surveys the demo account has: two waves of an invented survey of library visitors can be added; see `survey_ids`.
    content: Content,
    /// The behaviour where nothing is published, by the names of the settings: `{ firstPage: 0 }`.
    profile: Profile,
    /// The seed of the generated people and GUIDs.
    seed: u64,
    /// A fixed port for the demo account. Default: free ones.
    port: Option<u16>,
    /// A fixed client secret of the demo account. Default: a new one in each sandbox.
    secret: Option<Secret>,
    /// The id of the first member. An id above 2^53 shows which clients lose digits.
    first_member_id: i64,
    /// Generated members to add to the demo's panel.
    extra_members: u64,
    /// Adds a generated survey with this many interviews; see `generated_survey_id`.
    generated_interviews: Option<u64>,
    /// The number of questions of that survey.
    generated_questions: usize,
    call_anywhere: bool,
    /// A CSV file with a row for each interview, as a survey of its own; see `data_survey_id`.
    data: Option<FilePath>,
    /// The code plan of that survey: a JSON file with the list `codePlan` of a response, or the whole response.
    code_plan: Option<FilePath>,
    /// Questionnaires in the form of the editor's export, a JSON file for each: surveys that can be answered.
    surveys: Vec<FilePath>,
    /// Data that become surveys with interviews.
    frames: Vec<Frame>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            content: Content::default(),
            profile: Profile::default(),
            seed: 1996,
            port: None,
            secret: None,
            first_member_id: 500_001,
            extra_members: 0,
            generated_interviews: None,
            generated_questions: 20,
            call_anywhere: false,
            data: None,
            code_plan: None,
            surveys: Vec::new(),
            frames: Vec::new(),
        }
    }
}

impl Builder {
    /// What the demo account has. With [`Content::Waves`], the newer wave is [`Sandbox::survey_id`], and [`Sandbox::survey_ids`] has
    /// both. Default: [`Content::Demo`].
    #[must_use]
    pub fn content(mut self, content: Content) -> Self {
        self.content = content;
        self
    }

    /// The behaviour where nothing is published.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The seed of the generated people and GUIDs. Default: 1996.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// A fixed port for the demo account's data center, for both its API and its authentication server. Without it
    /// every address gets a free port of its own.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    /// A fixed client secret of the demo account: at least 8 ASCII letters, digits and `-._~+/=`, which need no quotes in shells
    /// and `.env` files. Otherwise starting fails with [`io::ErrorKind::InvalidInput`]. Default: a new one in each sandbox.
    #[must_use]
    pub fn secret(mut self, secret: impl Into<Secret>) -> Self {
        self.secret = Some(secret.into());
        self
    }

    /// The id of the first member. An id above 2^53 shows which clients lose digits. Default: 500,001.
    #[must_use]
    pub fn first_member_id(mut self, id: i64) -> Self {
        self.first_member_id = id;
        self
    }

    /// Adds generated members to the demo's panel.
    #[must_use]
    pub fn extra_members(mut self, count: u64) -> Self {
        self.extra_members = count;
        self
    }

    /// Adds a generated survey to the demo account; see [`Sandbox::generated_survey_id`].
    #[must_use]
    pub fn generated_survey(mut self, interviews: u64, questions: usize) -> Self {
        self.generated_interviews = Some(interviews);
        self.generated_questions = questions;
        self
    }

    /// Adds a survey from a CSV file to the demo account, with a row for each interview; see [`Sandbox::data_survey_id`].
    ///
    /// The columns `Id` (a GUID), `State`, `Language`, `StartDate`, `EndDate` and `UpdatedAt` are the service's, other service
    /// columns are left out, and all others are answers. An empty cell is a missing answer. Cells are separated by commas,
    /// semicolons or tabs. If a cell cannot be read, starting fails, with its line and column.
    #[must_use]
    pub fn data(mut self, path: impl Into<FilePath>) -> Self {
        self.data = Some(path.into());
        self
    }

    /// The code plan of that survey: a JSON file with the list `codePlan` of a response, or with the whole response.
    /// Without one, the types of the columns follow from their cells, and there are no labels.
    #[must_use]
    pub fn code_plan(mut self, path: impl Into<FilePath>) -> Self {
        self.code_plan = Some(path.into());
        self
    }

    /// Adds a survey from a questionnaire in the form of the editor's export, or as `ReadSurvey` returns it: a JSON file. It is
    /// published and has no interviews: [`Sandbox::fill`] lets people answer. The first one is [`Sandbox::survey_id`];
    /// [`Sandbox::survey_ids`] has all of them, and [`Sandbox::not_carried_out`] lists what the sandbox does not carry out.
    #[must_use]
    pub fn survey(mut self, path: impl Into<FilePath>) -> Self {
        self.surveys.push(path.into());
        self
    }

    /// Adds a survey with the columns of a data frame. Its name is in [`Sandbox::survey_ids`], and it is [`Sandbox::survey_id`] if it is
    /// the first that was added. If a value cannot be used, starting fails, with its column and row.
    #[must_use]
    pub fn frame(mut self, frame: Frame) -> Self {
        self.frames.push(frame);
        self
    }

    /// Allows webhooks to be sent to other machines, over https. Otherwise events for other addresses are only logged.
    #[must_use]
    pub fn call_anywhere(mut self, yes: bool) -> Self {
        self.call_anywhere = yes;
        self
    }

    /// Starts it.
    #[allow(clippy::unused_async)] // A separate thread, so that a slow receiver does not block API calls.
    pub async fn start(self) -> io::Result<Sandbox> {
        self.start_blocking()
    }

    /// Starts it from blocking code. It returns as soon as the ports are open.
    pub fn start_blocking(self) -> io::Result<Sandbox> {
        let mut world = PlatformState::new(self.first_member_id);
        let secret = self.secret.as_ref().map(accepted_secret).transpose()?;
        let mut seeded = demo::fill(&mut world, self.seed, random::secret);
        if let (Some(secret), Some(demo)) = (secret, seeded.first())
            && let Some((tenant, _)) = world.change(&demo.tenant)
        {
            tenant.client_secret = secret;
        }
        let added = AddedSurveys {
            own: self.add_surveys(&mut world, seeded.first_mut())?,
            generated: self.enlarge(&mut world, seeded.first()),
            data: self.add_data(&mut world, seeded.first())?,
        };
        let engine = SandboxRuntime::new()?;
        let (listeners, addresses) = self.listen(&engine)?;
        let accounts = seeded.iter().filter_map(|seeded| account(&world, seeded, &addresses)).collect();
        let mut shared = ServerState::new(self.profile, world, addresses);
        shared.calls_anywhere = self.call_anywhere;
        let shared = Arc::new(shared);
        let server = SandboxServer::start(engine, &shared, listeners)?;
        let parts = (accounts, seeded);
        Sandbox::new(shared, server, parts, added)
    }

    fn enlarge(&self, world: &mut PlatformState, demo: Option<&Seeded>) -> Option<i64> {
        let demo = demo?;
        let (tenant, ids) = world.change(&demo.tenant)?;
        if let Some(panel) = tenant.panels.get_mut(&demo.panel_id) {
            generate::members(panel, ids, self.seed ^ 1, self.extra_members);
        }
        let (interviews, questions) = (self.generated_interviews?, self.generated_questions);
        let id = ids.next();
        let survey = generate::survey(id, demo.workspace_id, self.seed, interviews, questions);
        tenant.surveys.insert(id, survey);
        Some(id)
    }

    fn add_data(&self, world: &mut PlatformState, demo: Option<&Seeded>) -> io::Result<Option<i64>> {
        let (Some(data), Some(demo)) = (&self.data, demo) else {
            if self.code_plan.is_some() {
                let what = "a code plan needs `data`, the CSV file with the answers";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            return Ok(None);
        };
        let Some((tenant, ids)) = world.change(&demo.tenant) else { return Ok(None) };
        let id = ids.next();
        let plan = self.code_plan.as_ref().map(|plan| plan.0.as_path());
        let survey = own_survey::read((id, demo.workspace_id), self.seed, &data.0, plan)?;
        tenant.surveys.insert(id, survey);
        Ok(Some(id))
    }

    /// The ids of the waves and of the surveys from questionnaires, by name.
    fn add_surveys(
        &self,
        world: &mut PlatformState,
        demo: Option<&mut Seeded>,
    ) -> io::Result<IndexMap<String, i64>> {
        let mut own = IndexMap::new();
        let Some(demo) = demo else { return Ok(own) };
        self.add_waves(world, demo, &mut own)?;
        let before = own.len();
        let Some((tenant, ids)) = world.change(&demo.tenant) else { return Ok(own) };
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let mut add = |id: i64, survey: Survey| {
            let twice = own.insert(survey.name.clone(), id).map(|_| survey.name.clone());
            tenant.surveys.insert(id, survey);
            twice.map_or(Ok(()), |name| Err(wrong(format!("two of the surveys are called {name:?}"))))
        };
        for path in &self.surveys {
            let id = ids.next();
            add(id, own_survey::read_questionnaire((id, demo.workspace_id), &path.0)?)?;
        }
        for frame in &self.frames {
            let id = ids.next();
            let survey = frame.survey((id, demo.workspace_id), self.seed);
            add(id, survey.map_err(|why| wrong(format!("{}: {why}", frame.name())))?)?;
        }
        if let Some(first) = own.values().nth(before) {
            demo.survey_id = *first;
        }
        Ok(own)
    }

    fn add_waves(
        &self,
        world: &mut PlatformState,
        demo: &mut Seeded,
        own: &mut IndexMap<String, i64>,
    ) -> io::Result<()> {
        let waves = if self.content == Content::Waves { Wave::ALL.as_slice() } else { &[] };
        for wave in waves {
            let Some((tenant, ids)) = world.change(&demo.tenant) else { break };
            let id = ids.next();
            let survey = wave.survey((id, demo.workspace_id), self.seed, &self.profile)?;
            own.insert(survey.name.clone(), id);
            tenant.surveys.insert(id, survey);
            demo.survey_id = id;
        }
        Ok(())
    }

    #[allow(clippy::type_complexity)]
    fn listen(
        &self,
        engine: &SandboxRuntime,
    ) -> io::Result<(Vec<(ListenerRole, TcpListener)>, Vec<(DataCenter, Address)>)> {
        let (mut listeners, mut addresses) = (Vec::new(), Vec::new());
        for data_center in DataCenter::ALL {
            let mut open = |port: u16, api: bool, auth: bool| {
                let listener = engine.listen(port)?;
                let address = format!("http://{}", listener.local_addr()?);
                listeners.push((ListenerRole { data_center, api, auth }, listener));
                Ok::<_, io::Error>(address)
            };
            let address = match self.port.filter(|_| data_center == DataCenter::Eu) {
                Some(port) => {
                    let both = open(port, true, true)?;
                    Address { api: both.clone(), auth: both }
                }
                None => Address { api: open(0, true, false)?, auth: open(0, false, true)? },
            };
            addresses.push((data_center, address));
        }
        Ok((listeners, addresses))
    }
}

/// The shortest client secret that a sandbox accepts.
const SHORTEST_SECRET: usize = 8;

/// The text of a fixed secret. The error does not contain it.
fn accepted_secret(secret: &Secret) -> io::Result<String> {
    let text = secret.reveal();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if text.len() >= SHORTEST_SECRET && text.bytes().all(is_plain) {
        return Ok(text.to_owned());
    }
    let why = format!(
        "the secret of the sandbox needs at least {SHORTEST_SECRET} characters, all of them ASCII letters, digits or -._~+/=; nothing \
         was started"
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

fn account(world: &PlatformState, seeded: &Seeded, addresses: &[(DataCenter, Address)]) -> Option<Account> {
    let tenant = world.tenant(&seeded.tenant)?;
    let (_, address) = addresses.iter().find(|(data_center, _)| *data_center == seeded.data_center)?;
    let (admin, reader) = (tenant.users.first()?, tenant.users.last()?);
    Some(Account {
        base_url: address.api.clone(),
        auth_url: address.auth.clone(),
        data_center: seeded.data_center,
        tenant: tenant.name.clone(),
        client_id: tenant.client_id(),
        client_secret: tenant.client_secret.clone(),
        username: admin.name.clone(),
        password: admin.password.clone(),
        reader: reader.name.clone(),
        panel_id: seeded.panel_id,
        survey_id: seeded.survey_id,
        message_template_id: seeded.message_template_id,
        workspace_id: seeded.workspace_id,
    })
}
