//! Expands the rows of the generated files to the functions that Kotlin and Swift call.

/// Builds a request, or options, from arguments, each of which may be invalid. A filter may replace the conditions among
/// them.
macro_rules! made {
    ($Made:ty { $($needed:ident),* } { $($taken:ident),* } $({ $filtered:ident by $filter:ident })?) => {
        (|| -> Result<$Made, ConversionError> {
            #[allow(unused_mut)] // of a request that has nothing to leave out
            let mut request = <$Made>::exact(
                $(TryFromFfi::try_from_ffi($needed).map_err(|wrong| wrong.in_field(stringify!($needed)))?),*
            );
            $(let $filtered = $crate::condition::conditions($filtered, $filter)
                .map_err(|wrong| wrong.in_field(stringify!($filtered)))?;)?
            $(set!(request, $taken, TryFromFfi::try_from_ffi($taken).map_err(|wrong| wrong.in_field(stringify!($taken)))?);)*
            Ok(request)
        })()
    };
}

/// Sets a field. Rust reserves `where`: there the field is called `filter`.
macro_rules! set {
    ($options:ident, r#where, $value:expr) => {
        $options.filter = $value
    };
    ($options:ident, $field:ident, $value:expr) => {
        $options.$field = $value
    };
}

/// Expands rows such as
///
/// ```text
/// /// Documentation.
/// DoIt do_it(DoItRequest) -> DoItResponse {
///     needs { number: i64 }
///     takes { name: Option<String>, conditions: Option<Vec<Condition>> }
///     filters { conditions by r#where }
/// }
/// ```
///
/// to a function of each client. Parameters under `takes` may be omitted.
macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])*
        $Name:ident $method:ident($Request:ident) -> $Answer:ident {
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty),* $(,)? }
            $(filters { $filtered:ident by $filter:ident })?
        }
    )*) => { $(
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl Client {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = None,)* $($filter = None)?))]
            pub async fn $method(
                &self, $($needed: $Needed,)* $($taken: $Taken,)* $($filter: Option<Arc<Filter>>)?
            ) -> Result<$Answer, SondageError> {
                let request = made!(core::$Request { $($needed),* } { $($taken),* } $({ $filtered by $filter })?);
                self.call::<::sondage::operations::$Name, _>(request).await
            }
        }

        #[cfg(feature = "blocking")]
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl BlockingClient {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = None,)* $($filter = None)?))]
            pub fn $method(
                &self, $($needed: $Needed,)* $($taken: $Taken,)* $($filter: Option<Arc<Filter>>)?
            ) -> Result<$Answer, SondageError> {
                let request = made!(core::$Request { $($needed),* } { $($taken),* } $({ $filtered by $filter })?);
                self.call::<::sondage::operations::$Name, _>(request)
            }
        }
    )* };
}

/// Expands rows such as
///
/// ```text
/// /// Documentation.
/// ReadThings thing_pages(ReadThingsRequest) -> ThingPages of Thing {
///     needs { number: i64 }
///     takes { conditions: Option<Vec<Condition>> }
/// }
/// ```
///
/// to a reader of the pages of the list, and a function of each client that starts it.
macro_rules! lists {
    ($(
        $(#[doc = $doc:literal])*
        $Name:ident $method:ident($Request:ident) -> $Pages:ident of $Item:ty {
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty),* $(,)? }
            $(filters { $filtered:ident by $filter:ident })?
        }
    )*) => { $(
        async_and_blocking! {
            exported {
                $(#[doc = $doc])*
                #[uniffi::method(default($($taken = None,)* $($filter = None,)? page_size = None))]
                pub fn $method(
                    &self,
                    $($needed: $Needed,)* $($taken: $Taken,)* $($filter: Option<Arc<Filter>>,)?
                    page_size: Option<i64>,
                ) -> Result<$Pages, SondageError> {
                    let request = made!(core::$Request { $($needed),* } { $($taken),* } $({ $filtered by $filter })?);
                    self.pages::<::sondage::operations::$Name>(request, page_size).map($Pages)
                }
            }
        }

        /// The pages of a list, which are complete or end with an error. Read one at a time.
        #[derive(uniffi::Object)]
        pub struct $Pages($crate::pages::Pages<Vec<<::sondage::operations::$Name as ::sondage::operation::Paged>::Item>>);

        #[uniffi::export]
        impl $Pages {
            /// The next page; nothing at the end.
            pub async fn next(&self) -> Result<Option<Vec<$Item>>, SondageError> {
                Ok(self.0.next().await?)
            }
        }

        #[cfg(feature = "blocking")]
        #[uniffi::export]
        impl $Pages {
            /// The next page, blocking; nothing at the end.
            pub fn next_blocking(&self) -> Result<Option<Vec<$Item>>, SondageError> {
                Ok(self.0.next_blocking()?)
            }
        }
    )* };
}
