//! Starts a sandbox: its content, its ports, and the folder that keeps it.

use super::{Builder, Sandbox};
use crate::account::{Account, DataCenter, KeptState};
use crate::clock::ClockState;
use crate::server::{ListenerRole, SandboxRuntime, SandboxServer};
use crate::state::{Address, ServerState};
use crate::storage::{FileContent, LockedFolder, StateHead, StoredWorld};
use crate::world::AddedSurveys;
use crate::world::PlatformState;
use crate::world::Seeded;
use sondage::model::Secret;
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;

type Listeners = Vec<(ListenerRole, TcpListener)>;
type Addresses = Vec<(DataCenter, Address)>;
/// The ports of the API and the authentication server of each data center.
type Ports = Vec<(DataCenter, u16, u16)>;

/// What a sandbox starts with.
struct Content {
    world: PlatformState,
    seeded: Vec<Seeded>,
    added: AddedSurveys,
    /// What a folder had.
    stored: Option<StoredPart>,
}

/// What is needed of a stored world besides the world.
struct StoredPart {
    head: StateHead,
    clock: ClockState,
    complete: FileContent,
    cut_bytes: u64,
}

impl Builder {
    /// Starts it.
    #[allow(clippy::unused_async)] // A separate thread, so that a slow receiver does not block API calls.
    pub async fn start(self) -> io::Result<Sandbox> {
        self.start_blocking()
    }

    /// Starts it from blocking code. It returns as soon as the ports are open.
    pub fn start_blocking(self) -> io::Result<Sandbox> {
        let secret = self.secret.as_ref().map(accepted_secret).transpose()?;
        let folder = self.state.as_ref().map(|folder| LockedFolder::open(&folder.0)).transpose()?;
        let stored = folder.as_ref().map(LockedFolder::read).transpose()?.flatten();
        let Content { mut world, seeded, added, stored } = match stored {
            Some(stored) => Content::of_folder(stored, &self)?,
            None => Content::new(&self)?,
        };
        let mut is_changed = false;
        if let (Some(secret), Some(demo)) = (secret, seeded.first())
            && let Some((tenant, _)) = world.change(&demo.tenant)
        {
            is_changed = tenant.client_secret != secret;
            tenant.client_secret = secret;
        }
        let engine = SandboxRuntime::new()?;
        let known_ports = stored.as_ref().map(|stored| stored.head.ports.as_slice()).unwrap_or_default();
        let (listeners, addresses) = self.listen(&engine, known_ports)?;
        let accounts = seeded.iter().filter_map(|seeded| account(&world, seeded, &addresses)).collect();
        let clock = stored.as_ref().map_or_else(ClockState::default, |stored| stored.clock);
        let head = StateHead {
            content: match &stored {
                Some(stored) => stored.head.content.clone(),
                None => self.content_settings()?,
            },
            seeded: seeded.clone(),
            added: added.clone(),
            ports: ports(&listeners)?,
        };
        let kept = self.state.as_ref().map(|folder| KeptState {
            folder: std::path::absolute(&folder.0).unwrap_or_else(|_| folder.0.clone()).display().to_string(),
            is_new: stored.is_none(),
            cut_bytes: stored.as_ref().map_or(0, |stored| stored.cut_bytes),
        });
        let folder = folder.map(|folder| {
            if stored.is_none() {
                folder.keep_start(&mut world, &head, clock)?;
            }
            let same = stored.filter(|stored| !is_changed && stored.head.ports == head.ports);
            folder.begin(&mut world, head.clone(), clock, same.map(|stored| stored.complete))
        });
        let folder = folder.transpose()?;
        let mut shared = ServerState::new(self.profile.clone(), world, addresses);
        shared.calls_anywhere = self.call_anywhere;
        shared.clock.set_state(clock);
        shared.wake_for(&shared.world());
        if let Some(folder) = folder {
            shared.store_in(folder);
        }
        let shared = Arc::new(shared);
        let server = SandboxServer::start(engine, &shared, listeners)?;
        Sandbox::new(shared, server, accounts, (self, head, kept))
    }

