//! Every operation of the table by its name. The table is expanded here once; no operation has a line of its own.

use crate::answer;
use crate::from_python::from_python;
use crate::work::Work;
use pyo3::prelude::*;
use sondage::operation::Operation;
use sondage::operations;
use sondage::{Client, Error};

/// Makes the work of one operation out of its arguments. The last argument: whether the whole answer is wanted.
type Prepare = fn(&Client, &Bound<'_, PyAny>, bool) -> PyResult<Work>;

macro_rules! table {
    ($(
        $(#[doc = $doc:literal])*
        $area:ident $Name:ident $method:ident($Request:ident) -> $Response:ident { $($row:tt)* }
    )*) => {
        const TABLE: &[(&str, Prepare)] = &[$((stringify!($method), prepare::<operations::$Name>)),*];
    };
}
sondage::operations!(table);

/// The work of an operation.
pub fn find(client: &Client, method: &str, arguments: &Bound<'_, PyAny>, whole: bool) -> PyResult<Work> {
    match TABLE.iter().find(|(name, _)| *name == method) {
        Some((_, prepare)) => prepare(client, arguments, whole),
        None => Err(crate::error::raise(
            arguments.py(),
            &Error::internal(format!("`{method}` is no operation of this version")),
        )),
    }
}

fn prepare<O: Operation>(client: &Client, arguments: &Bound<'_, PyAny>, whole: bool) -> PyResult<Work> {
    let request: O::Request =
        from_python(arguments).map_err(|fault| fault.raise(arguments.py(), O::INFO.name))?;
    let client = client.clone();
    Ok(Work::new(async move { client.answer::<O>(request).await }, move |py, answer| {
        answer::to_python(py, &answer, whole)
    }))
}
