// Code that the compiler must refuse, with the expected messages: `cargo xtask test swift` checks each line.

import Foundation
import Sondage

func refused(client: Client, blocking: BlockingClient) async throws {
    _ = try await client.readPanel()  // expected-error {{missing argument for parameter 'panelId'}}
    _ = try await client.readPanel(panelID: 5)  // expected-error {{incorrect argument label in call (have 'panelID:', expected 'panelId:')}}
    _ = try await client.readPanel(panelId: nil)  // expected-error {{'nil' is not compatible with expected argument type 'Int64'}}
    _ = try await client.readPanel(panelId: "5")  // expected-error {{cannot convert value of type 'String' to expected argument type 'Int64'}}
    _ = try await client.readPanel(panelId: 1.5)  // expected-error {{cannot convert value of type 'Double' to expected argument type 'Int64'}}
    _ = try await client.readPanels(panelId: 5)  // expected-error {{value of type 'Client' has no member 'readPanels'}}
    _ = try blocking.readPanel()  // expected-error {{missing argument for parameter 'panelId'}}
    _ = try await client.readMemberList(panelId: 5, fieldsToDownload: "Email")  // expected-error {{cannot convert value of type 'String' to expected argument type '[String]?'}}
    _ = try await client.inviteMembers(
        surveyId: 1, panelId: 5, messageTemplateId: 9,
        scheduleDateTime: "2024-05-01")  // expected-error {{cannot convert value of type 'String' to expected argument type 'Date?'}}
    _ = client.members(panelId: 5, where: "Division")  // expected-error {{cannot convert value of type 'String' to expected argument type 'ConditionFilter?'}}
    _ = NewMember(["Email": Date()])  // expected-error {{cannot convert value of type 'Date' to expected dictionary value type 'FieldValue'}}
    _ = ClientSettings(clientSecrets: "x")  // expected-error {{incorrect argument label in call (have 'clientSecrets:', expected 'clientSecret:')}}
    let _: String = Secret("x")  // expected-error {{cannot convert value of type 'Secret' to specified type 'String'}}
}

/// A value that any task may read must not be changed without a lock.
final class Careless: TokenProvider {
    var asked = 0  // expected-error {{stored property 'asked' of 'Sendable'-conforming class 'Careless' is mutable}}

    func token() async throws -> String {
        asked += 1
        return "a-token"
    }
}
