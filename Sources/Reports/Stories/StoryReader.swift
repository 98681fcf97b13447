internal import DeliveryModel
internal import Foundation
internal import PostgresClient

/// Reads the parts of stories.
struct StoryReader {
    let scope: StoryScope
    let connection: PostgresConnection

    private var appID: PostgresParameter { .value(scope.app.appID) }

    func tokens(_ tokenIDs: [Int64]) throws -> [TokenProfile] {
        guard !tokenIDs.isEmpty else { return [] }
        return try connection.query(.Stories.tokens, [appID, .array(tokenIDs)]).decode()
    }

    /// The newest 200: an installation with more is not a real device.
    func tokens(ofInstallation installationID: Int64) throws -> [TokenProfile] {
        try tokens(
            connection.query(
                .Stories.tokensOfInstallation, [appID, .value(installationID), .value(Int64(200))]
            ).column("token_id"))
    }

    func sameValue(as tokenID: Int64) throws -> [TokenProfile] {
        try tokens(connection.query(.Stories.sameValue, [appID, .value(tokenID)]).column("token_id"))
    }

    func otherAddresses(of tokenID: Int64) throws -> [OtherAddress] {
        try connection.query(.Stories.otherAddresses, [appID, .value(tokenID)]).decode()
    }

    func ledger(ofTokens tokenIDs: [Int64]) throws -> LedgerExtract {
        guard !tokenIDs.isEmpty else { return LedgerExtract(entries: [], earlierCount: 0) }
        let rows = try connection.query(
            .Stories.ledger, [appID, .array(tokenIDs), .value(scope.limit)])
        let count = try rows.first?.get("transition_count", as: Int64.self) ?? 0
        return LedgerExtract(
            entries: try rows.decode(LedgerEntry.self).reversed(), earlierCount: count - Int64(rows.count))
    }

    /// The transitions of a token because of the response to a push.
    func transitions(of push: PushRecord) throws -> [LedgerEntry] {
        guard let tokenID = push.tokenID else { return [] }
        return try connection.query(
            .Stories.responseTransitions,
            [appID, .value(tokenID), .value(push.sentAt.millisecondsSinceEpoch)]
        ).decode()
    }

    /// The newest pushes of the scope, in time order. Reads one UTC day after the other, the last
    /// first, because a day is a partition and most stories need few of them.
    func pushes(toToken tokenID: Int64? = nil, toInstallation installationID: Int64? = nil) throws
        -> [PushRecord]
    {
        var pushes: [PushRecord] = []
        let since = max(scope.pushesSince, StorySearch.keptSince(scope.clock.now))
        // Senders may date a push up to a day ahead.
        var day = (scope.clock.now + .days(1)).startOfUTCDay
        while day + .days(1) > since, Int64(pushes.count) < scope.limit {
            let rows = try connection.query(
                .Stories.pushes,
                [
                    appID, .value(max(day, since)), .value(day + .days(1)), .value(tokenID),
                    .value(installationID), .value(scope.limit - Int64(pushes.count)), .values(scope.senders),
                ])
            pushes += try rows.map { try PushRecord($0) }
            day = day - .days(1)
        }
        return pushes.reversed()
    }

    /// The device id of each installation of the app.
    func devices(_ installationIDs: [Int64]) throws -> [Int64: UUID] {
        guard !installationIDs.isEmpty else { return [:] }
        var devices: [Int64: UUID] = [:]
        for row in try connection.query(.Stories.devicesOfInstallations, [appID, .array(installationIDs)]) {
            devices[try row.get("installation_id")] = try row.get("device_id", as: UUID.self)
        }
        return devices
    }

    /// The names of all tokens and installations that the entries mention.
    func names(for entries: [LedgerEntry], knowing tokens: [TokenProfile]) throws -> StoryNames {
        var names = StoryNames(
            fingerprints: Dictionary(tokens.map { ($0.tokenID, $0.fingerprint) }, uniquingKeysWith: { $1 }))
        let installationIDs = Set(
            entries.flatMap {
                [$0.evidence.number("from_installation_id"), $0.evidence.number("to_installation_id")]
            }.compactMap(\.self)
        ).sorted()
        names.devices = try devices(installationIDs)
        let tokenIDs = Set(
            entries.flatMap { [$0.tokenID, $0.evidence.number("successor_token_id")] }.compactMap(\.self)
                + tokens.compactMap(\.successorID))
        for token in try self.tokens(tokenIDs.filter { names.fingerprints[$0] == nil }.sorted()) {
            names.fingerprints[token.tokenID] = token.fingerprint
        }
        return names
    }
}
