import Foundation

/// JSON that keeps every digit.
enum JSON: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Decimal.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    func encode(to encoder: Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let fields): try value.encode(fields)
        }
    }

    init(text: String) { self = (try? JSON(parsing: text)) ?? .text("not JSON: \(text)") }

    init(parsing text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

    /// The value as JSON text.
    var written: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null" }

    subscript(name: String) -> JSON {
        guard case .object(let fields) = self else { return .null }
        return fields[name] ?? .null
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [JSON] {
        guard case .list(let list) = self else { return [] }
        return list
    }

    /// Removes fields without a value (absent, null and an empty list mean the same in a response), and
    /// writes times in one format.
    var bare: JSON {
        switch self {
        case .text(let text): return Date(written: text)?.json ?? self
        case .list(let list): return .list(list.map(\.bare))
        case .object(let fields):
            return .object(fields.mapValues(\.bare).filter { ![.null, .list([]), .object([:])].contains($0.value) })
        default: return self
        }
    }
}
