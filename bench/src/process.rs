//! What the system says of this process; of its memory only on Linux.

use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::time::Duration;

/// The time that all threads have spent on processors.
pub fn cpu() -> Duration {
    time(ClockId::ProcessCPUTime)
}

/// The time that this thread has spent on a processor.
pub fn thread_cpu() -> Duration {
    time(ClockId::ThreadCPUTime)
}

fn time(clock: ClockId) -> Duration {
    clock_gettime(clock).try_into().unwrap_or_default()
}

/// A line of the process's memory, in bytes: `VmRSS:` is what there is now, `VmHWM:` the most that there was.
pub fn memory(line: &str) -> u64 {
    let said = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = said.lines().find_map(|text| text.strip_prefix(line));
    line.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Forgets the most that there was.
pub fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}
