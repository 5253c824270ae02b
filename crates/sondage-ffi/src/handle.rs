//! Handles: objects that a caller holds, with methods.

use crate::call::args::Call;
use crate::call::reply::CallResult;
use crate::language::Language;
use crate::methods::{Row, bridge, core, data, jobs, sandbox as platform};
use crate::objects::pages::Pages;
use crate::objects::{
    change_set, client, import, load, login, message, query, sandbox, update, watch, webhook,
};
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_schema::ArrowError;
use sondage_data::{Codebook, Table};

/// Calls a method of an object from one of these tables, or reports that it does not exist.
macro_rules! dispatch {
    ($object:expr, $call:expr, $($table:ident::$name:ident)*) => {{
        let call = $call;
        $(let call = match $table::$name::call($object, call) {
            Ok(done) => return done,
            Err(call) => call,
        };)*
        Err(call.unknown())
    }};
}
pub(crate) use dispatch;

macro_rules! handles {
    ($($(#[$doc:meta])* $Name:ident($Type:ty): $($table:ident::$object:ident)*;)*) => {
        /// An object with methods: a client, a query, a sandbox, ...
        #[allow(clippy::large_enum_variant)] // a handle is stored individually, never in an array
        pub enum Handle<L: Language> {
            $($(#[$doc])* $Name($Type)),*
        }

        impl<L: Language> Handle<L> {
            /// Calls a method by its name.
            pub fn call(&self, call: Call<'_, L>) -> CallResult<L> {
                match self {
                    $(Self::$Name(object) => dispatch!(object, call, $($table::$object)*)),*
                }
            }
        }

        $(impl<L: Language> From<$Type> for Handle<L> {
            fn from(object: $Type) -> Self {
                Self::$Name(object)
            }
        })*
    };
}

handles! {
    /// A client with the options of its calls.
    Client(client::Client): core::client jobs::client data::client;
    /// A person's login in progress.
    Login(login::Login): core::login;
    /// A query of interviews or members.
    Query(sondage_data::Query): data::query;
    /// A list, page by page.
    Pages(Pages<L>): core::pages;
    /// Reports the progress of a download.
    Watch(watch::Watch): bridge::watch;
    /// A table of interviews or members.
    Table(Table): data::table;
    /// A page of a table, and the service's count of the whole list.
    Page(query::Page): data::page;
    /// The codebook of a table.
    Codebook(Codebook): data::codebook;
    /// The outcome of each row of an import.
    ImportReport(import::ImportReport): data::import_report;
    /// A plan that sends.
    SendPlan(message::SendPlan): jobs::send_plan;
    /// A plan of changes to members.
    Plan(update::Plan): data::update_plan;
    /// A delta load that has not been committed.
    DeltaLoad(load::DeltaLoad): data::load;
    /// Changes for a store that a language writes itself.
    ChangeSet(change_set::ChangeSet): data::change_set;
    /// A webhook.
    Hook(sondage::webhook::Hook): core::hook;
    /// Remembers which events were handled.
    Guard(sondage::webhook::Guard): core::guard;
    /// The result of claiming an event.
    Claim(webhook::Claim): core::claim;
    /// A sandbox in this process.
    Sandbox(sandbox::Sandbox): platform::sandbox;
    /// A fault in a sandbox.
    Fault(sondage_sandbox::FaultHandle): platform::fault;
}

/// The objects with rows in the tables.
#[allow(non_camel_case_types)]
pub(crate) mod objects {
    macro_rules! objects {
        ($($name:ident)*) => { $(pub struct $name;)* };
    }
    objects! { library client login query pages watch table page codebook import_report send_plan update_plan load change_set hook guard claim sandbox fault }
}

/// Every row of every table.
pub fn rows() -> Vec<Row> {
    [core::rows(), jobs::rows(), data::rows(), platform::rows(), bridge::rows()].concat()
}

impl<L: Language> Handle<L> {
    /// The client, for calls of operations.
    pub fn client(&self) -> Option<&client::Client> {
        match self {
            Self::Client(client) => Some(client),
            _ => None,
        }
    }

    /// The client whose calls its work makes, as far as it is known.
    pub fn calls_of(&self) -> Option<&sondage::Client> {
        match self {
            Self::Client(client) => Some(&client.core),
            Self::Query(query) => Some(query.client()),
            _ => None,
        }
    }

    /// The rows as an Arrow stream; `None` for an object without rows.
    pub fn reader(&self) -> Option<Result<Box<dyn RecordBatchReader + Send>, ArrowError>> {
        match self {
            Self::Table(table) => Some(Ok(Box::new(table.reader()))),
            Self::Codebook(codebook) => Some(codebook.to_batch().map(|batch| {
                let schema = batch.schema();
                Box::new(RecordBatchIterator::new([Ok(batch)], schema)) as Box<dyn RecordBatchReader + Send>
            })),
            _ => None,
        }
    }
}
