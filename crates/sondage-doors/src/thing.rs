//! Things: what a caller holds, and can do something with.

use crate::given::Call;
use crate::language::Language;
use crate::outcome::Done;
use crate::pages::Pages;
use crate::{client, fault, load, login, query, sandbox, update, watch, webhook};
use arrow_array::{RecordBatchIterator, RecordBatchReader};
use arrow_schema::ArrowError;
use sondage_data::{Codebook, Table};

/// What a thing can do.
pub(crate) trait Verbs<L: Language> {
    /// Does it, or says that this is none of its verbs.
    fn call(&self, call: Call<'_, L>) -> Done<L>;
}

macro_rules! things {
    ($($(#[$doc:meta])* $Name:ident($Type:ty);)*) => {
        /// A client, a query, a sandbox, ...: what has verbs.
        #[allow(clippy::large_enum_variant)] // each stands in a handle of its own, never in a row of others
        pub enum Thing<L: Language> {
            $($(#[$doc])* $Name($Type)),*
        }

        impl<L: Language> Thing<L> {
            /// Does what a verb says.
            pub fn call(&self, call: Call<'_, L>) -> Done<L> {
                match self {
                    $(Self::$Name(thing) => Verbs::call(thing, call)),*
                }
            }
        }

        $(impl<L: Language> From<$Type> for Thing<L> {
            fn from(thing: $Type) -> Self {
                Self::$Name(thing)
            }
        })*
    };
}

things! {
    /// A client with the options of its calls.
    Client(client::Client);
    /// A person's login under way.
    Login(login::Pending);
    /// What is asked for: interviews or members.
    Query(query::Query);
    /// A list, page by page.
    Pages(Pages<L>);
    /// Sees how far a download is.
    Watch(watch::Watch);
    /// Interviews or members in rows and columns.
    Table(Table);
    /// A page of a table, and the service's count of the whole.
    Page(query::Page);
    /// What the columns of a table mean.
    Codebook(Codebook);
    /// What rows would change.
    Plan(update::Planned);
    /// A delta load that has not been committed.
    Load(load::Open);
    /// A webhook.
    Hook(webhook::Receiving);
    /// What remembers which events were handled.
    Guard(webhook::Remembering);
    /// What a guard knows about an event.
    Claim(webhook::Claimed);
    /// A platform in this process.
    Sandbox(sandbox::Running);
    /// A fault in that platform.
    Fault(fault::Put);
}

impl<L: Language> Thing<L> {
    /// The client, for calls of operations.
    pub fn client(&self) -> Option<&client::Client> {
        match self {
            Self::Client(client) => Some(client),
            _ => None,
        }
    }

    /// The rows, for whoever understands Arrow; nothing when the thing has none.
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
