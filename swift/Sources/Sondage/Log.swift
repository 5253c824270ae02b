/// Forwards the log of the library, from all clients of this process, to a closure: `try logTo {
/// logger.log("\($0.message)") }`.
///
/// It is called for one record after the other, on a thread of its own. Errors that it throws are ignored.
///
/// - Parameter level: Records of lower severity are dropped.
/// - Parameter log: Receives the records.
public func logTo(level: LogLevel = .info, _ log: @escaping @Sendable (LogRecord) throws -> Void) throws {
    try logTo(sink: Closure(take: log), level: level)
}

private final class Closure: LogSink {
    private let take: @Sendable (LogRecord) throws -> Void

    init(take: @escaping @Sendable (LogRecord) throws -> Void) {
        self.take = take
    }

    func log(record: LogRecord) throws { try take(record) }
}
