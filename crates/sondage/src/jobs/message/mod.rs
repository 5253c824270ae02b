//! Messages to people: who gets one and who does not. The call that sends names each member, so nobody who joins the panel in
//! between gets a message.

mod audience;
pub(super) mod invite;
pub(super) mod mail;
pub(super) mod newcomers;
pub(super) mod remind;