    /// Listens where the last sandbox of its folder listened, or on a fixed port, or on free ones.
    fn listen(
        &self,
        engine: &SandboxRuntime,
        known: &[(DataCenter, u16, u16)],
    ) -> io::Result<(Listeners, Addresses)> {
        let (mut listeners, mut addresses) = (Vec::new(), Vec::new());
        // Port 0 is any free one, but the same for both servers.
        let fixed = self.port.filter(|port| *port != 0 || known.is_empty());
        for data_center in DataCenter::ALL {
            let mut open = |port: u16, api: bool, auth: bool| {
                let listener = match port {
                    // Its address should be free when the sandbox is started again.
                    0 if self.has_state() => engine.listen_to_stay(),
                    port => engine.listen(port),
                };
                let listener = listener.map_err(|error| about_port(&error, port, known))?;
                let address = format!("http://{}", listener.local_addr()?);
                listeners.push((ListenerRole { data_center, api, auth }, listener));
                Ok::<_, io::Error>(address)
            };
            let known = known.iter().find(|(known, _, _)| *known == data_center);
            let fixed = fixed.filter(|_| data_center == DataCenter::Eu).map(|port| (port, port));
            let address = match fixed.or_else(|| known.map(|(_, api, auth)| (*api, *auth))) {
                Some((api, auth)) if api == auth => {
                    let both = open(api, true, true)?;
                    Address { api: both.clone(), auth: both }
                }
                Some((api, auth)) => Address { api: open(api, true, false)?, auth: open(auth, false, true)? },
                None => Address { api: open(0, true, false)?, auth: open(0, false, true)? },
            };
            addresses.push((data_center, address));
        }
        Ok((listeners, addresses))
    }
}

impl Content {
    fn new(builder: &Builder) -> io::Result<Self> {
        let (world, seeded, added) = builder.new_world()?;
        Ok(Self { world, seeded, added, stored: None })
    }

    fn of_folder(stored: StoredWorld, builder: &Builder) -> io::Result<Self> {
        if let Some(name) = stored.head.contradicts(&builder.content_settings()?) {
            let folder =
                builder.state.as_ref().map(|folder| folder.0.display().to_string()).unwrap_or_default();
            let had = match stored.head.content.get(&name) {
                None => " (it was not set)".to_owned(),
                Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!(" ({number})"),
                Some(_) => String::new(),
            };
            let has_survey =
                ["surveys", "frames", "data", "code_plan"].iter().any(|own| name.starts_with(own));
            let why = if has_survey {
                format!(
                    "the state in {folder} holds another survey than the one of `{name}`, and keeps it: name a new folder for this survey, \
                     or leave it out to go on with the one of the state. Nothing was changed"
                )
            } else {
                format!(
                    "the state in {folder} was made with another `{name}`{had}, which cannot be changed: leave it out, or name a new \
                     folder. Nothing was changed"
                )
            };
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let StoredWorld { head, world, clock, complete, cut_bytes } = stored;
        let (seeded, added) = (head.seeded.clone(), head.added.clone());
        let stored = Some(StoredPart { head, clock, complete, cut_bytes });
        Ok(Self { world, seeded, added, stored })
    }
}

/// Adds what can be done, if the port is that of a stored sandbox.
fn about_port(error: &io::Error, port: u16, known: &[(DataCenter, u16, u16)]) -> io::Error {
    if port == 0 || !known.iter().any(|(_, api, auth)| [*api, *auth].contains(&port)) {
        return io::Error::new(error.kind(), error.to_string());
    }
    let why = format!(
        "127.0.0.1:{port}, an address of the state: {error}. End the program that uses it, or choose another `port`"
    );
    io::Error::new(error.kind(), why)
}

fn ports(listeners: &Listeners) -> io::Result<Ports> {
    let port = |data_center: DataCenter, serves: fn(&ListenerRole) -> bool| {
        let listener = listeners.iter().find(|(role, _)| role.data_center == data_center && serves(role));
        listener.map_or(Ok(0), |(_, listener)| Ok::<_, io::Error>(listener.local_addr()?.port()))
    };
    DataCenter::ALL
        .into_iter()
        .map(|at| Ok((at, port(at, |role| role.api)?, port(at, |role| role.auth)?)))
        .collect()
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
