import Foundation
import Sondage
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Methods that are not operations: a person's login, the explanation of settings, the log, questionnaires.
final class MethodsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    override func tearDown() { try? logTo(sink: nil) }

    private func settings(identity: String? = nil, grant: Grant? = nil) -> ClientSettings {
        ClientSettings(tenant: box.tenant, baseUrl: box.baseUrl, authUrl: box.authUrl, grant: grant, identity: identity)
    }

    func testAPersonLogsInAndTheBrowserComesBackToThisProgram() async throws {
        let login = try Login(settings: settings())
        XCTAssertTrue(login.canListen() && login.url().contains("code_challenge_method=S256"), login.url())
        async let coming = login.listen()
        let back = try await browse(login.url())
        _ = try await get(back)
        let workspaces = try await coming.readWorkspaceList().workspaces
        XCTAssertEqual(workspaces.count, 1)
    }

    func testAnAppTakesTheAddressAndAStoreKeepsTheSession() async throws {
        let store = Store()
        let login = try Login(settings: settings(identity: "ada"), redirect: "http://127.0.0.1/back", tokenStore: store)
        XCTAssertFalse(login.canListen())
        let waiting = await failure { try await login.listen() }
        guard case .invalidArgument? = waiting else { return XCTFail("\(String(describing: waiting))") }
        let client = try await login.paste(address: browse(login.url()))
        let first = try await client.readWorkspaceList().workspaces.count
        XCTAssertEqual([first, store.count], [1, 1])
        let later = try Client.configured(settings: settings(identity: "ada", grant: .login), tokenStore: store)
        let again = try await later.readWorkspaceList().workspaces.count
        XCTAssertEqual(again, 1)
        try await later.logout()
        XCTAssertEqual(store.count, 0)
        // The next start finds no session.
        let ended = await failure {
            try await Client.configured(settings: settings(identity: "ada", grant: .login), tokenStore: store).readWorkspaceList()
        }
        guard case .authentication? = ended else { return XCTFail("\(String(describing: ended))") }
        // An address that only the app receives.
        let own = try Login(settings: settings(), redirect: "com.example.app:/back")
        let back = try await browse(own.url())
        XCTAssertTrue(back.hasPrefix("com.example.app:/back?") && own.url().contains("code_challenge_method=S256"), back)
        let workspaces = try await own.paste(address: back).readWorkspaceList().workspaces.count
        XCTAssertEqual(workspaces, 1)
        let other = try Login(settings: settings(), redirect: "http://127.0.0.1/back")
        let address = try await browse(other.url(), decision: "deny")
        let refused = await failure { try other.pasteBlocking(address: address) }
        guard case .authentication? = refused else { return XCTFail("\(String(describing: refused))") }
    }

    func testAnotherProcessGoesOnWithALogin() async throws {
        let begun = try Login(settings: settings(identity: "ada"), redirect: "com.example.app:/back")
        let (saved, back) = (begun.saved(), try await browse(begun.url()))
        let store = Store()
        let login = try Login.resume(saved: saved, settings: settings(identity: "ada"), tokenStore: store)
        let workspaces = try await login.paste(address: back).readWorkspaceList().workspaces.count
        XCTAssertEqual([workspaces, store.count], [1, 1])
        XCTAssertEqual("\(saved)", "***")
        XCTAssertThrowsError(try Login.resume(saved: "{geheim}", settings: settings())) { error in
            XCTAssertTrue("\(error)".contains("has saved") && !"\(error)".contains("geheim"), "\(error)")
        }
    }

    func testAnAccountAndItsSecretAreEnough() throws {
        let secret = "geheim"
        let settings = ClientSettings(account: "https://acme.survalyzer-eu.app", clientSecret: Secret(secret))
        let client = try Client.configured(settings: settings)
        let explained = client.explain().text  // every setting and its source, secrets masked
        XCTAssertTrue(explained.contains("acme_api") && explained.contains("account") && !explained.contains(secret), explained)
    }

    func testSettingsSayWhereTheyComeFrom() throws {
        let secret = ClientSettings(tenant: box.tenant, baseUrl: box.baseUrl, authUrl: box.authUrl, clientSecret: "geheim")
        let client = try BlockingClient.configured(settings: secret)
        let explanation = client.explain()
        let lines = Dictionary(uniqueKeysWithValues: explanation.settings.map { ($0.setting, $0) })
        XCTAssertTrue(lines["baseUrl"]?.value?.hasPrefix(box.baseUrl) == true, "\(explanation)")
        XCTAssertTrue(lines["deadline"]?.source?.contains("default") == true, "\(explanation)")
        XCTAssertTrue(lines["clientSecret"]?.value != nil && lines["caFile"]?.value == nil)
        XCTAssertFalse("\(explanation)".contains("geheim"))
        XCTAssertEqual(client.asynchronous().explain(), explanation)
    }

    func testTheLogComesToASinkWhichMayThrow() async throws {
        let seen = Seen<LogRecord>()
        try logTo(level: .debug) { record in
            seen.add(record)
            throw CocoaError(.featureUnsupported)
        }
        let client = try box.client()
        try await box.fault(#"{"on": "ReadPanel", "action": {"kind": "status", "status": 503}}"#)
        _ = try await client.readPanel(panelId: box.panelId)
        try await eventually("the end of the call is in the log") { seen.all.contains { $0.message.contains("ReadPanel: call 200") } }
        XCTAssertTrue(seen.all.allSatisfy { $0.target.hasPrefix("sondage") && !$0.message.contains(box.clientSecret) })
        try logTo(sink: nil)
        let before = seen.all.count
        try await box.fault(#"{"on": "ReadPanel", "action": {"kind": "status", "status": 503}}"#)
        _ = try await client.readPanel(panelId: box.panelId)
        XCTAssertEqual(seen.all.count, before)
    }

    func testAQuestionnaireIsTheSameAsInTheOtherLanguages() throws {
        let yesNo = [ask.choice(code: "1", text: ["en": "Yes", "de": "Ja"]), ask.choice(code: "2", text: ["en": "No", "de": "Nein"])]
        var why = try ask.openQuestion(code: "why", text: ["en": "Why?", "de": "Warum?"])
        why.forceResponse = true
        why.condition = try ask.showWhen(filter: Variable.question("back").isEqualTo("2"))
        var other = ask.choice(code: "9", text: ["en": "Other", "de": "Anderes"])
        other.allowTextEntry = true
        let visit = [
            try ask.singleChoice(code: "back", text: ["en": "Will you come back?", "de": "Kommen Sie wieder?"], choices: yesNo),
            why,
            ask.pageBreak(),
            try ask.multipleChoice(
                code: "seen", text: ["en": "What did you see?"], choices: [ask.choice(code: "1", text: ["en": "Owls"]), other]),
            try ask.dropdown(
                code: "from", text: ["en": "Where are you from?"],
                choices: [ask.choice(code: "ch", text: ["en": "Switzerland"]), ask.choice(code: "at", text: ["en": "Austria"])]),
        ]
        let staff = [ask.choice(code: "a", text: ["en": "was kind"]), ask.choice(code: "b", text: ["en": "was quick"])]
        let rating = [
            try ask.date(code: "day", text: ["en": "When?"]),
            try ask.nps(code: "nps", text: ["en": "Would you recommend us?"]),
            ask.slider(code: "warmth", text: ["en": "How warm was it?"], from: -10, to: 40),
            try ask.matrix(code: "staff", text: ["en": "Our staff"], rows: staff, columns: yesNo),
            ask.textBlock(text: ["en": "That is all."]),
        ]
        let sections = [try ask.section(name: "Visit", elements: visit), try ask.section(name: "Rating", elements: rating)]
        let survey = try ask.questionnaire(languages: ["en", "de"], sections: sections, end: ["en": "Thank you!", "de": "Danke!"])
        let cases = URL(fileURLWithPath: ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]!)
        let expected = JSON(text: try String(contentsOf: cases.deletingLastPathComponent().appendingPathComponent("questionnaire.json"), encoding: .utf8))
        XCTAssertEqual(survey.json.bare, expected.bare)
        XCTAssertThrowsError(try ask.showWhen(filter: allOf(filters: [])))
    }

    /// A person with a browser: logs in, and returns the address at which the browser ended up.
    private func browse(_ url: String, decision: String = "allow") async throws -> String {
        var request = URLComponents(string: url)!
        let given = (request.queryItems ?? []) + [
            URLQueryItem(name: "username", value: box.username), URLQueryItem(name: "password", value: box.password),
            URLQueryItem(name: "decision", value: decision),
        ]
        request.queryItems = nil
        var form = URLComponents()
        form.queryItems = given
        var post = URLRequest(url: request.url!)
        post.httpMethod = "POST"
        post.httpBody = Data(form.percentEncodedQuery!.utf8)
        post.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let answer = try await stay(post)
        return try XCTUnwrap(answer.value(forHTTPHeaderField: "Location"))
    }

    private func get(_ url: String) async throws -> HTTPURLResponse { try await stay(URLRequest(url: URL(string: url)!)) }

    /// Does not follow redirects.
    private func stay(_ request: URLRequest) async throws -> HTTPURLResponse {
        let session = URLSession(configuration: .ephemeral, delegate: Stay(), delegateQueue: nil)
        return try await withCheckedThrowingContinuation { done in
            session.dataTask(with: request) { _, answer, error in
                if let error { return done.resume(throwing: error) }
                done.resume(returning: answer as! HTTPURLResponse)
            }.resume()
        }
    }
}

private final class Stay: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

private final class Store: TokenStore, @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String: String] = [:]

    var count: Int { lock.withLock { kept.count } }

    func load(key: String) throws -> String? { lock.withLock { kept[key] } }

    func save(key: String, tokens: String) throws { lock.withLock { kept[key] = tokens } }

    func forget(key: String) throws { _ = lock.withLock { kept.removeValue(forKey: key) } }
}
