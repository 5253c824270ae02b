/// A list whose pages block their thread. Each loop reads it from its beginning, until it is left.
///
///     for member in client.members(panelId: 123) { print(try member.get().id) }
///
/// A loop over a `Sequence` cannot throw by itself, so an element is a row, or the error with which the list ends. A list without
/// an error is complete.
public struct BlockingRows<Row: Sendable>: Sequence, Sendable {
    public typealias Element = Result<Row, any Error>
    typealias Next = () throws -> [Row]?

    private let begin: @Sendable () throws -> Next

    init(begin: @escaping @Sendable () throws -> Next) {
        self.begin = begin
    }

    public func makeIterator() -> Iterator {
        Iterator(begin: begin)
    }

    /// The whole list.
    public func all() throws -> [Row] {
        try map { try $0.get() }
    }

    public struct Iterator: IteratorProtocol {
        private let begin: () throws -> Next
        private var read: Next?
        private var page: ArraySlice<Row> = []
        private var hasFailed = false

        init(begin: @escaping () throws -> Next) {
            self.begin = begin
        }

        public mutating func next() -> Result<Row, any Error>? {
            while page.isEmpty {
                guard !hasFailed else { return nil }
                do {
                    let read = try self.read ?? begin()
                    self.read = read
                    guard let page = try read() else { return nil }
                    self.page = page[...]
                } catch {
                    hasFailed = true
                    return .failure(error)
                }
            }
            return page.popFirst().map { .success($0) }
        }
    }
}
