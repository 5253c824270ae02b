//! From the rows of the generated files to the functions that Kotlin and Swift call.

/// A request from its arguments, each of which may be wrong.
macro_rules! request {
    ($Request:ident { $($needed:ident),* } { $($taken:ident),* }) => {
        (|| -> Result<core::$Request, Wrong> {
            #[allow(unused_mut)] // of a request that has nothing to leave out
            let mut request = core::$Request::exact(
                $(Take::take($needed).map_err(|wrong| wrong.in_field(stringify!($needed)))?),*
            );
            $(request.$taken = Take::take($taken).map_err(|wrong| wrong.in_field(stringify!($taken)))?;)*
            Ok(request)
        })()
    };
}

/// Expands rows such as
///
/// ```text
/// /// Documentation.
/// DoIt do_it(DoItRequest) -> DoItResponse {
///     needs { number: i64 }
///     takes { name: Option<String> }
/// }
/// ```
///
/// to a function of each client. What stands under `takes` may be left out.
macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])*
        $Name:ident $method:ident($Request:ident) -> $Answer:ident {
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty),* $(,)? }
        }
    )*) => { $(
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl Client {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = None),*))]
            pub async fn $method(
                &self, $($needed: $Needed,)* $($taken: $Taken),*
            ) -> Result<$Answer, SondageError> {
                let request = request!($Request { $($needed),* } { $($taken),* });
                self.call::<::sondage::operations::$Name, _>(request).await
            }
        }

        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl BlockingClient {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = None),*))]
            pub fn $method(
                &self, $($needed: $Needed,)* $($taken: $Taken),*
            ) -> Result<$Answer, SondageError> {
                let request = request!($Request { $($needed),* } { $($taken),* });
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
/// to a reader of the pages of the list, and a function of each client that begins it.
macro_rules! lists {
    ($(
        $(#[doc = $doc:literal])*
        $Name:ident $method:ident($Request:ident) -> $Pages:ident of $Item:ty {
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty),* $(,)? }
        }
    )*) => { $(
        twins! {
            exported {
                $(#[doc = $doc])*
                #[uniffi::method(default($($taken = None,)* page_size = None))]
                pub fn $method(
                    &self, $($needed: $Needed,)* $($taken: $Taken,)* page_size: Option<i64>,
                ) -> Result<$Pages, SondageError> {
                    let request = request!($Request { $($needed),* } { $($taken),* });
                    self.pages::<::sondage::operations::$Name>(request, page_size).map($Pages)
                }
            }
        }

        /// The pages of a list. They are complete or end with an error; read one at a time.
        #[derive(uniffi::Object)]
        pub struct $Pages($crate::pages::Pages<Vec<<::sondage::operations::$Name as ::sondage::operation::Paged>::Item>>);

        #[uniffi::export]
        impl $Pages {
            /// The next page; nothing at the end.
            pub async fn next(&self) -> Result<Option<Vec<$Item>>, SondageError> {
                Ok(self.0.next().await?)
            }

            /// The next page, for code that waits; nothing at the end.
            pub fn next_blocking(&self) -> Result<Option<Vec<$Item>>, SondageError> {
                Ok(self.0.next_blocking()?)
            }
        }
    )* };
}
