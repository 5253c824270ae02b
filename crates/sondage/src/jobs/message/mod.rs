//! Messages to people: who gets one and who does not. The members are named one by one in the call that sends, so nobody who joins
//! in between gets a message.

mod audience;
pub(super) mod invite;
pub(super) mod mail;
pub(super) mod newcomers;
pub(super) mod remind;
