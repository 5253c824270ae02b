//! Ceilings, and how patient the client is.

use std::time::Duration;

/// How much the client is willing to read, after decompression. A server that sends more is cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one answer of the API. Default: 512 MiB (assumed: the service says 500 MB for a tenant and day).
    pub answer_bytes: u64,
    /// Bytes of an answer that is read into objects. Default: 64 MiB. Tables and files are for more.
    pub object_bytes: u64,
    /// Values in such an answer, objects and lists among them, and 128 bytes of memory for each. Default: 3,500,000.
    pub object_values: u32,
    /// How many times its answers a table may take in memory, beyond 64 MiB. Default: 4. It is more than that only where most
    /// rows lack most of the columns.
    pub table_growth: u32,
    /// Bytes of an answer with a token. Default: 256 KiB (assumed).
    pub token_bytes: u64,
    /// Bytes of an answer with an error status that are read; the rest is ignored. Default: 64 KiB (assumed).
    pub error_bytes: u64,
}

/// When and how often a call is repeated that may be repeated at all.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// How often a call is tried, the first time included. Default: 3.
    pub attempts: u32,
    /// The longest wait before the second attempt; the real one is random. Default: 0.5 s.
    pub base: Duration,
    /// By how much the longest wait grows with each attempt. Default: 2.
    pub factor: f64,
    /// What the longest wait never exceeds. Default: 20 s.
    pub cap: Duration,
    /// The longest `Retry-After` that is waited for; a longer one is an error at once. Default: 120 s.
    pub retry_after_cap: Duration,
    /// The share of calls that may be repeats, between 0 and 1. Default: 0.1, because the service counts calls.
    pub budget: f64,
}
