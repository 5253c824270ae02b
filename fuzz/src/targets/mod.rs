//! A target is a function that takes any bytes. It fails by a panic.

macro_rules! targets {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// The target of this name.
        pub fn find(name: &str) -> Option<fn(&[u8])> {
            match name {
                $(stringify!($name) => Some($name::run),)*
                _ => None,
            }
        }
    };
}

targets! {
    arrow_import code_plan condition decode envelope filters gunzip login_request manifest oauth_form profile redact rows
    timestamp token_answer webhook
}
