//! The initial state of a sandbox.

mod start;

use crate::delivery::Fill;
use crate::demo::{self, Wave};
use crate::generate;
use crate::own_survey::{self, Frame};
use crate::profile::Profile;
use crate::random;
use crate::sandbox::Sandbox;
use crate::world::{AddedSurveys, PlatformState, Seeded, Survey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Utc;
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::arguments::FilePath;
use sondage::model::Secret;
use std::collections::BTreeMap;
use std::io;

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
    /// interviews that were not finished.
    ///
    /// The README of this crate lists how the waves differ.
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
    /// How many invented people have answered each of `surveys` at the start.
    fill: usize,
    /// Data that become surveys with interviews.
    frames: Vec<Frame>,
    /// A folder in which the sandbox is kept: content, credentials, addresses and clock.
    state: Option<FilePath>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            content: Content::default(),
            profile: Profile::default(),
            seed: random::SEED,
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
            fill: 0,
            frames: Vec::new(),
            state: None,
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

    /// Lets this many invented people answer each of the questionnaires of [`survey`](Self::survey) before the sandbox starts, at most
    /// 1,000,000 (default: 0). The same seed makes the same answers and ids.
    ///
    /// It is content: a folder of [`state`](Self::state) is written when all of them have answered, and keeps the number.
    #[must_use]
    pub fn fill(mut self, people: usize) -> Self {
        self.fill = people;
        self
    }

    /// Adds a survey with the columns of a data frame. Its name is in [`Sandbox::survey_ids`], and the first one is
    /// [`Sandbox::survey_id`]. If a value cannot be used, starting fails, with its column and row.
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

    /// Keeps the sandbox in this folder, which is created if it is missing: its content, credentials, addresses and clock are the same
    /// again when the next sandbox is started with it. Each change is written before its response, so that nothing is lost when the
    /// process is killed. Not kept are tokens, faults, the ledger, settings of [`profile`](Self::profile) and undelivered events.
    ///
    /// Settings that make content ([`content`](Self::content), [`seed`](Self::seed), [`survey`](Self::survey) and so on) apply to a
    /// new folder. Later they may be given again or left out; others are an error, and so is a folder that another sandbox uses.
    /// The folder contains what people answered and the credentials; only its owner can read it.
    #[must_use]
    pub fn state(mut self, folder: impl Into<FilePath>) -> Self {
        self.state = Some(folder.into());
        self
    }

    /// Whether it is kept in a folder.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// The settings of a new sandbox.
    pub(crate) fn first_profile(&self) -> Profile {
        self.profile.clone()
    }

    /// The content of a new sandbox.
    pub(crate) fn new_world(&self) -> io::Result<(PlatformState, Vec<Seeded>, AddedSurveys)> {
        let mut world = PlatformState::new(self.first_member_id);
        let mut seeded = demo::fill(&mut world, self.seed, random::secret);
        let own = self.add_surveys(&mut world, seeded.first_mut());
        let generated = self.enlarge(&mut world, seeded.first());
        let data = self.add_data(&mut world, seeded.first());
        match (own, data) {
            (Ok(own), Ok(data)) => Ok((world, seeded, AddedSurveys { own, generated, data })),
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
            // All mistakes of all files at once.
            (Err(first), Err(second)) => Err(own_survey::both(&first, &second)),
        }
    }

    /// The settings that make content and are not the defaults, with digests of their files.
    pub(crate) fn content_settings(&self) -> io::Result<BTreeMap<String, String>> {
        let mut settings = BTreeMap::new();
        let default = Self::default();
        let mut add = |name: &str, value: String| settings.insert(name.to_owned(), value);
        if self.content != default.content {
            add("content", format!("{:?}", self.content));
        }
        let numbers = [
            ("seed", self.seed, default.seed),
            ("first_member_id", self.first_member_id.unsigned_abs(), default.first_member_id.unsigned_abs()),
            ("extra_members", self.extra_members, default.extra_members),
        ];
        if self.fill > 0 {
            add("fill", self.fill.to_string());
        }
        for (name, value, _) in numbers.into_iter().filter(|(_, value, default)| value != default) {
            add(name, value.to_string());
        }
        if let Some(interviews) = self.generated_interviews {
            add("generated_survey", format!("{interviews} × {}", self.generated_questions));
        }
        let files = [("data", &self.data), ("code_plan", &self.code_plan)];
        for (name, path) in files.into_iter().filter_map(|(name, path)| Some((name, path.as_ref()?))) {
            add(name, digest(&std::fs::read(&path.0)?));
        }
        for (number, path) in self.surveys.iter().enumerate() {
            add(&format!("surveys[{number}]"), digest(&std::fs::read(&path.0)?));
        }
        for (number, frame) in self.frames.iter().enumerate() {
            add(&format!("frames[{number}]"), digest(&serde_json::to_vec(frame)?));
        }
        Ok(settings)
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
        let mut mistakes = Vec::new();
        if self.fill > 0 && self.surveys.is_empty() {
            mistakes.push("fill: there are no `surveys` whose questionnaires could be answered".to_owned());
        }
        let mut add = |id: i64, survey: Result<Survey, String>| {
            let new = survey.and_then(|survey| match own.insert(survey.name.clone(), id) {
                Some(_) => Err(format!(
                    "two of the surveys are called {:?}: rename the file or frame of one, or leave it out",
                    survey.name
                )),
                None => Ok(survey),
            });
            match new {
                Ok(survey) => drop(tenant.surveys.insert(id, survey)),
                Err(why) if mistakes.contains(&why) => {}
                Err(why) => mistakes.push(why),
            }
        };
        let now = Utc::now();
        for (path, name) in self.surveys.iter().zip(file_names(&self.surveys)) {
            let id = ids.next();
            // Surveys of the same people would have interviews of the same ids.
            let people = Fill::new(id).people(self.fill).seed(self.seed ^ id.unsigned_abs());
            let survey = own_survey::read_questionnaire((id, demo.workspace_id), &path.0);
            let filled = survey.map_err(|why| why.to_string()).and_then(|mut survey| {
                survey.name = name;
                people.answer(&mut survey, &self.profile, now).map_err(|why| format!("fill: {why}"))?;
                Ok(survey)
            });
            add(id, filled);
        }
        for frame in &self.frames {
            let id = ids.next();
            let survey = frame.survey((id, demo.workspace_id), self.seed);
            add(id, survey.map_err(|why| format!("{}: {why}", frame.name())));
        }
        if !mistakes.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, mistakes.join("; ")));
        }
        let first = if self.frames.is_empty() { before } else { before + self.surveys.len() };
        if let Some(first) = own.values().nth(first) {
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
}

/// The names of the surveys of files: without their folders, unless two are the same then.
fn file_names(paths: &[FilePath]) -> Vec<String> {
    let stem = |path: &FilePath| path.0.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = paths.iter().map(stem).collect();
    let name = |(path, stem): (&FilePath, &String)| {
        let is_unique = stems.iter().filter(|other| *other == stem).count() == 1;
        let folder = path.0.parent().and_then(std::path::Path::file_name).filter(|_| !is_unique);
        folder.map_or_else(|| stem.clone(), |folder| format!("{}/{stem}", folder.to_string_lossy()))
    };
    paths.iter().zip(&stems).map(name).collect()
}

fn digest(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, bytes))
}
