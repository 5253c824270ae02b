import Foundation

/// The interval at which progress is polled, in seconds.
private let every = 0.1

/// Runs the work and calls `told` on every change. An error thrown by `told`, or cancelling the caller, ends the
/// work.
func telling<Progress: Equatable & Sendable, Report: Sendable>(
    _ now: @Sendable @escaping () -> Progress?, _ told: @Sendable @escaping (Progress) async throws -> Void,
    _ work: @Sendable @escaping () async throws -> Report
) async throws -> Report {
    try await withThrowingTaskGroup(of: Report?.self) { group in
        // An error thrown here cancels the other tasks of the group.
        group.addTask { try await work() }
        var last: Progress?
        while true {
            group.addTask {
                try await Task.sleep(nanoseconds: UInt64(every * 1e9))
                return nil
            }
            let done = try await group.next() ?? nil
            if let seen = now(), seen != last {
                last = seen
                try await told(seen)
            }
            if let done {
                group.cancelAll()
                return done
            }
        }
    }
}

/// The same, blocking: `told` runs in the caller's thread.
func tellingWhileBlocked<Progress: Equatable & Sendable, Report: Sendable>(
    _ now: () -> Progress?, _ told: (Progress) throws -> Void, _ work: @Sendable @escaping () async throws -> Report
) throws -> Report {
    let outcome = Outcome<Report>()
    let working = Task.detached {
        do { outcome.put(.success(try await work())) } catch { outcome.put(.failure(error)) }
    }
    var last: Progress?
    while true {
        let done = outcome.wait(every)
        if let seen = now(), seen != last {
            last = seen
            do { try told(seen) } catch {
                working.cancel()
                throw error
            }
        }
        if let done { return try done.get() }
    }
}

/// The result of work in another task.
private final class Outcome<Report: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Report, Error>?

    func put(_ result: Result<Report, Error>) {
        condition.withLock {
            self.result = result
            condition.signal()
        }
    }

    /// The result, or `nil` after this many seconds.
    func wait(_ seconds: TimeInterval) -> Result<Report, Error>? {
        condition.withLock {
            if result == nil { _ = condition.wait(until: Date() + seconds) }
            return result
        }
    }
}
