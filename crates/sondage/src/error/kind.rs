//! The kinds of error: one for each thing that a caller can do next.

use std::fmt;

/// Passes every kind of error to a macro: its documentation, its name, and the name of its constructor. The language
/// bindings make their exceptions from it.
#[macro_export]
macro_rules! error_kinds {
    ($apply:path) => {
        $apply! {
            /// An argument is wrong, or the client is closed. Nothing was sent: correct the call.
            InvalidArgument invalid_argument;
            /// The client's settings are missing, wrong or contradict each other. Nothing was sent: correct them.
            Configuration configuration;
            /// The service rejected the credentials or the token. Nothing was changed: check the credentials.
            Authentication authentication;
            /// The credentials are valid, but do not permit this call. Nothing was changed: ask for the permission.
            PermissionDenied permission_denied;
            /// The service understood the call and refused it. `error_code` and `error_message` are the service's own.
            Api api;
            /// Too many calls. The service did not carry out the call: call again after `retry_after`.
            RateLimited rate_limited;
            /// The calls or bytes of the day are used up, and the setting `budget` stops at the limit. Nothing was sent: call
            /// again when the day has ended, after `retry_after`.
            BudgetSpent budget_spent;
            /// The service could not be reached, or did not respond in time, and nothing was changed: call again later.
            Network network;
            /// A write may or may not have taken effect. Find out first, as `reconcile` says; if `safe_to_retry` is true,
            /// call again.
            OutcomeUnknown outcome_unknown;
            /// A list is incomplete. The error says what is missing: read the list again.
            Incomplete incomplete;
            /// The service's response cannot be understood.
            UnexpectedResponse unexpected_response;
            /// A defect of this library: please report it.
            Internal internal;
        }
    };
}

macro_rules! define {
    ($($(#[doc = $doc:literal])* $Kind:ident $method:ident;)*) => {
        /// The kinds of error, each named for what the caller does next.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind { $($(#[doc = $doc])* $Kind,)* }

        impl ErrorKind {
            /// Every kind with its documentation.
            pub const ALL: &'static [(ErrorKind, &'static str)] = &[$((Self::$Kind, concat!($($doc),*))),*];

            /// The name, which is the same in every language.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$Kind => stringify!($Kind),)* }
            }
        }
    };
}
error_kinds!(define);

impl ErrorKind {
    /// The advice when there is none more specific.
    pub(crate) fn advice(self, explains: bool) -> &'static str {
        match self {
            Self::InvalidArgument => "Correct the call and make it again.",
            Self::Configuration if !explains => "Correct the client's settings.",
            Self::Configuration => {
                "Correct the client's settings; `config.explain()` shows where each comes from."
            }
            Self::Authentication => "Check the credentials.",
            Self::PermissionDenied => {
                "Ask an administrator of the account for the right, or use other credentials."
            }
            Self::Api => "See the service's message for what to change.",
            Self::RateLimited => "Call again after the time that `retry_after` names.",
            Self::BudgetSpent => "Call again when the day has ended.",
            Self::Network => "Check the connection and call again.",
            Self::OutcomeUnknown => "Find out whether it happened before you make the call again.",
            Self::Incomplete => "Read the list again.",
            Self::UnexpectedResponse => "Check that the base address is right; if it is, please report this.",
            Self::Internal => "Please report this with the steps that led to it.",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
