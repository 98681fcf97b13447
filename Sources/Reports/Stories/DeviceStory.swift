internal import DeliveryModel
public import Foundation
public import PostgresClient

/// The life of one installation: its description, its accounts, its tokens with every decision
/// about them, and its last notifications.
public struct DeviceStory: Hashable, Sendable {
    public struct Binding: Hashable, Decodable, Sendable {
        public let account: String
        /// False while only the device says so.
        public let isVerified: Bool
        public let boundAt: Instant
        /// `nil` while bound.
        public let unboundAt: Instant?
    }

    public let scope: StoryScope
    public let device: DeviceProfile
    /// In time order.
    public let bindings: [Binding]
    /// In the order they became known. A token that another installation registered since belongs to it.
    public let tokens: [TokenProfile]
    public let ledger: LedgerExtract
    /// In time order.
    public let pushes: [PushRecord]
    public let names: StoryNames

    /// Reads the story in one snapshot.
    ///
    /// - Throws: ``StoryError/unknownDevice(_:app:knownIn:)``; `PostgresError`.
    public static func read(
        deviceID: UUID, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> DeviceStory {
        try connection.snapshot {
            try connection.execute(script: .Reports.lockDeliveries)
            let rows = try connection.query(
                .Stories.device, [.value(scope.app.appID), .value(deviceID)])
            guard let row = rows.first else {
                throw StoryError.unknownDevice(
                    deviceID, app: scope.app.slug,
                    knownIn: try StorySearch(connection: connection).apps(ofDevice: deviceID))
            }
            let device: DeviceProfile = try row.decode()
            let reader = StoryReader(scope: scope, connection: connection)
            let tokens = try reader.tokens(ofInstallation: device.installationID)
            let ledger = try reader.ledger(ofTokens: tokens.map(\.tokenID))
            return DeviceStory(
                scope: scope, device: device,
                bindings: try connection.query(
                    .Stories.deviceAccounts, [.value(scope.app.appID), .value(device.installationID)]
                ).decode(), tokens: tokens, ledger: ledger,
                pushes: try reader.pushes(toInstallation: device.installationID),
                names: try reader.names(for: ledger.entries, knowing: tokens))
        }
    }
}

/// An installation as it last described itself. Unknown texts are empty.
public struct DeviceProfile: Hashable, Decodable, Sendable {
    public let installationID: Int64
    public let deviceID: UUID
    public let platform: String
    public let appVersion: String
    public let osVersion: String
    public let language: String
    public let timeZone: String
    public let model: String
    public let permission: String
    /// What the user turned off; `nil` when unknown.
    public let turnedOff: [String]?
    /// Why the system gave the app no token at the last registration; empty if it gave one.
    public let registrationError: String
    /// Categories of notifications that the app has not registered with the system. Empty too when unknown.
    public let missingCategories: [String]
    /// The version of the device kit.
    public let kit: String
    /// Named by a server, or with a proof of the app's backend.
    public let tags: [String]
    /// Named by the device without a proof.
    public let claimedTags: [String]
    /// Whether a device has claimed it and holds its credential.
    public let hasCredential: Bool
    public let firstRegisteredAt: Instant
    public let lastRegisteredAt: Instant
    /// Written at most once a day.
    public let lastSignOfLifeAt: Instant
    /// The instant at which its personal columns were erased on request; `nil` if they were not.
    public let erasedAt: Instant?
}
