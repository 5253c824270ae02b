//! Where things come from, other than from other things.

use crate::given::Call;
use crate::language::Language;
use crate::login::Pending;
use crate::outcome::{Done, Gift, Outcome};
use crate::sandbox::Running;
use crate::watch::Watch;
use crate::webhook;
use sondage::condition::Expression;
use sondage::webhook::{Guard, Hook};

/// Makes a thing, or does what needs none. (A client is made by [`Client::new`](crate::client::Client::new).)
pub fn make<L: Language>(call: &Call<'_, L>) -> Done<L> {
    match call.verb {
        "login" => Outcome::thing(Pending::new(call)?),
        "watch" => Outcome::thing(Watch::default()),
        "guard" => Outcome::thing(Guard::new(call.read_as("capacity")?)),
        "hook" => Outcome::thing(call.read_as::<String>("settings")?.parse::<Hook>()?),
        "obscureHook" => Outcome::thing(webhook::obscure()?),
        "sandbox" => {
            let builder = call.read_of("Sandbox", "")?;
            Outcome::here(move || Running::start(builder).map(|sandbox| Gift::thing(sandbox)))
        }
        // The conditions that a request carries for a filter.
        "compile" => Outcome::value(call.read_of::<Expression>("", "where")?.compile()?),
        _ => Err(call.unknown()),
    }
}
