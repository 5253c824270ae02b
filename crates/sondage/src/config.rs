//! The settings of a client. (Resolving them from environment and profile comes with its own modules.)
#![allow(missing_docs)]
use crate::transport::http::HttpSettings;
use std::time::Duration;
use url::Url;

#[derive(Clone, Debug)]
pub struct Config {
    pub tenant: String,
    pub base_url: Url,
    pub auth_url: Url,
    pub token: crate::Secret,
    pub http: HttpSettings,
    pub limits: Limits,
    pub retry: RetryPolicy,
    pub deadline: Duration,
    pub first_page: i64,
    pub page_size: i64,
}

#[derive(Clone, Debug)]
pub struct Limits {
    pub answer_bytes: u64,
    pub token_bytes: u64,
    pub error_bytes: u64,
}

#[derive(Clone, Debug)]
pub struct RetryPolicy {
    pub attempts: u32,
    pub base: Duration,
    pub factor: f64,
    pub cap: Duration,
    pub retry_after_cap: Duration,
    pub budget: f64,
}

#[derive(Default)]
pub struct ClientBuilder;
