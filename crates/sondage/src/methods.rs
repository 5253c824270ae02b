//! The second table: what there is beside the operations, a row for each method.
//!
//! A row names the object it belongs to, its argument, its result and its kind:
//!
//! ```text
//! object {
//!     /// What it does.
//!     fn method(options: Options) -> value Report: Call, progress Progress;
//! }
//! ```
//!
//! - The argument is a struct of options under the name `options`, or one value under its own name.
//! - The result is a `value`, an object with methods of its own (`handle`), or a value that a language reads as `json`.
//! - The kind: `Immediate`, `Blocking` (work of this process), `Call` (calls to the service), `Stream` (an object whose `next`
//!   makes calls).
//! - `progress`: what a caller is told while it waits. `with`: an object or rows that are handed over beside the argument.
//! - `called`: the name that stands in errors, where it is not that of the method.
//!
//! `sondage-ffi` expands the rows into one trait for each object: a row without a body, a body without a row, and a name that
//! is there twice do not compile. The types are named as that crate has them. What needs Arrow stands in the table of
//! `sondage-data`.

/// Hands the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// What needs no client.
            library {
                /// Begins a person's login. Nothing is sent.
                fn login(options: SettingsByName) -> handle Login: Immediate, called "";
                /// Remembers which events were handled, up to `capacity` of them.
                fn guard(capacity: usize) -> handle Guard: Immediate;
                /// A webhook from its settings as JSON.
                fn hook(settings: String) -> handle Hook: Immediate;
                /// A webhook at a new address that nobody can guess.
                fn obscure_hook() -> handle Hook: Immediate;
                /// The conditions that a request carries for a filter.
                fn compile(r#where: Expression) -> value Vec<Condition>: Immediate, called "";
            }

            /// A client with the options of its calls.
            client {
                /// The same client with other options for its calls. Both share tokens and connections.
                fn with_options(options: Option<ClientOptions>) -> handle Client: Immediate, called "";
                /// The members of a panel or sample: read page by page, or taken as a table.
                fn members(options: MembersOptions) -> handle Pages<L>: Stream;
                /// Stores the PDFs of a survey's interviews in a folder, with a manifest: `manifest.jsonl`, a line for each.
                ///
                /// It can be stopped at any moment, and the same call goes on from there: what is stored stays, and is whole. Each
                /// document costs one call of the 500 that the service allows a day.
                fn archive_answers(options: ArchiveOptions) -> value ArchiveReport: Call, progress ArchiveProgress;
                /// Plans an invitation: who gets the message, who does not and why, and what it costs in calls.
                ///
                /// The plan sends nothing. Run with its token, it reads the audience again and sends the message to exactly these
                /// members, or refuses when they are others by now.
                fn plan_invite(options: InviteOptions) -> handle MessagePlan: Call;
                /// Plans a reminder to those whom a distributor invited and who have not answered.
                ///
                /// The service chooses whom it reminds by conditions alone. A plan that would have to leave out anybody else is refused.
                fn plan_remind(options: RemindOptions) -> handle MessagePlan: Call;
                /// Counts what became of everybody who was invited to a survey, and gives the response rates of the American Association
                /// for Public Opinion Research that follow from it.
                fn field_report(options: FieldReportOptions) -> value FieldReport: Call;
                /// Reads the entity of a webhook's event again: what a callback says is a hint, what the API says is a fact.
                fn confirm_event(event: EventToConfirm) -> json Confirmation: Call;
                /// The completed interviews of a survey since a time, as the events that a webhook delivers.
                fn missed_events(options: MissedOptions) -> json MissedEvents: Call, with guard;
                /// Calls an operation that this version does not know.
                fn raw(options: RawOptions) -> output Output<L>: Call;
                /// Writes that have been sent and not been answered, those of callers who gave up among them.
                fn pending_writes() -> value Vec<PendingWrite>: Immediate;
                /// Takes no more calls and waits for writes that are under way. Gives those that still are.
                fn close(timeout: f64) -> value Vec<PendingWrite>: Call;
                /// Forgets the tokens, in memory and where they are stored. With a secret, a password or a token provider the next
                /// call gets a new token. A token that was copied stays good until it ends.
                fn logout() -> value (): Call;
                /// The settings, and where each comes from.
                fn explain() -> value Explanation: Immediate;
            }

            /// A message that would be sent.
            message_plan {
                /// What it says.
                fn facts() -> value MessagePlanFacts: Immediate;
                /// Sends the message, once, if `confirm` is the token of the plan and the audience is still the same.
                fn run(confirm: String) -> value MessageReport: Call;
            }

            /// A person's login under way.
            login {
                /// The address that the person opens in a browser.
                fn url() -> value String: Immediate;
                /// Whether the browser comes back to this program.
                fn can_listen() -> value bool: Immediate;
                /// Waits until the browser comes back, and gives the client.
                fn listen() -> handle Client: Call;
                /// Takes the address at which the browser ended up, and gives the client.
                fn paste(address: String) -> handle Client: Call;
            }

            /// A list, page by page.
            pages {
                /// The next page; nothing when the list is complete.
                fn next() -> output Output<L>: Call;
                /// The whole list as a table, a column for each field. `names`: of the columns, `snake` or `wire`.
                fn table(names: String) -> output Output<L>: Call;
            }

            /// A webhook: what is registered and what is accepted.
            hook {
                /// Everything, secrets too, as JSON.
                fn settings() -> value String: Immediate;
                /// How it is protected.
                fn strategy() -> value &'static str: Immediate;
                /// The security token for the registration.
                fn token() -> value String: Immediate;
                /// When its certificates or secrets end.
                fn ends() -> value Option<Timestamp>: Immediate;
                /// The address to register, below the receiver's own.
                fn url(base: String) -> value String: Immediate;
                /// The same webhook, which also accepts what a previous one has accepted.
                fn accepting() -> handle Hook: Immediate, with previous;
                /// The same webhook for the events of one type.
                fn for_event(event_type: String) -> handle Hook: Immediate;
                /// The largest body that is read, in bytes.
                fn largest_body() -> value usize: Immediate;
                /// The same webhook with another limit for bodies, in bytes.
                fn max_body(size: usize) -> handle Hook: Immediate;
                /// Judges a request that arrived. A refusal is a verdict, not an error.
                fn judge(options: ArrivedRequest) -> json Verdict: Blocking;
            }

            /// Remembers which events were handled.
            guard {
                /// Asks for the right to handle an event.
                fn claim(keys: Vec<String>) -> handle Claim: Immediate;
                /// Takes events for handled.
                fn remember(keys: Vec<String>) -> value (): Immediate;
                /// The events that it knows.
                fn keys() -> value Vec<String>: Immediate;
            }

            /// What a guard knows about an event.
            claim {
                /// `new`, `done` or `busy`.
                fn state() -> value &'static str: Immediate;
                /// The event was handled, or it was not and the next one is new again.
                fn end(done: bool) -> value (): Immediate;
            }
        }
    };
}
