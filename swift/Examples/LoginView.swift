// A person logs in on iOS: the system shows the service's page, and hands over the address to which it returns.

#if canImport(AuthenticationServices)
import AuthenticationServices
import Sondage
import SwiftUI

struct LoginView: View {
    @Environment(\.webAuthenticationSession) private var session
    @State private var client: Client?
    @State private var problem: String?

    var body: some View {
        Button("Log in") { Task { await logIn() } }
            .task { await findSession() }
        if let problem { Text(problem) }
    }

    private func logIn() async {
        do {
            let settings = ClientSettings(account: "https://acme.survalyzer-eu.app", identity: "ada")
            let login = try Login(settings: settings, redirect: "com.example.app:/back", tokenStore: KeychainTokenStore())
            guard let url = URL(string: login.url()) else { return }
            let address = try await session.authenticate(using: url, callbackURLScheme: "com.example.app")
            client = try await login.paste(address: address.absoluteString)
        } catch let error as SondageError {
            problem = error.message
        } catch {
            // The person has closed the page.
            problem = nil
        }
    }

    /// Takes the session that is in the store, unless it has ended.
    private func findSession() async {
        do {
            let settings = ClientSettings(account: "https://acme.survalyzer-eu.app", grant: .login, identity: "ada")
            let known = try Client.configured(settings: settings, tokenStore: KeychainTokenStore())
            _ = try await known.readWorkspaceList()
            client = known
        } catch {
            // The person logs in.
        }
    }
}
#endif
