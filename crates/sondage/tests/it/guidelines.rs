//! What the Rust API guidelines require of types, as far as a compiler can check it: see docs/rust-api.md.

use sondage::auth::{Credentials, Login, MemoryStore, TokenSet};
use sondage::condition::Expression;
use sondage::config::{ClientBuilder, Config, Environment, Explanation};
use sondage::model::{Extra, FieldValue, Json, Member, Secret};
use sondage::operations::ReadSurveyList;
use sondage::paging::{Iter, Members, Pager, Pages};
use sondage::webhook::{Event, Guard, Hook, Refusal};
use sondage::{CallOptions, Client, Error, RawCall, Response, Timestamp, blocking};
use std::error;
use std::fmt::Debug;

/// C-SEND-SYNC and C-DEBUG.
fn shared<T: Send + Sync + Debug>() {}

/// C-COMMON-TRAITS, where a clone makes sense.
fn copied<T: Clone + Send + Sync + Debug>() {}

#[test]
fn public_types_can_be_shared_between_threads_shown_and_copied() {
    copied::<Client>();
    copied::<blocking::Client>();
    copied::<ClientBuilder>();
    copied::<Config>();
    copied::<Environment>();
    copied::<Explanation>();
    copied::<CallOptions>();
    copied::<RawCall>();
    copied::<Response<Member>>();
    copied::<Error>();
    copied::<Credentials>();
    copied::<TokenSet>();
    copied::<Expression>();
    copied::<Member>();
    copied::<Extra>();
    copied::<FieldValue>();
    copied::<Json>();
    copied::<Secret>();
    copied::<Timestamp>();
    copied::<Pages<ReadSurveyList>>();
    copied::<Members>();
    copied::<Hook>();
    copied::<Event>();
    copied::<Refusal>();
    shared::<Guard>();
    shared::<Login>();
    shared::<MemoryStore>();
}

/// A reader and an iterator are used by one thread at a time, and may move between threads.
#[test]
fn readers_may_change_threads() {
    fn sent<T: Send + Debug>() {}
    sent::<Pager<Vec<Member>>>();
    sent::<Iter<Member>>();
}

/// C-GOOD-ERR: an error can be boxed, sent and asked for its source.
#[test]
fn an_error_is_one_of_the_standard_library() {
    fn good<T: error::Error + Send + Sync + 'static>() {}
    good::<Error>();
    let boxed: Box<dyn error::Error + Send + Sync> = Box::new(Error::invalid_argument("nothing was given"));
    assert!(boxed.downcast_ref::<Error>().is_some());
}

/// Debug output must not reveal a client's address, account or secrets.
#[test]
fn clients_and_lists_are_shown_by_their_names() {
    let builder =
        Client::builder().environment(Environment::empty()).account("https://acme.survalyzer-eu.app");
    let client = builder.client_secret("worthless secret").build_blocking().unwrap();
    assert_eq!(format!("{client:?}"), "Client { tenant: \"acme\", .. }");
    assert_eq!(format!("{:?}", client.members(7)), "Members { .. }");
    let pages = client.pages::<ReadSurveyList>(sondage::model::ReadSurveyListRequest::new(3));
    assert_eq!(format!("{pages:?}"), "Pages { operation: \"ReadSurveyList\", .. }");
}
