//! Expands the rows of the second table to the functions that Kotlin and Swift call.

use crate::SondageError;
use crate::convert::ConversionError;
use futures_util::future::BoxFuture;
use sondage::Result;
use sondage::job::{Job, Observer};

/// Starts the work of a row, unless one of its options is invalid.
pub fn begin<J: Job>(
    client: &sondage::Client,
    options: std::result::Result<J, ConversionError>,
    with: J::With,
    on_progress: Option<Observer<J::Progress>>,
) -> std::result::Result<BoxFuture<'static, Result<J::Report>>, SondageError> {
    Ok(options.map_err(ConversionError::into_argument_error)?.run(client, with, on_progress))
}

/// What is passed in addition to options.
macro_rules! beside {
    () => {
        ()
    };
    ($with:ident) => {
        $with.map(|with| with.memory().clone())
    };
    (given $given:ident) => {
        $given.core().clone()
    };
}

/// The progress callback.
macro_rules! on_progress {
    () => {
        None
    };
    ($watch:ident) => {
        $watch.map(|watch| watch.observer())
    };
}

/// Expands rows such as
///
/// ```text
/// /// Documentation.
/// do_it(DoItOptions) -> DoItReport {
///     given { hook: Hook }
///     needs { number: i64 }
///     takes { partial: bool = false, name: Option<String> = None }
///     with { unknown_to: Guard }
///     watch { watch: DoItWatch }
/// }
/// ```
///
/// to a function of each client. Parameters below `needs` may be omitted.
macro_rules! jobs {
    ($(
        $(#[doc = $doc:literal])*
        $method:ident($Options:ident) -> $Report:ty {
            given { $($given:ident: $Given:ident)? }
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty = $default:tt),* $(,)? }
            with { $($with:ident: $With:ident)? }
            watch { $($watch:ident: $Watch:ident)? }
        }
    )*) => { $(
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl Client {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = $default,)* $($with = None,)? $($watch = None)?))]
            pub async fn $method(
                &self, $($given: Arc<$Given>,)?
                $($needed: $Needed,)* $($taken: $Taken,)* $($with: Option<Arc<$With>>,)? $($watch: Option<Arc<$Watch>>)?
            ) -> Result<$Report, SondageError> {
                let options = made!(crate::described::options::$Options { $($needed),* } { $($taken),* });
                let work = crate::method::begin(&self.core(), options, beside!($(given $given)? $($with)?), on_progress!($($watch)?))?;
                Ok(work.await?.into_ffi())
            }
        }

        #[cfg(feature = "blocking")]
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl BlockingClient {
            $(#[doc = $doc])*
            #[uniffi::method(default($($taken = $default,)* $($with = None,)? $($watch = None)?))]
            pub fn $method(
                &self, $($given: Arc<$Given>,)?
                $($needed: $Needed,)* $($taken: $Taken,)* $($with: Option<Arc<$With>>,)? $($watch: Option<Arc<$Watch>>)?
            ) -> Result<$Report, SondageError> {
                let options = made!(crate::described::options::$Options { $($needed),* } { $($taken),* });
                let work = crate::method::begin(&self.core(), options, beside!($(given $given)? $($with)?), on_progress!($($watch)?))?;
                Ok(::sondage::internals::runtime::block_on(work)?.into_ffi())
            }
        }
    )* };
}

/// Expands rows of the same form that make no call and give a client.
macro_rules! clients {
    ($(
        $(#[doc = $doc:literal])*
        $method:ident($Options:ident) -> Arc<Client> {
            given {}
            needs { $($needed:ident: $Needed:ty),* $(,)? }
            takes { $($taken:ident: $Taken:ty = $default:tt),* $(,)? }
            with {}
            watch {}
        }
    )*) => {
        async_and_blocking! {
            exported {
                $(
                    $(#[doc = $doc])*
                    #[uniffi::method(default($($taken = $default),*))]
                    pub fn $method(
                        &self, $($needed: $Needed,)* $($taken: $Taken),*
                    ) -> Result<Self, SondageError> {
                        let options = made!(crate::described::options::$Options { $($needed),* } { $($taken),* });
                        let options = options.map_err(ConversionError::into_argument_error)?;
                        Ok(Self::of(self.core().$method(options)?))
                    }
                )*
            }
        }
    };
}

/// Expands rows without an argument that make calls.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* $method:ident() -> $Result:ty;)*) => { $(
        #[uniffi::export]
        impl Client {
            $(#[doc = $doc])*
            pub async fn $method(&self) -> Result<$Result, SondageError> {
                Ok(self.core().$method().await?.into_ffi())
            }
        }

        #[cfg(feature = "blocking")]
        #[uniffi::export]
        impl BlockingClient {
            $(#[doc = $doc])*
            pub fn $method(&self) -> Result<$Result, SondageError> {
                let client = self.core();
                Ok(::sondage::internals::runtime::block_on(async move { client.$method().await })?.into_ffi())
            }
        }
    )* };
}

/// Expands rows without an argument that make no call.
macro_rules! values {
    ($($(#[doc = $doc:literal])* $method:ident() -> $Result:ty;)*) => {
        async_and_blocking! {
            exported {
                $(
                    $(#[doc = $doc])*
                    pub fn $method(&self) -> $Result {
                        self.core().$method().into_ffi()
                    }
                )*
            }
        }
    };
}

/// Expands sets of words to enumerations.
macro_rules! words {
    ($($(#[doc = $doc:literal])* $Words:ident { $($(#[doc = $about:literal])* $Word:ident,)* })*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
        pub enum $Words { $($(#[doc = $about])* $Word,)* }

        const _: () = assert!(described::$Words::ALL.len() == [$(stringify!($Word)),*].len());

        impl IntoFfi<$Words> for described::$Words {
            #[allow(unreachable_patterns)] // some can never have more variants
            fn into_ffi(self) -> $Words {
                match self {
                    $(Self::$Word => $Words::$Word,)*
                    _ => unreachable!("all are listed, as the assertion above proves"),
                }
            }
        }

        impl TryFromFfi<described::$Words> for $Words {
            fn try_from_ffi(self) -> Result<described::$Words, ConversionError> {
                Ok(match self { $(Self::$Word => described::$Words::$Word,)* })
            }
        }

        impl crate::connect::IntoText for $Words {
            fn into_text(self) -> Secret {
                match self { $(Self::$Word => described::$Words::$Word,)* }.as_str().into()
            }
        }
    )* };
}

/// Expands the watch types, each with the progress record that it reports.
macro_rules! watches {
    ($($(#[doc = $doc:literal])* $Watch:ident: $Progress:ident;)*) => { $(
        $(#[doc = $doc])*
        #[derive(Default, uniffi::Object)]
        pub struct $Watch(Arc<Mutex<Option<crate::described::reports::$Progress>>>);

        #[uniffi::export]
        impl $Watch {
            /// A watch belongs to one run.
            #[uniffi::constructor]
            pub fn new() -> Arc<Self> {
                Arc::default()
            }

            /// The latest progress; nothing before the first report.
            pub fn now(&self) -> Option<$Progress> {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).clone().into_ffi()
            }
        }

        impl $Watch {
            /// The progress report of the work.
            pub fn observer(&self) -> ::sondage::job::Observer<crate::described::reports::$Progress> {
                let last = self.0.clone();
                Arc::new(move |now| *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(now.clone()))
            }
        }
    )* };
}
