import Foundation
import Sondage
import XCTest

private let core = "QzvxKw"
private let number = "49170555019283"
private let access = "\(core).access~1\(core)"
private let secrets: Set = ["password", "securityToken", "webHookUrl", "headers"]
private let personal: Set = [
    "value", "email", "cellPhone", "subject", "body", "from", "fromName", "to", "toName", "replyTo", "replyToName",
]

/// Secrets and personal data are sent through every operation to a service that echoes them, and must not appear in anything
/// that may reach a log. The campaign (`testing/campaign/src/canaries`) does the same to the core.
final class CanariesTests: XCTestCase {
    func testNothingShowsWhatWasSent() async throws {
        let recorder = Recorder()
        let settings = ClientSettings(baseUrl: recorder.url, authUrl: recorder.url, retryAttempts: 1)
        let client = try Client(accountUrl: "https://acme.survalyzer-eu.app", settings: settings) { access }
        let folder = URL(fileURLWithPath: try XCTUnwrap(ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]))
        for (operation, place) in places {
            let file = try JSON(parsing: String(contentsOf: folder.appendingPathComponent(place), encoding: .utf8))
            let call = marked(try XCTUnwrap(file["cases"].list.first)["call"])
            let words = (leaves(call) + [access]).filter { $0.contains(core) || $0.contains(number) }.map(encoded)
            for (fault, status, text) in answers(words.joined(separator: ", ")) {
                recorder.answer(text, status: status)
                do {
                    _ = try await client.call(operation, call)
                    XCTFail("\(operation) did not fail: \(fault)")
                } catch {
                    var dumped = ""
                    dump(error, to: &dumped)
                    let shown = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(dumped) \(client)"
                    XCTAssertNil(find(shown), "\(operation): \(fault)")
                }
            }
        }
    }
}

/// Responses that echo these words.
private func answers(_ words: String) -> [(String, Int, String)] {
    let refusal = JSON.object(["isSuccess": .bool(false), "errorCode": .text(words), "errorMessage": .text(words)]).written
    return [
        ("not a success", 200, refusal), ("400", 400, refusal), ("401", 401, refusal), ("500", 500, refusal),
        ("broken JSON", 200, "{\"isSuccess\": true, \(words): \"\(words)\""),
        ("wrong types", 200, JSON.object(["isSuccess": .text(words)]).written),
    ]
}

/// A call of a case, with a marker in place of each secret and all personal data.
private func marked(_ json: JSON, _ name: String = "") -> JSON {
    switch json {
    case .object(let fields):
        let known = secrets.union(personal)
        return .object(Dictionary(uniqueKeysWithValues: fields.map { key, inner in
            (key, marked(inner, known.contains(key) ? key : name))
        }))
    case .list(let list): return .list(list.map { marked($0, name) })
    case .text where name == "webHookUrl":
        return .text("https://app.example/hooks/\(core)0123456789\(core)?sig=\(core)abcdef%2F\(core)")
    case .text where secrets.contains(name): return .text("\(core)%2F\(name) \"&\(core)")
    case .text where personal.contains(name): return .text("\(core) Adä/\(name) <O'Hara>, \"\(core)")
    case .number where personal.contains(name): return .number(Decimal(string: number)!)
    default: return json
    }
}

private func leaves(_ json: JSON) -> [String] {
    switch json {
    case .object(let fields): return fields.values.flatMap(leaves)
    case .list(let list): return list.flatMap(leaves)
    case .text(let text): return [text]
    case .number(let number): return ["\(number)"]
    default: return []
    }
}

/// With characters encoded that need no encoding.
private func encoded(_ text: String) -> String {
    text.enumerated().map { at, sign in
        if sign.isASCII && (sign.isLetter || sign.isNumber) && at % 3 != 0 { return String(sign) }
        return String(sign).utf8.map { String(format: "%%%02X", $0) }.joined()
    }.joined()
}

/// Where a text contains a marker, including encoded characters.
private func find(_ shown: String) -> String? {
    var text = shown
    for _ in 0..<3 {
        let small = text.lowercased()
        for form in ["qzvxk", "zvxkw", String(number.dropLast(2))] {
            if let found = small.range(of: form) { return String(small[found.lowerBound...].prefix(80)) }
        }
        text = decoded(text)
    }
    return nil
}

/// Decodes percent signs. An invalid one is left unchanged.
private func decoded(_ text: String) -> String {
    var (bytes, out) = (Array(text.utf8)[...], [UInt8]())
    while let first = bytes.first {
        let code = UInt8(String(decoding: bytes.dropFirst().prefix(2), as: UTF8.self), radix: 16)
        let escape = first == UInt8(ascii: "%") && bytes.count > 2 ? code : nil
        out.append(escape ?? first)
        bytes = bytes.dropFirst(escape == nil ? 1 : 3)
    }
    return String(decoding: out, as: UTF8.self)
}
