//! The response to a login, as the browser delivers it. How the service sends it is not published: query,
//! fragment and form post are all read.

use crate::auth::oauth_error::OAuthErrorBody;
use crate::error::{Error, Redactor, Result, Untrusted};
use crate::model::Secret;
use crate::text;
use subtle::ConstantTimeEq;
use url::form_urlencoded;

/// A response to a login, not yet verified.
#[derive(Default)]
pub(super) struct LoginAnswer {
    code: Option<Secret>,
    state: Option<Secret>,
    error: Option<String>,
    description: Option<String>,
    /// A parameter occurred twice, so it is unclear which one is genuine.
    twice: bool,
}

impl LoginAnswer {
    /// Reads `code=...&state=...`.
    pub(super) fn read(pairs: &str) -> Self {
        let mut answer = Self::default();
        for (name, value) in form_urlencoded::parse(pairs.as_bytes()) {
            let value = value.into_owned();
            answer.twice |= match &*name {
                "code" => answer.code.replace(value.into()).is_some(),
                "state" => answer.state.replace(value.into()).is_some(),
                "error" => answer.error.replace(value).is_some(),
                "error_description" => answer.description.replace(value).is_some(),
                _ => false,
            };
        }
        answer
    }

    /// Reads what a person has pasted: a whole URL, or the part after `?` or `#`.
    pub(super) fn pasted(text: &str) -> Result<Self> {
        let text = text.trim().trim_matches(['<', '>', '"', '\'']);
        // The code may be in the query or in the fragment, so both are read.
        let answer = text.split(['?', '#']).map(Self::read).find(|answer| !answer.is_nothing());
        answer.ok_or_else(|| {
            Error::invalid_argument("the pasted text has no `code=`")
                .with_hint("Paste the whole address that the browser shows after the login.")
        })
    }

    /// Whether it holds neither a code nor an error.
    pub(super) fn is_nothing(&self) -> bool {
        self.code.is_none() && self.error.is_none()
    }

    /// Whether it belongs to this login. The state is compared in constant time.
    pub(super) fn belongs_to(&self, state: &Secret) -> bool {
        let expected_state = self.state.as_ref().map_or("", Secret::reveal);
        !self.twice && bool::from(expected_state.as_bytes().ct_eq(state.reveal().as_bytes()))
    }

    /// The code, when the response belongs to this login and holds one.
    pub(super) fn code(self, state: &Secret) -> Result<Secret> {
        if !self.belongs_to(state) {
            return Err(Error::authentication(
                "the response does not belong to this login: its `state` is different",
            )
            .with_hint(
                "Open the address of this login, and paste the address to which it redirects. If you did \
                            that, somebody may be interfering.",
            ));
        }
        if let Some(error) = self.error {
            // Any program that can open this address can send a request to it: only a code with the right state belongs
            // to the login.
            let redactor = Redactor::new(self.state.iter().chain(&self.code).map(Secret::reveal));
            let show = |said: String| Untrusted::new(&said).sentence(&redactor);
            let (code, text) = (show(error), self.description.and_then(show));
            let oauth_error = OAuthErrorBody { code, text };
            return Err(Error::authentication(text!("the login was not completed{}", oauth_error.quoted()))
                .with_hint("Log in again, and allow the access.")
                .with_error_code(oauth_error.code)
                .with_error_message(oauth_error.text));
        }
        self.code
            .filter(|code| !code.is_empty())
            .ok_or_else(|| Error::authentication("the login returned no code").with_hint("Log in again."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_in_every_form() {
        let state: Secret = "st+ate".into();
        for text in [
            "http://127.0.0.1:1/?code=a%2Fb&state=st%2Bate",
            "https://x.example/back#state=st%2Bate&code=a%2Fb&session_state=1",
            "  <https://x.example/back?lang=de#code=a%2Fb&state=st%2Bate>\n",
            "code=a%2Fb&state=st%2Bate",
            "?code=a%2Fb&state=st%2Bate",
        ] {
            let code = LoginAnswer::pasted(text).unwrap().code(&state).unwrap();
            assert_eq!(code.reveal(), "a/b", "{text}");
        }
    }

    #[test]
    fn what_is_refused() {
        let state: Secret = "right".into();
        let error = |text: &str| {
            LoginAnswer::pasted(text).and_then(|answer| answer.code(&state)).unwrap_err().to_string()
        };
        assert!(error("hello").contains("no `code=`"));
        assert!(error("code=a").contains("`state`"));
        assert!(error("code=a&state=wrong").contains("`state`"));
        assert!(error("code=a&state=wrong&state=right").contains("`state`"), "twice is not once");
        assert!(error("code=a&code=b&state=right").contains("`state`"));
        assert!(error("code=&state=right").contains("returned no code"));
        let refused = error("error=access_denied&error_description=No%1b[31m+way&state=right");
        assert!(refused.contains("access_denied") && refused.contains("\\u{1b}[31m way"), "{refused}");
    }
}
