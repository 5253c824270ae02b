// The library's log in the log of the system, which Console and `log stream` show.

#if canImport(os)
import Sondage
import os

/// Call it once, when the app starts.
func logToTheSystem() throws {
    let logger = Logger(subsystem: "com.example.app", category: "sondage")
    try logTo(level: .debug) { record in
        switch record.level {
        case .error: logger.error("\(record.message, privacy: .public)")
        case .warn: logger.warning("\(record.message, privacy: .public)")
        case .info: logger.info("\(record.message, privacy: .public)")
        case .debug: logger.debug("\(record.message, privacy: .public)")
        }
    }
}
#endif
