import Foundation
import Sondage

/// A type that can be written as JSON.
protocol Written {
    var json: JSON { get }
}

/// A type that can be made from the JSON of a case.
protocol Readable {
    init(_ json: JSON) throws
}

/// An enumeration of the API's values.
protocol Word: Written, Readable, Equatable {
    static var words: [String: Self] { get }
    static func unknown(_ word: String) -> Self
}

extension Word {
    init(_ json: JSON) throws {
        let word = try String(json)
        self = Self.words[word] ?? .unknown(word)
    }

    var json: JSON {
        let known = Self.words.first { $0.value == self }?.key
        return .text(known ?? Mirror(reflecting: self).children.first?.value as? String ?? "")
    }
}

/// A value of a case does not fit the call.
struct Misfit: Error {
    let what: String
    let json: JSON
}

extension JSON: Written, Readable {
    init(_ json: JSON) { self = json }

    var json: JSON { self }

    /// The field as a Swift value.
    func read<Value: Readable>(_ name: String, _: Value.Type) throws -> Value {
        do {
            return try Value(self[name])
        } catch let misfit as Misfit {
            throw Misfit(what: "\(name): \(misfit.what)", json: misfit.json)
        }
    }

    /// All other fields, as JSON texts.
    func without(_ known: [String]) -> [String: String] {
        guard case .object(let fields) = self else { return [:] }
        return fields.filter { !known.contains($0.key) }.mapValues(\.written)
    }
}

/// Fields that the library does not know.
func unknown(_ extra: [String: String]) -> [String: JSON] { extra.mapValues(JSON.init(text:)) }

extension Bool: Written, Readable {
    init(_ json: JSON) throws {
        guard case .bool(let bool) = json else { throw Misfit(what: "no boolean", json: json) }
        self = bool
    }

    var json: JSON { .bool(self) }
}

extension Int64: Written, Readable {
    init(_ json: JSON) throws {
        guard case .number(let number) = json, let whole = Int64("\(number)") else {
            throw Misfit(what: "no integer", json: json)
        }
        self = whole
    }

    var json: JSON { .number(Decimal(self)) }
}

extension Double: Written, Readable {
    init(_ json: JSON) throws {
        guard case .number(let number) = json, let double = Double("\(number)") else {
            throw Misfit(what: "no number", json: json)
        }
        self = double
    }

    var json: JSON { Decimal(string: "\(self)").map(JSON.number) ?? .null }
}

extension String: Written, Readable {
    init(_ json: JSON) throws {
        guard case .text(let text) = json else { throw Misfit(what: "no text", json: json) }
        self = text
    }

    var json: JSON { .text(self) }
}

extension Secret: Written, Readable {
    init(_ json: JSON) throws { self.init(try String(json)) }

    var json: JSON { .text(reveal()) }
}

extension Date: Written, Readable {
    /// `2024-05-01T12:45:00.25Z`; any other format is `nil`.
    init?(written text: String) {
        let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.hasSuffix("Z"), let whole = ISO8601DateFormatter().date(from: "\(parts[0])Z") else { return nil }
        guard parts.count > 1 else { self = whole; return }
        guard let fraction = Double("0.\(parts[1])") else { return nil }
        self = whole + fraction
    }

    init(_ json: JSON) throws {
        guard let date = json.text.flatMap(Date.init(written:)) else { throw Misfit(what: "no time", json: json) }
        self = date
    }

    var json: JSON { .text(String(format: "%.6f seconds since 1970", timeIntervalSince1970)) }
}

extension FieldValue: Written, Readable {
    init(_ json: JSON) throws {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .text(let text): self = .text(text)
        case .number(let number): self = try Int64("\(number)").map(FieldValue.int) ?? .float(Double(json))
        case .list, .object: self = .json(json.written)
        }
    }

    var json: JSON {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let whole): return whole.json
        case .float(let double): return double.json
        case .text(let text): return .text(text)
        case .json(let text): return JSON(text: text)
        }
    }
}

extension Optional: Written where Wrapped: Written {
    var json: JSON { self?.json ?? .null }
}

extension Optional: Readable where Wrapped: Readable {
    init(_ json: JSON) throws { self = try json == .null ? nil : Wrapped(json) }
}

extension Array: Written where Element: Written {
    var json: JSON { .list(map(\.json)) }
}

extension Array: Readable where Element: Readable {
    init(_ json: JSON) throws {
        switch json {
        case .null: self = []
        case .list(let list): self = try list.map(Element.init(_:))
        default: throw Misfit(what: "no list", json: json)
        }
    }
}

extension Dictionary: Written where Key == String, Value: Written {
    var json: JSON { .object(mapValues(\.json)) }
}

extension Dictionary: Readable where Key == String, Value: Readable {
    init(_ json: JSON) throws {
        switch json {
        case .null: self = [:]
        case .object(let fields): self = try fields.mapValues(Value.init(_:))
        default: throw Misfit(what: "no object", json: json)
        }
    }
}
