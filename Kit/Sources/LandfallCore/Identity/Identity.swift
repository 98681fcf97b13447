public import Foundation

/// The installation's `device_id`, which the app creates once, and the credential that proves it.
///
/// An id is created only if there certainly is none. If the keychain cannot be read now, there is no id now:
/// an id that was made up in such a moment would be another installation.
public struct Identity: Sendable {
    private let store: any SecretStore

    public init(_ store: any SecretStore) {
        self.store = store
    }

    /// The id, if there is one and it can be read now. An extension asks for this: only the app creates an
    /// id.
    public var deviceID: UUID? { read("device_id").flatMap(UUID.init(bytes:)) }

    /// The id, created if there is none; `nil` if that is not known now.
    public func makeDeviceID() -> UUID? {
        do {
            if let bytes = try store.read("device_id") {
                if let id = UUID(bytes: bytes) { return id }
                try store.remove("device_id")
            }
            let id = UUID()
            if try store.add(id.bytes, as: "device_id") { return id }
        } catch {
            return nil
        }
        return deviceID
    }

    /// What the server gave out with the first registration.
    public var credential: String? {
        read("credential").flatMap { String(data: $0, encoding: .utf8) }
    }

    private func read(_ name: String) -> Data? { (try? store.read(name)) ?? nil }

    /// - Returns: `false` if it cannot be kept now. The next registration that names a token gets another.
    @discardableResult
    public func keep(credential: String) -> Bool {
        do {
            try store.remove("credential")
            return try store.add(Data(credential.utf8), as: "credential")
        } catch {
            return false
        }
    }

    /// The device was erased, or belongs to another installation: the next id is a new one.
    public func forget() {
        try? store.remove("credential")
        try? store.remove("device_id")
    }
}

extension UUID {
    /// 16 bytes.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        var id = UUID().uuid
        (bytes as NSData).getBytes(&id, length: 16)
        self.init(uuid: id)
    }

    var bytes: Data {
        var id = uuid
        return Data(bytes: &id, count: 16)
    }
}
