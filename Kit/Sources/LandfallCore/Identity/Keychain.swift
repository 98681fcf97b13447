#if canImport(Security)
    public import Foundation
    internal import Security

    /// The keychain: readable after the first unlock, on this device only, by the app and its extension.
    public struct Keychain: SecretStore {
        private let group: String?

        /// - Parameter group: the App Group, also an access group of the keychain; `nil` for the app's own.
        public init(group: String?) {
            self.group = group
        }

        public func read(_ name: String) throws(SecretsUnavailable) -> Data? {
            var query = query(name)
            query[kSecReturnData as String] = true
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let value = found as? Data else {
                throw SecretsUnavailable(code: status)
            }
            return value
        }

        public func add(_ value: Data, as name: String) throws(SecretsUnavailable) -> Bool {
            var item = query(name)
            item[kSecValueData as String] = value
            item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(item as CFDictionary, nil)
            if status == errSecDuplicateItem { return false }
            guard status == errSecSuccess else { throw SecretsUnavailable(code: status) }
            return true
        }

        public func remove(_ name: String) throws(SecretsUnavailable) {
            let status = SecItemDelete(query(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw SecretsUnavailable(code: status)
            }
        }

        private func query(_ name: String) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "landfall",
                kSecAttrAccount as String: name, kSecUseDataProtectionKeychain as String: true,
            ]
            query[kSecAttrAccessGroup as String] = group
            return query
        }
    }
#endif
