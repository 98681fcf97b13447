internal import Access
internal import Connecting
internal import DeliveryModel
internal import Foundation
internal import People
internal import PostgresClient

/// The keys of a sender and, if the app has none yet, of the app.
struct ConnectKeys {
    /// The text of the key that the sender posts with.
    let sender: String
    /// `nil` if the app has a device key already.
    let device: String?
    /// A sentence per key that was created.
    let created: [String]
    /// Why the key in the environment is not used; `nil` if it is, or if there is none.
    let unused: String?

    /// - Parameters:
    ///   - given: a key that the person named.
    ///   - known: the key in the variable LANDFALL_KEY, which may belong to something else.
    /// - Throws: `CommandProblem` if the given key is not a valid one of the app and of the sender's kind.
    static func make(
        for sender: ConnectableSender, of app: App, given: String?, known: String?,
        on connection: PostgresConnection
    ) throws -> ConnectKeys {
        let directory = AppDirectory(connection)
        let wanted = "a valid \(sender.keyKind.rawValue) key of \(app.slug)"
        func isValid(_ text: String) throws -> Bool {
            guard text.hasPrefix("lf_\(sender.keyKind.rawValue)_") else { return false }
            return try directory.app(ofKey: APIKey.digest(of: text))?.appID == app.appID
        }
        if let given, try !isValid(given) { throw CommandProblem("--key must be \(wanted)") }
        let usable = try given ?? known.flatMap { try isValid($0) ? $0 : nil }
        let hasDevices = try directory.keys(of: app).contains { $0.kind == "device" && $0.revokedAt == nil }
        var created: [String] = []
        return try connection.transaction {
            func create(_ kind: APIKey.Kind) throws -> String {
                let key = try directory.createKey(kind: kind, for: app, at: .now)
                try Audit.recordCommand(
                    "key_created", app: app, subject: "\(kind.rawValue) \(key.prefix)…", on: connection)
                created.append("Created the \(kind.rawValue) key \(key.prefix)… of \(app.slug).")
                return key.text
            }
            let text = try usable ?? create(sender.keyKind)
            let device = try hasDevices ? nil : create(.device)
            return ConnectKeys(
                sender: text, device: device, created: created,
                unused: usable == nil && known != nil ? "LANDFALL_KEY is not \(wanted)." : nil)
        }
    }
}
