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

/// What a ``Fault`` does.
public enum FaultAction: Sendable {
    /// Only the delay.
    case delay
    /// Responds with this status, as a gateway in front of the service does. Without a body, an envelope is sent.
    case status(Int, headers: [String: String] = [:], body: String? = nil)
    /// Closes the connection, with a reset if requested.
    case cut(CutPoint, reset: Bool = false)
    /// Sends half of the response and then nothing more, without closing the connection.
    case stall
    /// A complete response whose JSON stops in the middle.
    case truncatedJson
    /// An HTML page with status 200.
    case html
    /// A wrong `totalCount`.
    case totalCount(Int)
    /// Sends the page before the requested one.
    case repeatPage
    /// Unknown fields in every object of the response.
    case unknownFields
    /// Unknown values in every enumeration of the response.
    case unknownEnums
    /// Status 200 and `isSuccess: false`.
    case notSuccess(errorCode: String, errorMessage: String)
    /// Status 200 with this body as JSON, whatever it is.
    case body(String)

    var fields: [String: Any] {
        switch self {
        case .delay: return ["kind": "delay"]
        case .status(let status, let headers, let body):
            return ["kind": "status", "status": status, "headers": headers, "body": body ?? NSNull()]
        case .cut(let at, let reset): return ["kind": "cut", "at": at.rawValue, "reset": reset]
        case .stall: return ["kind": "stall"]
        case .truncatedJson: return ["kind": "truncatedJson"]
        case .html: return ["kind": "html"]
        case .totalCount(let value): return ["kind": "totalCount", "value": value]
        case .repeatPage: return ["kind": "repeatPage"]
        case .unknownFields: return ["kind": "unknownFields"]
        case .unknownEnums: return ["kind": "unknownEnums"]
        case .notSuccess(let code, let message):
            return ["kind": "notSuccess", "errorCode": code, "errorMessage": message]
        case .body(let text): return ["kind": "body", "text": text]
        }
    }
}

/// When a connection is closed.
public enum CutPoint: String, Sendable {
    /// After the head of the request, before its body is read: it cannot take effect.
    case beforeRequest
    /// After the whole request took effect, before a byte of the response.
    case afterEffect
    /// In the middle of the response.
    case midAnswer
}
