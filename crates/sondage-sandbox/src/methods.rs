//! The second table, part three: a platform in the process. `sondage::methods!` says how a row is read.

/// Hands the rows to a macro: `methods!(expand)`.
#[macro_export]
macro_rules! methods {
    ($then:ident) => {
        $then! {
            /// What needs no client.
            library {
                /// Starts a platform in this process.
                fn sandbox(options: Builder) -> handle Sandbox: Blocking, called "Sandbox";
            }

            /// A survey platform in this process.
            sandbox {
                /// Its addresses, accounts and ids.
                fn facts() -> json Json: Immediate;
                /// Puts a fault in the way of coming calls.
                fn fault(options: Fault) -> handle PlacedFault: Immediate, called "Sandbox";
                /// Takes all faults away.
                fn clear_faults() -> value (): Immediate;
                /// A part of the ledger: requests for tokens, or what an operation has asked for or done.
                fn ledger(options: LedgerPart) -> json Json: Immediate, called "Sandbox";
                /// Forgets what the ledger holds.
                fn clear_ledger() -> value (): Immediate;
                /// The time of its clock.
                fn now() -> value Timestamp: Immediate;
                /// Moves the clock forward, or back by a negative time.
                fn advance(seconds: f64) -> value (): Immediate, called "Sandbox";
                /// Sets the clock; without a time, to that of the machine.
                fn set_time(time: Option<Timestamp>) -> value (): Immediate, called "Sandbox";
                /// How it behaves from now on where nothing is published.
                fn set_profile(options: Profile) -> value (): Immediate, called "Sandbox";
                /// Ends every token at once.
                fn revoke_tokens() -> value (): Immediate;
                /// Makes something happen, and delivers the event to its subscribers. `false`: the account has nothing to
                /// which it could happen.
                fn emit(options: Cause) -> value bool: Immediate, called "Sandbox";
                /// Deliveries to subscribers, made and pending.
                fn deliveries() -> json Json: Immediate;
                /// Puts a fault in the way of coming deliveries.
                fn delivery_fault(options: DeliveryFault) -> value (): Immediate, called "Sandbox";
                /// Forgets deliveries and their faults.
                fn clear_deliveries() -> value (): Immediate;
                /// Waits until no delivery is due. `false`: some still are.
                fn settle(timeout: f64) -> value bool: Blocking, called "Sandbox";
                /// Lets time pass until no delivery is left.
                fn drain(timeout: f64) -> value bool: Blocking, called "Sandbox";
                /// Stops it and waits until its ports are closed.
                fn stop() -> value (): Blocking;
            }

            /// A fault that was put into a sandbox.
            fault {
                /// How many calls it has hit.
                fn hits() -> value u64: Immediate;
                /// Takes it away.
                fn remove() -> value (): Immediate;
            }
        }
    };
}
