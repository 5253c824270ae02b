#if canImport(Security)
import Foundation
import Security

/// Stores tokens in the keychain of the app, readable only on this device after it was unlocked once since it started.
///
///     let login = try Login(settings: settings, redirect: "com.acme.app:/back", tokenStore: KeychainTokenStore())
///
/// Deleting the app does not empty the keychain: call `logout` of the client when a person logs out.
public final class KeychainTokenStore: TokenStore {
    private let service: String

    /// - Parameter service: The name under which the entries are kept. Default: that of the app's bundle.
    public init(service: String = (Bundle.main.bundleIdentifier ?? "app") + ".sondage") {
        self.service = service
    }

    public func load(key: String) throws -> String? {
        var query = entry(key)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        try check(status, "read")
        return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    public func save(key: String, tokens: String) throws {
        let value: [CFString: Any] = [kSecValueData: Data(tokens.utf8)]
        let status = SecItemUpdate(entry(key) as CFDictionary, value as CFDictionary)
        guard status == errSecItemNotFound else { return try check(status, "changed") }
        var new = entry(key).merging(value) { $1 }
        new[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        try check(SecItemAdd(new as CFDictionary, nil), "added")
    }

    public func forget(key: String) throws {
        let status = SecItemDelete(entry(key) as CFDictionary)
        if status != errSecItemNotFound { try check(status, "removed") }
    }

    private func entry(_ key: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key]
    }

    private func check(_ status: OSStatus, _ what: String) throws {
        guard status != errSecSuccess else { return }
        throw ProviderError.failed(reason: "the entry in the keychain cannot be \(what) (status \(status))")
    }
}
#endif
