//! The methods of the sandbox. `sondage::methods!` documents the format of a row.

/// Passes the rows to a macro: `sandbox_methods!(expand)`.
#[macro_export]
macro_rules! sandbox_methods {
    ($then:ident) => {
        $then! {
            /// Methods that need no client.
            library {
                /// Starts a platform in this process.
                fn sandbox(options: Builder) -> handle Sandbox: Blocking, called "Sandbox";
            }

            /// A survey platform in this process.
            sandbox {
                /// Its addresses, accounts and ids.
                fn facts() -> json Json: Immediate;
                /// Injects a fault into future calls.
                fn fault(options: Fault) -> handle PlacedFault: Immediate, called "Sandbox";
                /// Removes all faults.
                fn clear_faults() -> value (): Immediate;
                /// A part of the ledger: token requests, or the requests or effects of an operation.
                fn ledger(options: LedgerPart) -> json Json: Immediate, called "Sandbox";
                /// Clears the ledger.
                fn clear_ledger() -> value (): Immediate;
                /// The sandbox's time.
                fn now() -> value Timestamp: Immediate;
                /// Moves the clock forward by this many seconds, or back if they are negative.
                fn advance(seconds: f64) -> value (): Immediate, called "Sandbox";
                /// Sets the time; the clock continues from there. Without a time, resets it to the computer's clock.
                fn set_time(time: Option<Timestamp>) -> value (): Immediate, called "Sandbox";
                /// Sets the time and stops the clock there, so that whatever happens has the same time in every run. It can still be
                /// moved forward or back, and runs again when the time is set.
                fn freeze_time(time: Timestamp) -> value (): Immediate, called "Sandbox";
                /// The behaviour where nothing is published.
                fn profile() -> json Profile: Immediate;
                /// Replaces its behaviour where nothing is published, for future calls. What is not named is as by default: to change one
                /// thing, change it in what `profile` returns.
                fn set_profile(options: Profile) -> value (): Immediate, called "Sandbox";
                /// Revokes every token immediately, as a service does after a breach.
                fn revoke_tokens() -> value (): Immediate;
                /// Makes something happen, and delivers the event to its subscribers. `false`: the account has no such
                /// object. The error names the answers of an interview that the survey does not accept; then nothing was changed.
                fn emit(options: Cause) -> value bool: Immediate, called "Sandbox";
                /// Lets invented people answer a published survey, and returns the ids of their interviews: first those who were
                /// invited and have not answered, then others through its public link.
                ///
                /// They see what the conditions show them, keep to types, choices and ranges, choose unevenly, leave questions
                /// out, answer "not available" where that is offered, and write beside choices.
                fn fill(options: Fill) -> value Vec<String>: Immediate, called "Sandbox";
                /// Adds interviews with these answers to a published survey, and returns their ids. The error names every row and
                /// column that the survey does not accept, at most 20 of them; then nothing was added.
                fn answer(options: GivenRows) -> value Vec<String>: Immediate, called "Sandbox";
                /// What of a survey's questionnaire is not carried out when people answer, such as calculations and loops: a line for
                /// each kind, with all places.
                fn not_carried_out(survey_id: i64) -> value Vec<String>: Immediate;
                /// Writes a copy of the sandbox to a folder: content, credentials and clock. An earlier copy in it is replaced. A sandbox
                /// can be started with this folder as its `state`.
                fn snapshot(folder: FilePath) -> value (): Immediate, called "Sandbox";
                /// Goes back to a copy of this sandbox, or of one with the same accounts and surveys at its start. Credentials,
                /// addresses and tokens stay, undelivered events are dropped.
                fn restore(folder: FilePath) -> value (): Immediate, called "Sandbox";
                /// Goes back to the start: content, clock and settings; ledger, faults and deliveries are empty. Credentials,
                /// addresses and tokens stay.
                fn reset() -> value (): Immediate;
                /// Every attempt to deliver an event, in order.
                fn attempts() -> json Json: Immediate;
                /// Events that have been neither delivered nor given up.
                fn pending() -> value usize: Immediate;
                /// Applies this fault to future events.
                fn fault_deliveries(options: DeliveryFault) -> value (): Immediate, called "Sandbox";
                /// Removes all faults and clears the log.
                fn clear_deliveries() -> value (): Immediate;
                /// Waits until every attempt that is due now has been made. `false` on a timeout.
                fn settle(timeout: f64) -> value bool: Call, called "Sandbox";
                /// Moves the clock until every event was delivered or given up. `false` on a timeout.
                fn drain(timeout: f64) -> value bool: Call, called "Sandbox";
                /// Stops it and waits until its ports are closed.
                fn stop() -> value (): Blocking;
            }

            /// A fault that was added to a sandbox.
            fault {
                /// How many calls it has hit.
                fn hits() -> value u64: Immediate;
                /// Removes it.
                fn remove() -> value (): Immediate;
            }
        }
    };
}
