//! The table of methods that are not operations of the API, one row each.
//!
//! A row names the method's object, its argument, its result and its kind:
//!
//! ```text
//! object {
//!     /// What it does.
//!     fn method(options: Options) -> value Report: Call, progress Progress;
//! }
//! ```
//!
//! - The argument is a struct of options under the name `options`, or one value under its own name.
//! - The result is a `report` (a struct under `#[report]`), a `value`, an object with methods of its own (`handle`), or a value
//!   that a language receives as `json`.
//! - The kind: `Immediate`, `Blocking` (work in this process), `Call` (calls to the service), `Stream` (an object whose `next`
//!   makes calls).
//! - `progress`: what is reported to the progress callback. `with`: an object or rows that are passed in addition to the
//!   argument.
//! - `called`: the name in errors, if it differs from the method's.
//!
//! `sondage-ffi` expands the rows into one trait for each object: a row without a body, a body without a row, and a duplicate
//! name do not compile. The types are named as in that crate. The table of
//! `sondage-jobs` has the methods of the jobs, that of `sondage-data` those that need Arrow.

/// Passes the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// Methods that need no client.
            library {
                /// Starts a person's login, or goes on with a saved one. Nothing is sent.
                fn login(options: SettingsByName) -> handle Login: Immediate, called "";
                /// Makes a guard that remembers the events that were handled, in memory or in a folder.
                fn guard(options: GuardOptions) -> handle Guard: Immediate;
                /// Makes a webhook from its settings as JSON.
                fn hook(settings: String) -> handle Hook: Immediate;
                /// Makes a webhook with a new, unguessable address.
                fn obscure_hook() -> handle Hook: Immediate;
                /// Compiles a filter to the conditions of a request.
                fn compile(r#where: Expression) -> value Vec<Condition>: Immediate, called "";
                /// A filter as a person reads it.
                fn filter_text(r#where: Expression) -> value String: Immediate, called "";
            }

            /// A client with the options of its calls.
            client {
                /// The same client with other call options. Both share tokens and connections.
                fn with_options(options: Option<ClientOptions>) -> handle Client: Immediate, called "";
                /// The same client, whose calls return the whole response.
                fn whole() -> handle Client: Immediate, called "";
                /// The members of a panel or sample: read page by page, or as a table.
                fn members(options: MembersOptions) -> handle Pages<L>: Stream;
                /// Reads the entity of a webhook event from the API: a callback can be forged or late, the API's data
                /// cannot.
                fn confirm_event(event: EventToConfirm) -> json Confirmation: Call;
                /// Lists the completed interviews of a survey since a time, as the events that a webhook would deliver.
                fn missed_events(options: MissedOptions) -> json MissedEvents: Call, with guard;
                /// Registers a webhook unless it is registered: creates the registration, updates it if the address or the
                /// secret changed or expires soon, or leaves it unchanged.
                ///
                /// The service shows neither the address nor the secret of a registration, so the id identifies it: keep it, or
                /// name a state file. An existing registration for the same event and entity whose id is not known is never
                /// adopted.
                fn ensure_web_hook(options: EnsureWebHookOptions) -> report EnsuredWebHook: Call, with hook;
                /// The calls and bytes of the day, used and left: counted in this process, or across all processes that share
                /// `budget_folder`. Nothing is sent.
                fn budget() -> report BudgetReport: Immediate;
                /// What is known about the service, so that fewer calls are needed: the first page of lists, what their counts count, and the
                /// like, each with its evidence and time. Nothing is sent.
                fn service_facts() -> report FactsReport: Immediate;
                /// The trace of this client: each call, attempt, wait, page and token request, with status, bytes and
                /// milliseconds, as far as it is kept (the setting `trace_entries`). No entry contains a secret or personal data.
                /// Nothing is sent.
                fn trace(options: TraceOptions) -> report Trace: Call;
                /// Examines the set-up: settings, files, network, credentials, clock, permissions, budget, and the responses of
                /// the service. The report says what is wrong and how to correct it. Nothing is changed; up to ten calls are
                /// made.
                fn doctor(options: DoctorOptions) -> report Diagnosis: Call;
                /// Creates one member, and returns its id. If the service refuses the member, the error has its reasons, and nobody was
                /// created. `create_members` of several returns the reasons in its response.
                fn create_member(options: CreateMemberOptions) -> value i64: Call;
                /// Calls an operation that this version does not know, by its path. One that it knows has the effect of the table, and is refused
                /// if `effect` says otherwise.
                fn raw(options: RawOptions) -> output Output<L>: Call;
                /// The calls that have not ended yet, each with what it waits for: how long nothing has arrived, or how long it will wait
                /// before its next attempt. Nothing is sent.
                fn pending_calls() -> report Vec<PendingCall>: Immediate;
                /// Writes that have been sent and have no response yet, including those whose callers gave up.
                fn pending_writes() -> report Vec<PendingWrite>: Immediate;
                /// Waits until the writes whose callers gave up have ended, and returns their outcomes: of those that had been sent
                /// when an abort, a cancelled task or a deadline ended the wait for them, the last 100.
                /// It sends nothing.
                fn write_outcomes() -> report WriteOutcomes: Call;
                /// Rejects new calls and waits for writes in progress. Returns those that are still in progress
                /// afterwards.
                fn close(timeout: f64) -> report Vec<PendingWrite>: Call;
                /// Discards the tokens, in memory and where they are stored. A person's login ends with it.
                ///
                /// With a secret, a password or a token provider the next call gets a new token. A copied token stays valid until it
                /// expires: the service has no known way to revoke it.
                fn logout() -> value (): Call;
                /// The settings and their sources.
                fn explain() -> value Explanation: Immediate;
            }

            /// A person's login in progress.
            login {
                /// The address that the person opens in a browser.
                fn url() -> value String: Immediate;
                /// Whether the browser returns to this program.
                fn can_listen() -> value bool: Immediate;
                /// What another process needs to go on with this login, in case this one ends while its person is in the browser. It is a
                /// secret: with it and the address at which the browser ends up, anybody gets the tokens. Delete it when the login has ended.
                fn saved() -> value String: Immediate;
                /// Waits until the browser returns, and returns the client.
                fn listen() -> handle Client: Call;
                /// Takes the address at which the browser ended up, and returns the client.
                fn paste(address: String) -> handle Client: Call;
            }

            /// A list, page by page.
            pages {
                /// The next page; nothing at the end of the list.
                fn next() -> output Output<L>: Call;
                /// The whole list as a table, with a column per field. `names`: the spelling of column names, `snake` or
                /// `wire`.
                fn table(names: String) -> output Output<L>: Call;
            }

            /// A webhook: what is registered, and which requests are accepted.
            hook {
                /// All settings as JSON, including secrets.
                fn settings() -> value String: Immediate;
                /// `"obscureUrl"`, `"basic"`, `"bearer"` or `"signedUrl"`.
                fn strategy() -> value &'static str: Immediate;
                /// The value to register as `security_token`; empty if the strategy has none. It is a secret.
                fn security_token() -> value String: Immediate;
                /// When the registered credential expires: the webhook must be registered again before that. `None` if it
                /// does not expire.
                fn ends() -> value Option<Timestamp>: Immediate;
                /// The address to register, derived from the address of the receiver: https, or http on this machine for testing. It
                /// may contain a secret.
                fn url(base: String) -> value String: Immediate;
                /// The arguments of the call that registers it, by their names; one without a value is left out. They may
                /// contain secrets.
                fn registration(options: RegistrationOptions) -> value IndexMap<String, String>: Immediate;
                /// The same webhook, which also accepts requests for a previous one.
                fn accepting() -> handle Hook: Immediate, with previous;
                /// Sets the event type for bodies that do not name one. Use a separate address for each event type then.
                fn for_event(event_type: String) -> handle Hook: Immediate;
                /// The maximum size of a body in bytes. A server need not read more.
                fn largest_body() -> value usize: Immediate;
                /// Sets the maximum size of a body in bytes. Default: 1 MiB.
                fn max_body(size: usize) -> handle Hook: Immediate;
                /// Verifies an incoming request. A refusal is returned as a verdict, not as an error.
                fn judge(options: ArrivedRequest) -> json Verdict: Blocking;
            }

            /// Remembers which events were handled.
            guard {
                /// Claims the right to handle an event.
                fn claim(keys: Vec<String>) -> handle Claim: Immediate;
                /// Marks events as handled, by their keys.
                fn remember(keys: Vec<String>) -> value (): Immediate;
                /// The keys of the events that were handled, the oldest first.
                fn keys() -> value Vec<String>: Immediate;
                /// Forgets events that were handled longer ago than this number of days, and claims that ended then. Returns how many. The
                /// service repeats a delivery for some hours; a month is safe.
                fn prune(days: f64) -> value u64: Immediate;
            }

            /// The result of claiming an event.
            claim {
                /// `"new"`: handle it. `"done"`: it was handled before. `"busy"`: another worker is handling it, and may fail.
                fn state() -> value &'static str: Immediate;
                /// Reports that the event was handled, or that it was not, so that its next delivery is `"new"` again.
                fn end(done: bool) -> value (): Immediate;
            }
        }
    };
}
