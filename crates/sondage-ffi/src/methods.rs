//! Expands the table of methods: for each object a trait with its methods, and their dispatch by name.
//!
//! A row without a body, a body without a row, and a duplicate name do not compile. The argument of a row is read before
//! its body is called, and the type of the body's result is that of the row.

use crate::call::args::{Attachment, Call};
use crate::call::reply::{CallResult, Output, Reply};
use crate::handle::objects;
use crate::keys::keys;
use crate::language::{ArgResult, Language};
use crate::objects::watch::Observer;

/// The result of a body, by the kind of its row.
pub mod kinds {
    use sondage::Result;
    use std::pin::Pin;

    /// A result that is available already.
    pub type Immediate<T> = T;
    /// An object whose `next` makes calls.
    pub type Stream<T> = T;
    /// Work for the current thread, which may release the interpreter lock meanwhile.
    pub type Blocking<T> = Box<dyn FnOnce() -> Result<T> + Send>;
    /// Work that makes calls to the service. Dropping it cancels the calls. (A write that was sent continues: the core
    /// sees to that.)
    pub type Call<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;
}

/// A row as data, for the test that compares the table with its callers.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The object it belongs to.
    pub object: &'static str,
    /// Its name in Rust.
    pub name: &'static str,
    /// The name of its argument; `options` for a struct of options.
    pub argument: Option<&'static str>,
    /// The fields of a struct of options, as spelled by callers.
    pub keys: &'static [&'static str],
    /// Its result.
    pub result: &'static str,
    /// Its kind.
    pub kind: &'static str,
    /// Its documentation.
    pub docs: &'static str,
}

macro_rules! expand {
    ($(
        $(#[doc = $about:literal])*
        $object:ident { $(
            $(#[doc = $doc:literal])*
            fn $method:ident($($argument:ident: $Argument:ty)?) -> $class:ident $Result:ty: $kind:ident
            $(, progress $Progress:ty)? $(, with $with:ident)? $(, called $called:literal)?;
        )* }
    )*) => {
        $(
            $(#[doc = $about])*
            pub(crate) mod $object {
                use super::super::*;
                #[allow(unused_imports)] // not every object uses the types of this crate
                use crate::objects::types::*;

                // A duplicate name, in this table or in another one, does not compile.
                #[allow(non_upper_case_globals, dead_code)]
                impl objects::$object {
                    $(const $method: () = ();)*
                }

                /// The body.
                pub(crate) trait Methods<L: Language> {
                    $(
                        $(#[doc = $doc])*
                        fn $method(
                            &self
                            $(, $argument: $Argument)?
                            $(, progress: Observer<$Progress>)?
                            $(, $with: Attachment<'_, L>)?
                        ) -> ArgResult<kinds::$kind<$Result>, L>;
                    )*
                }

                /// Calls a method by its name. Returns the call if there is no such method.
                pub(crate) fn call<'a, L: Language>(
                    object: &impl Methods<L>,
                    call: Call<'a, L>,
                ) -> std::result::Result<CallResult<L>, Call<'a, L>> {
                    $(
                        if call.names(stringify!($method)) {
                            #[allow(dead_code)] // of a method without an argument
                            const CALLED: &str = expand!(@called $method $($called)?);
                            return Ok((move || {
                                $(let $argument = call.read::<$Argument>(CALLED, stringify!($argument))?;)?
                                let output = object.$method(
                                    $($argument,)?
                                    $(Observer::<$Progress>::of(&call.with),)?
                                    $(expand!(@with $with call),)?
                                )?;
                                expand!(@reply $kind $class output)
                            })());
                        }
                    )*
                    Err(call)
                }

                /// Its rows.
                pub(crate) fn rows() -> Vec<Row> {
                    vec![$(Row {
                        object: stringify!($object),
                        name: stringify!($method),
                        argument: expand!(@name $($argument)?),
                        keys: expand!(@keys $($Argument)?),
                        result: stringify!($Result),
                        kind: stringify!($kind),
                        docs: concat!($($doc, "\n"),*).trim_ascii(),
                    }),*]
                }
            }
        )*

        /// All rows of this table.
        pub(crate) fn rows() -> Vec<$crate::Row> {
            [$($object::rows()),*].concat()
        }
    };
    (@called $method:ident) => { stringify!($method) };
    (@called $method:ident $called:literal) => { $called };
    (@with $with:ident $call:ident) => { $call.with };
    (@name) => { None };
    (@name $argument:ident) => { Some(stringify!($argument)) };
    (@keys) => { &[] };
    (@keys $Argument:ty) => { keys::<$Argument>() };
    (@reply Immediate $class:ident $done:ident) => { Ok(Reply::Ready(Output::$class($done))) };
    (@reply Stream $class:ident $done:ident) => { Ok(Reply::Ready(Output::$class($done))) };
    (@reply Blocking $class:ident $done:ident) => {
        Ok(Reply::Blocking(Box::new(move || $done().map(Output::$class))))
    };
    (@reply Call $class:ident $done:ident) => {
        Ok(Reply::Async(Box::pin(async move { $done.await.map(Output::$class) })))
    };
}

/// Methods that need no Arrow.
pub(crate) mod core {
    sondage::methods!(expand);
}

/// Jobs whose rows are no table.
pub(crate) mod jobs {
    sondage_jobs::methods!(expand);
}

/// Methods that need Arrow.
pub(crate) mod data {
    sondage_data::methods!(expand);
}

/// Methods of the sandbox.
pub(crate) mod sandbox {
    sondage_sandbox::sandbox_methods!(expand);
}

/// Methods for polling progress.
pub(crate) mod bridge {
    expand! {
        /// Methods that need no client.
        library {
            /// Reports the progress of a download.
            fn watch() -> handle Watch: Immediate;
        }

        /// Reports the progress of work.
        watch {
            /// The latest progress; nothing before the first call.
            fn now() -> value Option<Progress>: Immediate;
        }
    }
}
