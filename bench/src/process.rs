//! The system's figures for this process; memory is available on Linux only.

use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::time::Duration;

/// The CPU time of all threads.
pub fn cpu() -> Duration {
    time(ClockId::ProcessCPUTime)
}

/// The CPU time of this thread.
pub fn thread_cpu() -> Duration {
    time(ClockId::ThreadCPUTime)
}

fn time(clock: ClockId) -> Duration {
    clock_gettime(clock).try_into().unwrap_or_default()
}

/// A line of the process's memory, in bytes: `VmRSS:` is the current, `VmHWM:` the peak memory.
pub fn memory(line: &str) -> u64 {
    let said = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|text| text.strip_prefix(line));
    line.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Resets the peak memory.
pub fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}
