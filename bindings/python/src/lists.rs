//! Complete lists, page by page.

use crate::error;
use crate::from_python::from_python;
use crate::to_python::to_python;
use crate::work::Work;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use sondage::condition::Expression;
use sondage::operation::{Operation, Paged};
use sondage::operations;
use sondage::paging::{Members, Pager, Rows};
use sondage::{Client, Error, Result};
use std::sync::Arc;
use tokio::sync::Mutex;

/// The pages of a list, one after the other.
#[pyclass(frozen, module = "sondage._native")]
pub struct Pages(Box<dyn Fn() -> Work + Send + Sync>);

impl Pages {
    fn new<T: Serialize + Send + 'static>(py: Python<'_>, pager: Result<Pager<Vec<T>>>) -> PyResult<Self>
    where
        Vec<T>: Rows,
    {
        let pager = pager.map_err(|error| error::raise(py, &error))?;
        let pager = Arc::new(Mutex::new(pager));
        Ok(Self(Box::new(move || {
            let pager = pager.clone();
            let next = async move { pager.lock().await.next().await };
            Work::new(next, |py, page| to_python(py, &page).map(Bound::unbind))
        })))
    }
}

#[pymethods]
impl Pages {
    /// The rows of the next page as a list; `None` when the list is complete.
    fn next(&self) -> Work {
        self.0()
    }
}

/// What can be chosen about a list of members.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    fields: Option<Vec<String>>,
    r#where: Option<Expression>,
    interviews: bool,
    page_size: Option<i64>,
    check_count: Option<bool>,
    /// For a table: whether types and labels come from the definition of the panel, and in which language.
    pub definition: bool,
    pub language: Option<String>,
}

/// The members of a panel.
pub fn members(client: &Client, panel_id: &Bound<'_, PyAny>, choices: &Bound<'_, PyAny>) -> PyResult<Pages> {
    let (query, _) = query(client, panel_id, choices)?;
    Pages::new(panel_id.py(), query.pager())
}

/// The members that were asked for, and the choices that they were made from.
pub fn query(
    client: &Client,
    panel_id: &Bound<'_, PyAny>,
    choices: &Bound<'_, PyAny>,
) -> PyResult<(Members, Choices)> {
    let (panel_id, mut choices): (i64, Choices) = read(("panel_id", panel_id), choices, "members")?;
    let mut members = client.members(panel_id);
    if let Some(fields) = choices.fields.take() {
        members = members.fields(fields);
    }
    if let Some(filter) = choices.r#where.take() {
        members = members.filter(filter);
    }
    if choices.interviews {
        members = members.interviews();
    }
    if let Some(rows) = choices.page_size {
        members = members.page_size(rows);
    }
    if let Some(check) = choices.check_count {
        members = members.check_count(check);
    }
    Ok((members, choices))
}

/// An id, by the name of its argument, and the choices beside it. `method` is what was called, for the error.
pub fn read<T: serde::de::DeserializeOwned>(
    (name, id): (&str, &Bound<'_, PyAny>),
    choices: &Bound<'_, PyAny>,
    method: &str,
) -> PyResult<(i64, T)> {
    let id = from_python(id).map_err(|fault| fault.under(name).raise(choices.py(), method))?;
    let choices = from_python(choices).map_err(|fault| fault.raise(choices.py(), method))?;
    Ok((id, choices))
}

type Prepare = fn(&Client, &Bound<'_, PyAny>) -> PyResult<Pages>;

/// Of every row of the table: its pages, where it has any.
macro_rules! table {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        const TABLE: &[(&str, Option<Prepare>)] = &[$((stringify!($method), table!(@ $Name $($row)*))),*];
    };
    (@ $Name:ident pages $items:ident of $($rest:tt)*) => { Some(pages::<operations::$Name>) };
    (@ $Name:ident $first:tt $($rest:tt)*) => { table!(@ $Name $($rest)*) };
    (@ $Name:ident) => { None };
}
sondage::operations!(table);

/// The complete list of a paged operation.
pub fn find(client: &Client, method: &str, arguments: &Bound<'_, PyAny>) -> PyResult<Pages> {
    match TABLE.iter().find(|(name, _)| *name == method) {
        Some((_, Some(prepare))) => prepare(client, arguments),
        _ => Err(error::raise(
            arguments.py(),
            &Error::invalid_argument(format!("`{method}` does not read a list in pages")),
        )),
    }
}

fn pages<O: Paged>(client: &Client, arguments: &Bound<'_, PyAny>) -> PyResult<Pages>
where
    O::Item: Serialize,
    Vec<O::Item>: Rows,
{
    let py = arguments.py();
    let request = from_python(arguments).map_err(|fault| fault.raise(py, <O as Operation>::INFO.name))?;
    Pages::new(py, client.pages::<O>(request).pager())
}
