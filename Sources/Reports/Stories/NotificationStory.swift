internal import Access
public import DeliveryModel
public import Foundation
public import PostgresClient
internal import SQLFiles

/// The life of one notification, and what it counts as.
public struct NotificationStory: Hashable, Sendable {
    public let scope: StoryScope
    public let push: PushRecord
    /// Whether no response has said when it was sent: the date is that of its first event.
    public let isProvisional: Bool
    /// The token to which it was sent, with its current state; `nil` for channels without tokens, and while no response is known.
    public let token: TokenProfile?
    /// The device that held the token when the response was recorded, or else the one that holds it now.
    public let deviceID: UUID?
    /// The transitions of the token because of its response.
    public let consequences: [LedgerEntry]
    public let names: StoryNames

    /// Reads the story in one snapshot.
    ///
    /// - Throws: ``StoryError/unknownNotification(_:app:knownIn:sentAt:keptFrom:)``; `PostgresError`.
    public static func read(
        notificationID: UUID, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> NotificationStory {
        try connection.snapshot {
            let search = StorySearch(connection: connection)
            let span = try search.sendingTimes(of: notificationID, now: scope.clock.now)
            let rows = try connection.query(
                .Stories.notification,
                [
                    .value(scope.app.appID), .value(notificationID), .value(span.lowerBound),
                    .value(span.upperBound),
                ])
            guard let row = rows.first else {
                throw StoryError.unknownNotification(
                    notificationID, app: scope.app.slug,
                    knownIn: try search.apps(ofNotification: notificationID, now: scope.clock.now),
                    sentAt: notificationID.versionSevenInstant, keptFrom: try search.keptFrom())
            }
            return try NotificationStory(row, StoryReader(scope: scope, connection: connection))
        }
    }

    private init(_ row: PostgresRow, _ reader: StoryReader) throws {
        let push = try PushRecord(row)
        scope = reader.scope
        self.push = push
        isProvisional = try row.get("is_provisional")
        token = try push.tokenID.flatMap { try reader.tokens([$0]).first }
        consequences = try reader.transitions(of: push)
        names = try reader.names(for: consequences, knowing: [token].compactMap(\.self))
        let holder = try push.installationID.flatMap { try reader.devices([$0])[$0] }
        deviceID = holder ?? token?.deviceID
    }

    /// The measures that count it. Empty without a provider's response.
    public var measures: [Measure] { Measure.allCases.filter { $0.value(of: push.state) == 1 } }

    /// The measure that counts it while no response is known: `unmatched` or `local`.
    public var unmatchedMeasures: [UnmatchedMeasure] {
        UnmatchedMeasure.allCases.filter { $0.value(of: push.state) == 1 }
    }
}
