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
                /// The behaviour where nothing is published.
                fn profile() -> json Profile: Immediate;
                /// Changes its behaviour where nothing is published, for future calls.
                fn set_profile(options: Profile) -> value (): Immediate, called "Sandbox";
                /// Revokes every token immediately, as a service does after a breach.
                fn revoke_tokens() -> value (): Immediate;
                /// Makes something happen, and delivers the event to its subscribers. `false`: the account has no such
                /// object.
                fn emit(options: Cause) -> value bool: Immediate, called "Sandbox";
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
