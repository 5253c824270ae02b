//! Any request to the port of a login: a code is accepted only with the right `state`.

use sondage::auth::fuzzing::login_request;

const STATE: &str = "fuzz-state-6f1d";

pub fn run(data: &[u8]) {
    if login_request(data, STATE).is_some() {
        let encoded = data.contains(&b'%');
        let there = data.windows(STATE.len()).any(|part| part == STATE.as_bytes());
        assert!(there || encoded, "a code was accepted without the state");
    }
}
