//! Functions that need no client: the constructors of handles.

use crate::call::args::{Attachment, Call};
use crate::call::reply::CallResult;
use crate::handle::dispatch;
use crate::language::{ArgResult, Language};
use crate::methods::kinds::Blocking;
use crate::methods::{bridge, core, data, sandbox as platform};
use crate::objects::login::Login;
use crate::objects::sandbox::Sandbox;
use crate::objects::settings::SettingsByName;
use crate::objects::stack::StackOptions;
use crate::objects::watch::Watch;
use crate::objects::webhook::GuardOptions;
use sondage::arguments::{Bytes, EraseFromStoreOptions, ErasedRowsOptions, PictureOptions};
use sondage::condition::Expression;
use sondage::model::Condition;
use sondage::reports::{Comparison, ErasedRows, StoreErasure};
use sondage::webhook::{Guard, Hook, Strategy};
use sondage_data::{PictureFormat, Table};
use sondage_sandbox::Builder;

struct Library;

/// Calls a method that needs no object. (Clients are made by [`Client::new`](crate::objects::client::Client::new).)
pub fn make<L: Language>(call: Call<'_, L>) -> CallResult<L> {
    dispatch!(&Library, call, core::library data::library platform::library bridge::library)
}

impl<L: Language> core::library::Methods<L> for Library {
    fn login(&self, settings: SettingsByName) -> ArgResult<Login, L> {
        Ok(Login::new::<L>(settings)?)
    }

    fn guard(&self, options: GuardOptions) -> ArgResult<Guard, L> {
        Ok(options.guard()?)
    }

    fn hook(&self, settings: String) -> ArgResult<Hook, L> {
        Ok(settings.parse()?)
    }

    fn obscure_hook(&self) -> ArgResult<Hook, L> {
        Ok(Strategy::obscure_url().and_then(Hook::new)?)
    }

    fn compile(&self, filter: Expression) -> ArgResult<Vec<Condition>, L> {
        Ok(filter.compile()?)
    }

    fn filter_text(&self, filter: Expression) -> ArgResult<String, L> {
        Ok(filter.to_string())
    }
}

impl<L: Language> data::library::Methods<L> for Library {
    fn table(&self, bytes: Bytes) -> ArgResult<Table, L> {
        Ok(Table::from_bytes(bytes.0)?)
    }

    fn arrow_table(&self, rows: Attachment<'_, L>) -> ArgResult<Table, L> {
        Ok(Table::from_arrow(crate::objects::rows::rows(rows, None)?)?)
    }

    fn concat(&self, tables: Vec<Bytes>) -> ArgResult<Table, L> {
        let tables: sondage::Result<Vec<_>> =
            tables.into_iter().map(|table| Table::from_bytes(table.0)).collect();
        Ok(Table::concat(&tables?)?)
    }

    fn compare(&self, tables: Vec<Bytes>) -> ArgResult<Comparison, L> {
        let tables: sondage::Result<Vec<_>> =
            tables.into_iter().map(|table| Table::from_bytes(table.0)).collect();
        match &tables?[..] {
            [before, after] => Ok(before.compare(after)),
            _ => Err(sondage::Error::invalid_argument("two tables are compared").into()),
        }
    }

    fn stack(&self, options: StackOptions) -> ArgResult<Table, L> {
        Ok(options.stacked()?)
    }

    fn draw(&self, options: PictureOptions) -> ArgResult<String, L> {
        let format = PictureFormat::of_name(&options.format)?;
        Ok(sondage_data::draw(&options.class, &options.result, format)?)
    }

    fn drawn_table(&self, options: PictureOptions) -> ArgResult<Table, L> {
        Ok(sondage_data::table_of(&options.class, &options.result)?)
    }

    fn erase_from_store(&self, options: EraseFromStoreOptions) -> ArgResult<Blocking<StoreErasure>, L> {
        Ok(Box::new(move || {
            let store = sondage_data::store_at(options.path.0, options.shared);
            sondage_data::erase_from_store(&options.receipt.0, store)
        }))
    }

    fn erased_rows(&self, options: ErasedRowsOptions) -> ArgResult<ErasedRows, L> {
        Ok(sondage_data::erased_rows(&options)?)
    }
}

impl<L: Language> platform::library::Methods<L> for Library {
    fn sandbox(&self, builder: Builder) -> ArgResult<Blocking<Sandbox>, L> {
        Ok(Box::new(move || Sandbox::start(builder)))
    }
}

impl<L: Language> bridge::library::Methods<L> for Library {
    fn watch(&self) -> ArgResult<Watch, L> {
        Ok(Watch::default())
    }
}
