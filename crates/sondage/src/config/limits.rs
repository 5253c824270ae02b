//! Size limits and retry settings.

use std::time::Duration;

/// How much the client reads, after decompression. A larger response is cut off with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one API response. Default: 512 MiB (assumed: the service's limit is 500 MB per tenant and
    /// day).
    pub answer_bytes: u64,
    /// Bytes of a response that is read into objects. Default: 64 MiB. For more, use tables and files.
    pub object_bytes: u64,
    /// Values in such a response, counting objects and lists; each takes 128 bytes of memory. Default:
    /// 3,500,000.
    pub object_values: u32,
    /// The memory of a table, as a multiple of the size of its responses, beyond 64 MiB. Default: 4. A table needs more only
    /// if most rows lack most columns.
    pub table_growth: u32,
    /// Bytes of a token response. Default: 256 KiB (assumed).
    pub token_bytes: u64,
    /// Bytes of an error response that are read; the rest is ignored. Default: 64 KiB (assumed).
    pub error_bytes: u64,
}

/// When and how often a call is retried, if it may be retried at all.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The maximum number of attempts, including the first. Default: 3.
    pub attempts: u32,
    /// The maximum delay before the second attempt; the actual delay is random. Default: 0.5 s.
    pub base: Duration,
    /// The factor by which the maximum delay grows with each attempt. Default: 2.
    pub factor: f64,
    /// The upper bound of the maximum delay. Default: 20 s.
    pub cap: Duration,
    /// The longest rest of a pause, named by `Retry-After`, that a call waits for; a longer one is an error immediately. The
    /// pause itself is kept whole. Default: 120 s.
    pub retry_after_cap: Duration,
    /// The maximum share of retries among all calls, between 0 and 1. Default: 0.1, because the service
    /// limits the number of calls.
    pub budget: f64,
}
