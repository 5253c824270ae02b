import Foundation

/// The rows of a list. Each loop reads the list again; leaving the loop stops reading.
///
///     for try await member in client.members(panelId: 123) { ... }
public struct Rows<Row: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Row
    typealias Next = @Sendable () async throws -> [Row]?

    private let begin: @Sendable () throws -> Next

    init(begin: @escaping @Sendable () throws -> Next) {
        self.begin = begin
    }

    /// Rows that a test makes: `Rows(of: [member])`. With an error, the list ends with it.
    public init(of rows: [Row], failing error: (any Error)? = nil) {
        self.init {
            let pages = OncePages(rows: rows, error: error)
            return { try pages.next() }
        }
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(begin: begin)
    }

    /// The first row, for which one page is read; `nil` if there is none.
    public func first() async throws -> Row? {
        var rows = makeAsyncIterator()
        return try await rows.next()
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let begin: @Sendable () throws -> Next
        private var next: Next?
        private var page: ArraySlice<Row> = []

        init(begin: @escaping @Sendable () throws -> Next) {
            self.begin = begin
        }

        public mutating func next() async throws -> Row? {
            while page.isEmpty {
                let next = try self.next ?? begin()
                self.next = next
                guard let page = try await next() else { return nil }
                self.page = page[...]
            }
            return page.popFirst()
        }
    }
}

/// One page, and the end.
private final class OncePages<Row: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var rows: [Row]?
    private let error: (any Error)?

    init(rows: [Row], error: (any Error)?) {
        (self.rows, self.error) = (rows, error)
    }

    func next() throws -> [Row]? {
        let page = lock.withLock {
            defer { rows = nil }
            return rows
        }
        if page == nil, let error { throw error }
        return page
    }
}
