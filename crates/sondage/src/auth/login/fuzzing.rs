//! What the fuzzer reaches of this folder. It is compiled for the fuzzer only.

use super::answer::LoginAnswer;
use super::request;
use crate::model::Secret;

/// A request as the listener judges it: the code, if it was let in.
pub async fn judged(mut bytes: &[u8], state: &Secret) -> Option<String> {
    let request = request::read(&mut bytes).await?;
    let answer = LoginAnswer::read(&request.pairs);
    if answer.is_nothing() || !answer.belongs_to(state) {
        return None;
    }
    answer.code(state).ok().map(|code| code.reveal().to_owned())
}
