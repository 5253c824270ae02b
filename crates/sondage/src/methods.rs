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
//! name do not compile. The types are named as in that crate. Methods that need Arrow are in the table of `sondage-data`.

/// Passes the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// Methods that need no client.
            library {
                /// Starts a person's login. Nothing is sent.
                fn login(options: SettingsByName) -> handle Login: Immediate, called "";
                /// Makes a guard that remembers up to `capacity` events that were handled.
                fn guard(capacity: usize) -> handle Guard: Immediate;
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
                /// Stores the PDFs of a survey's interviews in a folder, with a manifest: `manifest.jsonl`, one line per
                /// document.
                ///
                /// It can be stopped at any moment, and the same call resumes it: documents already stored stay, and are complete.
                /// Each document costs one call of the 500 that the service allows a day.
                fn archive_answers(options: ArchiveOptions) -> report ArchiveReport: Call, progress ArchiveProgress;
                /// Plans an invitation: who gets the message, who does not and why, and how many calls it costs.
                ///
                /// Planning sends nothing. Running the plan with its token reads the audience again and sends the message to
                /// exactly these members, or refuses if the audience has changed.
                fn plan_invite(options: InviteOptions) -> handle SendPlan: Call;
                /// Plans new members: rows, typed by the panel's definition, from which members are created and invited by one call.
                ///
                /// Planning sends nothing: it says which rows are created and invited, and why others are left out. Running the
                /// plan with its token reads everything again, makes the call once, and reads the new members back by their keys.
                fn plan_create_and_invite(options: CreateAndInviteOptions) -> handle SendPlan: Call, with rows;
                /// Plans a reminder to members whom a distributor invited and who have not answered.
                ///
                /// The service selects the recipients of a reminder by conditions alone. A plan that would have to
                /// exclude anyone in addition is refused.
                fn plan_remind(options: RemindOptions) -> handle SendPlan: Call;
                /// Plans single mails to members of a panel: who gets one, who does not and why, and the cost in calls. Each
                /// mail takes one call.
                ///
                /// Planning sends nothing. Running the plan with its token reads the audience again and sends each mail once.
                fn plan_send_mail(options: SendMailOptions) -> handle SendPlan: Call;
                /// Plans the purchase of vouchers with credits: how many, and what they cost. Each voucher takes one call.
                ///
                /// Planning buys nothing. Running the plan with its token reads price and balance again and buys each voucher
                /// once. The report has the codes.
                fn plan_redeem(options: RedeemOptions) -> handle SendPlan: Call;
                /// Plans a workflow transition of a survey or a distributor to another state.
                ///
                /// Planning changes nothing. Running the plan with its token reads the state again and makes the transition
                /// once.
                fn plan_transition(options: TransitionOptions) -> handle SendPlan: Call;
                /// Counts the dispositions of everybody who was invited to a survey, and computes the response rates of the American
                /// Association for Public Opinion Research.
                fn field_report(options: FieldReportOptions) -> report FieldReport: Call;
                /// Lists what is held about a person, source by source, and counts the calls that an export makes. Nothing is
                /// written.
                fn plan_export_person(options: PlanExportPersonOptions) -> report PersonExportPlan: Call;
                /// Reads everything that the account, and the named files of this library, hold about a person: fields,
                /// invitations, answers, opt-outs, bounces, incentives. It reports for each source what was read, or why not.
                fn export_person(options: ExportPersonOptions) -> report PersonExport: Call;
                /// Plans an erasure: what would be erased about a person, what would remain and who can erase that, and the
                /// token that confirms it. Nothing is erased.
                fn plan_erase_person(options: PlanErasePersonOptions) -> report ErasePlan: Call;
                /// Erases a person as planned: from the named files of this library, then the interviews, then the members. It
                /// cannot be undone.
                ///
                /// It is refused if something else would be erased by now. Each deletion is written to the receipt before it is
                /// sent, so the same call resumes an interrupted erasure.
                fn erase_person(options: ErasePersonOptions) -> report EraseReceipt: Call;
                /// Finds out whether a write with an unknown outcome took effect, by the `write_id` of its error. For the operations that
                /// are never retried.
                ///
                /// It reads the account and looks for what the operation creates. A proof that the write happened is returned at once;
                /// that it did not happen is certain only after the quiet time (`quiet`), so it waits for that. If somebody else may
                /// have made what it finds, the verdict is that the outcome is still unknown.
                fn reconcile(options: ReconcileOptions) -> report Reconciled: Call;
                /// The same client for one write that is sent once under a key: in this process, in others, and after a crash.
                /// Creating this client sends nothing.
                ///
                /// A second call with the same key and the same request returns the response to the first. If the first got no
                /// response, its outcome is determined first, and the write is sent again only if it did not take effect.
                /// Another request under the same key is an error, and so is an operation that can be retried anyway.
                fn send_once(options: SendOnceOptions) -> handle Client: Immediate;
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
                /// The trace of this client: each call, attempt, wait, page and token request, with status, bytes and
                /// milliseconds, as far as it is kept (the setting `trace_entries`). No entry contains a secret or personal data.
                /// Nothing is sent.
                fn trace(options: TraceOptions) -> report Trace: Call;
                /// Examines the set-up: settings, files, network, credentials, clock, permissions, budget, and the responses of
                /// the service. The report says what is wrong and how to correct it. Nothing is changed; up to ten calls are
                /// made.
                fn doctor(options: DoctorOptions) -> report Diagnosis: Call;
                /// Calls an operation that this version does not know, by its path. One that it knows has the effect of the table, and is refused
                /// if `effect` says otherwise.
                fn raw(options: RawOptions) -> output Output<L>: Call;
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

            /// A plan that sends. Nothing is sent before `run`.
            send_plan {
                /// The content of the plan.
                fn facts() -> report SendPlanFacts: Immediate;
                /// Reads everything again, and sends what was planned, each call once, if nothing on which the plan
                /// depends has changed.
                ///
                /// `confirm` is the `token` of the plan, passed by whoever approves it. After an error nothing was sent: the token is
                /// a different one, the plan is too old or was already run, the audience has changed (the error lists the changes),
                /// or the service refused. Once something may have been sent, the result is a report, and the plan cannot be run
                /// again.
                fn run(confirm: String) -> report SendReport: Call;
                /// The report of a run so far, even if its caller gave up. Before a run every row is `"not_sent"`.
                fn report() -> report SendReport: Immediate;
            }

            /// A person's login in progress.
            login {
                /// The address that the person opens in a browser.
                fn url() -> value String: Immediate;
                /// Whether the browser returns to this program.
                fn can_listen() -> value bool: Immediate;
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
