//! Every row of the tables of methods that need no Arrow has a function here: a missing one does not compile, and the compiler names it.

use crate::operations::panel::MemberPages;
use crate::{BlockingClient, Claim, Client, Filter, Guard, Hook, Login};

/// The function of a row, if it has another name.
macro_rules! function {
    // A filter is compiled where it is used.
    (library compile) => {
        Filter::conditions
    };
    // What a filter prints is its own method there.
    (library filter_text) => {
        ()
    };
    (library guard) => {
        (Guard::new, Guard::in_folder)
    };
    (library hook) => {
        Hook::from_json
    };
    (library login) => {
        Login::new
    };
    (library obscure_hook) => {
        Hook::obscure_url
    };
    // Lists are based on the operations.
    (client members) => {
        (Client::member_pages, BlockingClient::member_pages)
    };
    // `close` of both languages takes no timeout.
    (client close) => {
        (Client::close_within, BlockingClient::close_within)
    };
    // Records cannot contain additional data: docs/parity.md.
    (client whole) => {
        ()
    };
    (client $method:ident) => {
        (Client::$method, BlockingClient::$method)
    };
    (login listen) => {
        (Login::listen, Login::listen_blocking)
    };
    (login paste) => {
        (Login::paste, Login::paste_blocking)
    };
    (login $method:ident) => {
        Login::$method
    };
    (pages next) => {
        (MemberPages::next, MemberPages::next_blocking)
    };
    // A table needs Arrow.
    (pages table) => {
        ()
    };
    (hook settings) => {
        Hook::to_json
    };
    // A call takes its parts there: `url` and `security_token`.
    (hook registration) => {
        ()
    };
    (hook $method:ident) => {
        Hook::$method
    };
    (guard claim) => {
        Guard::claim_keys
    };
    (guard $method:ident) => {
        Guard::$method
    };
    (claim end) => {
        (Claim::done, Claim::release)
    };
    (claim $method:ident) => {
        Claim::$method
    };
    ($object:ident $method:ident) => {
        of_an_object!($object $method)
    };
}

macro_rules! every_row {
    ($(
        $(#[doc = $about:literal])*
        $object:ident { $(
            $(#[doc = $doc:literal])*
            fn $method:ident($($argument:ident: $Argument:ty)?) -> $class:ident $Result:ty: $kind:ident
            $(, progress $Progress:ty)? $(, with $with:ident)? $(, called $called:literal)?;
        )* }
    )*) => {
        const _: () = {
            $($(let _ = function!($object $method);)*)*
        };
    };
}
sondage::methods!(every_row);
sondage_jobs::methods!(every_row);
