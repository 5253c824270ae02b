import Sondage
import SondageTesting
import XCTest

/// A sandbox of its own for each test, and a client of it. Both are closed after the test.
///
///     final class SignUpTests: SandboxTestCase {
///         func testSigningUp() async throws {
///             try box.fault(Fault(on: "CreateMembers", .cut(.afterEffect)))
///             _ = try await signUp(client, panel: try box.panelId)
///         }
///     }
///
/// A subclass that overrides `setUpWithError` or `tearDownWithError` must call `super`. Swift Testing has no base
/// classes: use `Sandbox.with { box, client in ... }` there.
open class SandboxTestCase: XCTestCase {
    /// The survey platform of this test.
    public private(set) var box: Sandbox!
    /// A client of it.
    public private(set) var client: Client!

    open override func setUpWithError() throws {
        try super.setUpWithError()
        box = try Sandbox.demo()
        client = try box.client()
    }

    open override func tearDownWithError() throws {
        client?.close()
        box?.stop()
        (client, box) = (nil, nil)
        try super.tearDownWithError()
    }
}
