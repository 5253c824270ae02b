import Foundation

/// A failure of the network or of the service, and the calls that it hits.
///
///     try box.fault(Fault(on: "ReadMemberList", .status(503), times: 2))
///     try box.fault(Fault(on: "CreateMembers", .cut(.afterEffect)))
public struct Fault: Sendable {
    /// Which calls: an operation by its name in the API, `token`, a path, `*` for all, or `connection`.
    public var on: String
    /// What happens.
    public var action: FaultAction
    /// How many of them pass before.
    public var skip: Int
    /// How many of them are hit: `nil` for all.
    public var times: Int?
    /// A wait before it.
    public var delay: TimeInterval
    /// Whether they take effect nevertheless. Some actions imply it.
    public var afterEffect: Bool

    public init(
        on: String, _ action: FaultAction = .delay, skip: Int = 0, times: Int? = 1, delay: TimeInterval = 0,
        afterEffect: Bool = false
    ) {
        self.on = on
        self.action = action
        self.skip = skip
        self.times = times
        self.delay = delay
        self.afterEffect = afterEffect
    }

    var json: String {
        get throws {
            let times: Any = times ?? NSNull()
            let fault: [String: Any] = [
                "on": on, "action": action.fields, "skip": skip, "times": times, "delayMs": Int(delay * 1000),
                "afterEffect": afterEffect,
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: fault), as: UTF8.self)
        }
    }
}
