//! The methods of both clients, written once for the async and the blocking one.

/// The same functions for both clients.
macro_rules! async_and_blocking {
    (exported $functions:tt) => {
        async_and_blocking! { #[uniffi::export] #[allow(clippy::too_many_arguments)] $functions }
    };
    ($(#[$attribute:meta])* { $($function:tt)* }) => {
        $(#[$attribute])*
        impl Client { $($function)* }

        #[cfg(feature = "blocking")]
        $(#[$attribute])*
        impl BlockingClient { $($function)* }
    };
}

/// Functions that are async in one client and blocking in the other. Their body is a function of the same name, which
/// takes the core's client and the same arguments.
macro_rules! blocking_and_async {
    ($(
        $(#[$($attribute:tt)*])*
        $name:ident($($argument:ident: $Argument:ty),* $(,)?) -> $Result:ty;
    )*) => {
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl Client {
            $(
                $(#[$($attribute)*])*
                pub async fn $name(&self, $($argument: $Argument),*) -> Result<$Result, $crate::SondageError> {
                    Ok($name(self.core(), $($argument),*).await?)
                }
            )*
        }

        #[cfg(feature = "blocking")]
        #[uniffi::export]
        #[allow(clippy::too_many_arguments)]
        impl BlockingClient {
            $(
                $(#[$($attribute)*])*
                pub fn $name(&self, $($argument: $Argument),*) -> Result<$Result, $crate::SondageError> {
                    Ok(sondage::internals::runtime::block_on($name(self.core(), $($argument),*))?)
                }
            )*
        }
    };
}
