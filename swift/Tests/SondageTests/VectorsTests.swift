import Foundation
import Sondage
import XCTest

/// The shared test vectors for webhooks. The same file is run in every language.
final class VectorsTests: XCTestCase {
    private var file = JSON.null
    private var hooks: [String: Hook] = [:]
    private var now = Date.distantPast

    override func setUpWithError() throws {
        let folder = URL(fileURLWithPath: try XCTUnwrap(ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]))
        let path = folder.appendingPathComponent("web_hook/vectors.json")
        file = try JSON(parsing: String(contentsOf: path, encoding: .utf8))
        now = try XCTUnwrap(ISO8601DateFormatter().date(from: file["now"].text ?? ""))
        guard case .object(let all) = file["hooks"] else { return XCTFail("no hooks") }
        hooks = try all.mapValues { try Hook.fromJson(text: $0.written) }
    }

    func testEveryVectorHolds() throws {
        for vector in file["vectors"].list {
            let name = vector["name"].text ?? ""
            switch try judge(vector) {
            case .refused(let reason, _):
                XCTAssertEqual(vector["verdict"].text, "refused", "\(name) is refused: \(reason)")
                XCTAssertEqual(reason, vector["reason"].text, name)
            case .accepted(let event):
                XCTAssertEqual(vector["verdict"].text, "accepted", name)
                if vector["event"] != .null {
                    XCTAssertEqual(event.eventType.map(word), vector["event"]["eventType"].text, name)
                    XCTAssertEqual(named(event.entity), vector["event"]["kind"].text, name)
                }
                XCTAssertEqual(event.key, vector["key"].text ?? event.key, name)
                if case .bool(let soon) = vector["ends_soon"] { XCTAssertEqual(event.credentialEndsSoon, soon, name) }
            }
        }
        print("swift: \(file["vectors"].list.count) vectors")
        XCTAssertGreaterThanOrEqual(file["vectors"].list.count, 250)
    }

    func testWhatCameBeforeIsKnown() throws {
        let later = file["vectors"].list.filter { $0["after"] != .null }
        for vector in later {
            let first = try XCTUnwrap(file["vectors"].list.first { $0["name"] == vector["after"] })
            let memory = try WebHookGuard()
            XCTAssertEqual(try memory.once(event(first)) { _ in }, 204)
            XCTAssertEqual(named(try memory.claim(event(vector)).state()), vector["claim"].text, vector["name"].text ?? "")
        }
        XCTAssertGreaterThanOrEqual(later.count, 7)
    }

    func testAddressesAndTokensAreMadeAsTheRulesSayAndAccepted() throws {
        for made in file["made"].list {
            let hook = try XCTUnwrap(hooks[made["hook"].text ?? ""])
            let base = made["base"].text ?? ""
            guard made["error"] == .null else {
                XCTAssertThrowsError(try hook.url(base: base)) { error in
                    guard case SondageError.invalidArgument = error else { return XCTFail("\(error)") }
                }
                continue
            }
            let token = hook.securityToken()?.reveal() ?? ""
            XCTAssertEqual([try hook.url(base: base).reveal(), token], [made["url"].text, made["securityToken"].text])
            let headers = token.isEmpty ? [] : [("authorization", token)]
            let verdict = try hook.verify(url: made["url"].text ?? "", headers: headers, body: Data("{}".utf8), now: now)
            guard case .accepted = verdict else { return XCTFail("\(verdict)") }
            XCTAssertEqual(try Hook.fromJson(text: hook.toJson().reveal()).toJson(), hook.toJson())
        }
    }

    func testWhatIsUnsafeIsRefused() {
        for settings in file["impossible"].list {
            XCTAssertThrowsError(try Hook.fromJson(text: settings.written), settings.written)
        }
    }

    private func judge(_ vector: JSON) throws -> WebHookVerdict {
        let headers = vector["headers"].list.map { Header(name: $0.list[0].text ?? "", value: bytes($0.list[1])) }
        let hook = try XCTUnwrap(hooks[vector["hook"].text ?? ""])
        let url = String(decoding: bytes(vector["url"]), as: UTF8.self)
        return try hook.judge(url: url, headers: headers, body: bytes(vector["body"]), now: now)
    }

    private func event(_ vector: JSON) throws -> WebHookEvent {
        guard case .accepted(let event) = try judge(vector) else { throw CocoaError(.coderInvalidValue) }
        return event
    }

    /// A text, a repeated text, or bytes.
    private func bytes(_ value: JSON) -> Data {
        if let text = value.text { return Data(text.utf8) }
        if let coded = value["base64"].text { return Data(base64Encoded: coded) ?? Data() }
        guard case .number(let times) = value["times"] else { return Data() }
        let middle = String(repeating: value["repeat"].text ?? "", count: NSDecimalNumber(decimal: times).intValue)
        return Data(((value["before"].text ?? "") + middle + (value["after"].text ?? "")).utf8)
    }

    /// `hardBounce` is the service's `HardBounce`; an unknown value is written as received.
    private func word(_ type: EventType) -> String {
        if case .unknown(let value) = type { return value }
        let name = named(type)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name of a case.
    private func named<Value>(_ value: Value) -> String { String("\(value)".prefix { $0 != "(" }) }
}
