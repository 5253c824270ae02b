import Foundation
import Sondage
import XCTest

/// Results can be stored in a file: for use without a network, and for the state of a screen. The cases check every response.
func kept<Value: Codable & Equatable>(_ value: Value) throws -> Value {
    let encoder = JSONEncoder()
    encoder.userInfo[.encodesSecrets] = true
    let again = try JSONDecoder().decode(Value.self, from: encoder.encode(value))
    XCTAssertEqual(again, value)
    return again
}

final class KeepingTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testMembersAreKeptAsTheyWereRead() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}"#)
        let strange = try await client.readMemberList(panelId: box.panelId)
        guard case .unknown = strange.members[0].fields.values.first?.fieldType else { return XCTFail("\(strange.members[0])") }
        let members = try await client.readMemberList(panelId: box.panelId)
        XCTAssertEqual(try kept([strange, members]), [strange, members])
    }

    func testEveryDigitAndEveryKindOfValueIsKept() throws {
        let values: [FieldValue] = [
            nil, true, .int(.max), .int(.min), .int(9_007_199_254_740_993), 1.0, 0.1, "Zoë \u{2028}", .json(#"{"a":[1]}"#),
        ]
        XCTAssertEqual(try kept(values), values)
        let member = Member(id: .max, createdAt: Date(timeIntervalSince1970: 0.001))
        XCTAssertEqual(try kept(member).id, .max)
    }

    func testValuesAreWrittenAsTheServiceWritesThem() throws {
        let types: [VariableType] = [.number, .unknown("Hologram")]
        XCTAssertEqual(String(decoding: try JSONEncoder().encode(types), as: UTF8.self), #"["Number","Hologram"]"#)
        // A value that this version does not know may be known to the next.
        XCTAssertEqual(VariableType(rawValue: "Number"), .number)
        XCTAssertEqual(VariableType(rawValue: "Hologram"), .unknown("Hologram"))
    }

    func testASecretIsWrittenOnlyWhereThatIsAllowed() throws {
        let interview = MemberInterview(id: "7", answersLink: "https://example.com/geheim")
        XCTAssertThrowsError(try JSONEncoder().encode(interview)) { error in
            XCTAssertTrue("\(error)".contains("encodesSecrets") && !"\(error)".contains("geheim"), "\(error)")
        }
        XCTAssertEqual(try kept(interview).answersLink?.reveal(), "https://example.com/geheim")
        XCTAssertNoThrow(try JSONEncoder().encode(MemberInterview(id: "7")))
    }

    /// Numbers of provider's errors mean nothing in another process.
    func testAnErrorOfAnotherProcessHasNoUnderlyingErrorOfThisOne() async throws {
        struct LoggedOut: Error {}
        let client = try Client(accountUrl: box.accountUrl, settings: box.settings()) { throw LoggedOut() }
        let failed = await failure { try await client.readPanel(panelId: 1) }
        let error = try XCTUnwrap(failed)
        XCTAssertTrue(error.underlyingError is LoggedOut)
        XCTAssertTrue(try kept(error).underlyingError is LoggedOut)
        for early in 1...100 {
            let details = ErrorDetails(message: "", hint: "", attempts: 0, delivery: .no, safeToRetry: false, thrown: Int64(early))
            XCTAssertNil(SondageError.authentication(details).underlyingError)
        }
    }

    func testAnErrorIsKept() async throws {
        let client = try box.client()
        let missing = await failure { try await client.readPanel(panelId: 1) }
        XCTAssertEqual(try kept(XCTUnwrap(missing)).message, missing?.message)
    }
}
