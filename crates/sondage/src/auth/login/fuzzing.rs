//! Entry points of this folder for the fuzzer. They are compiled for the fuzzer only.

use super::answer::LoginAnswer;
use super::request;
use crate::model::Secret;

/// Judges a request as the listener does, and returns the code if the request was accepted.
pub async fn judged(mut bytes: &[u8], state: &Secret) -> Option<String> {
    let request = request::read(&mut bytes).await?;
    let answer = LoginAnswer::read(&request.pairs);
    if answer.is_nothing() || !answer.belongs_to(state) {
        return None;
    }
    answer.code(state).ok().map(|code| code.reveal().to_owned())
}
