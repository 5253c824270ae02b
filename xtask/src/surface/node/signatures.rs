//! Hand-written methods in JavaScript, which take their documentation from the rows, or from the crate that uniffi
//! reads.

use super::super::structs::docs_above;
use super::super::{Generated, prose};
use super::{comment, generated};
use std::fmt::Write;

/// The table of an object, its interface, and its methods: the row or function that documents each, its signature, and
/// additional documentation.
type Described = (&'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

const CORE: &str = "crates/sondage/src/methods.rs";
const SANDBOX: &str = "crates/sondage-sandbox/src/methods.rs";
const GUARD: &str = "bindings/uniffi/src/webhook/guard.rs";
const HEAD: &str = "import type { Client } from './client.js';
import type { DeliveryFault, Fault } from './sandbox.js';
import type { JsonValue } from './values.js';
";
const ALL: [Described; 4] = [
    (
        CORE,
        "Claim",
        &[
            ("state", "readonly state: 'new' | 'done' | 'busy'", ""),
            ("", "readonly isNew: boolean", "Whether the event is to be handled now."),
            (
                "",
                "readonly status: 204 | 503",
                "The status to respond with: 503, if `busy`, makes the service retry.",
            ),
            ("pub fn done(", "done(): void", ""),
            ("pub fn release(", "release(): void", "`using` calls it."),
            ("", "[Symbol.dispose](): void", "The same as `release`."),
        ],
    ),
    (
        CORE,
        "LoginEnds",
        &[
            ("listen", "listen(options?: { signal?: AbortSignal | undefined }): Promise<Client>", ""),
            (
                "paste",
                "paste(address: string, options?: { signal?: AbortSignal | undefined }): Promise<Client>",
                "",
            ),
        ],
    ),
    (
        SANDBOX,
        "DeliveryMethods",
        &[
            ("delivery_fault", "fault(fault: DeliveryFault): Promise<void>", ""),
            ("clear_deliveries", "clear(): Promise<void>", ""),
            (
                "settle",
                "settle(options?: { timeout?: number }): Promise<boolean>",
                "`timeout`: in milliseconds.",
            ),
            (
                "drain",
                "drain(options?: { timeout?: number }): Promise<boolean>",
                "`timeout`: in milliseconds.",
            ),
        ],
    ),
    (
        SANDBOX,
        "SandboxMethods",
        &[
            ("fault", "fault(fault: Fault): Promise<void>", ""),
            ("clear_faults", "clearFaults(): Promise<void>", ""),
            ("clear_ledger", "clearLedger(): Promise<void>", ""),
            ("now", "now(): Promise<Date>", ""),
            ("advance", "advance(seconds: number): Promise<void>", "In whole seconds."),
            ("set_time", "setTime(time: Date | null): Promise<void>", ""),
            ("set_profile", "changeProfile(changes: Record<string, JsonValue>): Promise<void>", ""),
            ("revoke_tokens", "revokeTokens(): Promise<void>", ""),
            ("stop", "stop(): void", ""),
        ],
    ),
];

pub fn file() -> Generated {
    let mut body = String::from(HEAD);
    for (table, interface, methods) in ALL {
        let object =
            if table == SANDBOX { "sandbox {" } else { &format!("{} {{", interface[..5].to_lowercase()) };
        let about = comment(&prose::paragraphs(&docs_above(table, object)), 0);
        let _ = write!(body, "\n{about}export interface {interface} {{\n");
        for (name, signature, more) in methods {
            let docs = match *name {
                "" => String::new(),
                name if name.starts_with("pub fn") => docs_above(GUARD, name),
                name => docs_above(table, &format!("fn {name}(")),
            };
            let docs = format!("{} {more}", prose::line(&docs));
            let _ = writeln!(body, "{}  {signature};", comment(&[docs.trim().to_owned()], 2));
        }
        body.push_str("}\n");
    }
    generated("node/types/described.d.ts", "the methods.rs of the crates", &body)
}
