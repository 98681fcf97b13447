internal import Access
public import Foundation
public import Instants
public import PostgresClient
internal import SQLFiles

/// The life of one installation: its description, its accounts, its tokens with every decision
/// about them, and its last notifications.
public struct DeviceStory: Hashable, Sendable {
    public struct Binding: Hashable, Sendable {
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
    /// In the order in which they became known. A token that another installation has registered since belongs to that one.
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
            let rows = try connection.query(
                .Stories.device, [.value(scope.app.appID), .value(deviceID)])
            guard let row = rows.first else {
                throw StoryError.unknownDevice(
                    deviceID, app: scope.app.slug,
                    knownIn: try StorySearch(connection: connection).apps(ofDevice: deviceID))
            }
            let device = try DeviceProfile(row)
            let reader = StoryReader(scope: scope, connection: connection)
            let tokens = try reader.tokens(ofInstallation: device.installationID)
            let ledger = try reader.ledger(ofTokens: tokens.map(\.tokenID))
            return DeviceStory(
                scope: scope, device: device,
                bindings: try bindings(of: device, scope, on: connection), tokens: tokens, ledger: ledger,
                pushes: try reader.pushes(toInstallation: device.installationID),
                names: try reader.names(for: ledger.entries, knowing: tokens))
        }
    }

    private static func bindings(
        of device: DeviceProfile, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> [Binding] {
        try connection.query(
            .Stories.deviceAccounts, [.value(scope.app.appID), .value(device.installationID)]
        ).map {
            try Binding(
                account: $0.get("account"), isVerified: $0.get("is_verified"), boundAt: $0.get("bound_at"),
                unboundAt: $0.getOptional("unbound_at"))
        }
    }
}
