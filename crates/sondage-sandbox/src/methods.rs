//! The methods of the sandbox. `sondage::methods!` documents the format of a row.

/// Passes the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
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
                /// The time of its clock.
                fn now() -> value Timestamp: Immediate;
                /// Moves the clock forward, or back if the time is negative.
                fn advance(seconds: f64) -> value (): Immediate, called "Sandbox";
                /// Sets the clock; without a time, to the computer's clock.
                fn set_time(time: Option<Timestamp>) -> value (): Immediate, called "Sandbox";
                /// Changes the behaviour where nothing is published.
                fn set_profile(options: Profile) -> value (): Immediate, called "Sandbox";
                /// Revokes every token immediately.
                fn revoke_tokens() -> value (): Immediate;
                /// Makes something happen, and delivers the event to its subscribers. `false`: the account has no such
                /// object.
                fn emit(options: Cause) -> value bool: Immediate, called "Sandbox";
                /// Deliveries to subscribers, made and pending.
                fn deliveries() -> json Json: Immediate;
                /// Injects a fault into future deliveries.
                fn delivery_fault(options: DeliveryFault) -> value (): Immediate, called "Sandbox";
                /// Clears the log of deliveries and their faults.
                fn clear_deliveries() -> value (): Immediate;
                /// Waits until no delivery is due. `false`: some still are.
                fn settle(timeout: f64) -> value bool: Blocking, called "Sandbox";
                /// Moves the clock until no delivery is pending.
                fn drain(timeout: f64) -> value bool: Blocking, called "Sandbox";
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
