//! Every operation of the table. The table is expanded here once; no operation has code of its own.

use crate::call::reply::{Output, Work};
use crate::language::{ArgContext, ArgResult, Language};
use crate::objects::answer::{answered, output};
use crate::objects::client::Client;
use crate::objects::pages::Pages;
use serde::Serialize;
use sondage::internals::call::typeless::TypelessCall;
use sondage::operation::{Operation, Paged};
use sondage::paging::Rows;
use sondage::{Error, operations};
use sondage_data::Tables;
use std::marker::PhantomData;

/// Makes the work of an operation from its arguments.
type Make<L> = fn(&Client, <L as Language>::Args<'_>) -> ArgResult<Work<L>, L>;
/// Makes the pages of a list.
type List<L> = fn(&Client, <L as Language>::Args<'_>) -> ArgResult<Pages<L>, L>;

/// An operation, as a language calls it.
pub struct Row<L: Language> {
    /// Its name in Rust.
    pub name: &'static str,
    pub(crate) make: Make<L>,
    list: Option<List<L>>,
}

struct Table<L>(PhantomData<L>);

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        impl<L: Language> Table<L> {
            const ROWS: &'static [Row<L>] = &[$(Row {
                name: stringify!($method),
                make: make::<L, operations::$Name>,
                list: table!(@ $Name $($row)*),
            }),*];
        }
    };
    (@ $Name:ident pages $items:ident of $($rest:tt)*) => { Some(list::<L, operations::$Name>) };
    (@ $Name:ident $first:tt $($rest:tt)*) => { table!(@ $Name $($rest)*) };
    (@ $Name:ident) => { None };
}
sondage::operations!(table);

/// The operations, in the order of the table.
pub fn rows<L: Language>() -> &'static [Row<L>] {
    Table::<L>::ROWS
}

/// The operation with this name in Rust.
pub fn find<L: Language>(name: &str) -> Result<&'static Row<L>, Error> {
    let unknown = || Error::internal(format!("`{name}` is not an operation of this version"));
    rows().iter().find(|row| row.name == name).ok_or_else(unknown)
}

impl<L: Language> Row<L> {
    /// The complete list of a paged operation.
    pub fn pages(&self, client: &Client, given: L::Args<'_>) -> ArgResult<Pages<L>, L> {
        let unpaged = || {
            let what = format!("`{}` does not read a list in pages", L::name(self.name));
            Error::invalid_argument(what)
        };
        self.list.ok_or_else(unpaged)?(client, given)
    }
}

fn request<L: Language, O: Operation>(given: L::Args<'_>) -> ArgResult<O::Request, L> {
    L::read(given, &ArgContext { call: O::INFO.name, argument: "", request: Some(O::INFO.request) })
}

fn make<L: Language, O: Operation>(client: &Client, given: L::Args<'_>) -> ArgResult<Work<L>, L> {
    let call = TypelessCall::of::<O>(request::<L, O>(given)?);
    Ok(answered(client, call, output::<L, O::Response>))
}

fn list<L: Language, O: Paged + Clone>(client: &Client, given: L::Args<'_>) -> ArgResult<Pages<L>, L>
where
    O::Item: Serialize,
    Vec<O::Item>: Rows,
{
    let pages = client.core.pages::<O>(request::<L, O>(given)?);
    let (core, whole) = (client.core.clone(), pages.clone());
    Ok(Pages::new(pages.pager()?).or_table(move |names| {
        let list = core.list_table(whole.clone()).names(names);
        Box::pin(async move { Ok(Output::handle(list.table().await?)) })
    }))
}
