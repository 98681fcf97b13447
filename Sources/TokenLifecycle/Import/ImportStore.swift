internal import DeliveryModel
internal import Foundation
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Reads the rows that lines of an import affect, and writes the results.
struct ImportStore {
    /// The installation of a line's device.
    struct Installation {
        let id: Int64
        /// Whether the table's registration of it is the latest known.
        let isUpToDate: Bool
        let isErased: Bool
    }

    /// The combined data of one device's lines.
    struct Device {
        var traits: ImportTraits
        var registeredAt: Instant
    }

    let appID: Int64
    let vault: TokenVault
    let connection: PostgresConnection

    func installations(of devices: [UUID: Device], isWritten: Bool) throws -> [UUID: Installation] {
        guard !devices.isEmpty else { return [:] }
        let sorted = devices.sorted { $0.key < $1.key }
        if isWritten { connection.enqueue(try writing(sorted)) }
        let rows = try connection.query(
            .Tokens.findImportedInstallations, [.value(appID), .array(sorted.map(\.key))])
        var found: [UUID: Installation] = [:]
        for row in rows {
            let (deviceID, device) = sorted[Int(try row.get(0, as: Int64.self)) - 1]
            found[deviceID] = Installation(
                id: try row.get(1), isUpToDate: try row.get(2, as: Instant.self) == device.registeredAt,
                isErased: try row.get(3))
        }
        return found
    }

    private func writing(_ devices: [(key: UUID, value: Device)]) throws -> PostgresStatement {
        PostgresStatement(
            .Tokens.importInstallations,
            [
                .value(appID), .array(devices.map(\.key)),
                .nullableArray(devices.map(\.value.traits.platform)),
                .nullableArray(devices.map(\.value.traits.appVersion)),
                .nullableArray(devices.map(\.value.traits.osVersion)),
                .nullableArray(devices.map(\.value.traits.language)),
                .nullableArray(devices.map(\.value.traits.permission)),
                .nullableArray(
                    try devices.map { device in
                        try device.value.traits.tags.map {
                            String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
                        }
                    }),
                .array(devices.map(\.value.registeredAt)),
            ])
    }

    /// Loads the known tokens with these values, and the slots of these installations, into the state.
    func load(
        _ lines: [(ImportLine, fingerprint: [UInt8])], installations: [Int64], into state: inout ImportState
    ) throws {
        let tokens = try connection.query(
            .Tokens.findImportedTokens,
            [
                .value(appID), .array(lines.map(\.0.address.provider)),
                .array(lines.map(\.0.address.environment.rawValue)), .array(lines.map(\.fingerprint)),
            ])
        var owners = Set(installations)
        var tokenIDs: [Int64] = []
        for row in tokens {
            let entry = try ImportState.Entry(row, from: 0)
            tokenIDs.append(entry.token.tokenID)
            if let owner = entry.token.installationID { owners.insert(owner) }
            _ = state.note(entry)
        }
        let slots = try connection.query(
            .Tokens.findImportedSlots, [.value(appID), .array(owners.sorted()), .array(tokenIDs)])
        for row in slots {
            let holder = state.note(try ImportState.Entry(row, from: 4))
            state.note(
                ImportState.Slot(
                    installationID: try row.get(0), kind: try row.get(1), environment: try row.get(2),
                    topic: try row.get(3)),
                heldBy: holder)
        }
    }

    /// Binds the accounts of devices for which this is the latest registration.
    func bind(_ devices: [UUID: Device], _ installations: [UUID: Installation]) {
        let bound = devices.compactMap { deviceID, device -> (Int64, String, Instant)? in
            guard let account = device.traits.account, let installation = installations[deviceID],
                installation.isUpToDate, !installation.isErased
            else { return nil }
            return (installation.id, account, device.registeredAt)
        }
        guard !bound.isEmpty else { return }
        connection.enqueue(
            PostgresStatement(
                .Tokens.bindImportedAccounts,
                [
                    .value(appID), .array(bound.map(\.0)), .array(bound.map(\.1)), .array(bound.map(\.2)),
                ]))
    }
}

extension ImportState.Entry {
    /// Reads the columns of `find_imported_tokens` from the given position on.
    fileprivate init(_ row: PostgresRow, from column: Int) throws {
        var token = Token(tokenID: try row.get(column), state: try row.get(column + 6))
        token.cause = try row.getOptional(column + 7)
        token.installationID = try row.getOptional(column + 8)
        token.lastRegisteredAt = try row.getOptional(column + 9)
        token.lastRejectedAt = try row.getOptional(column + 10)
        self.init(
            provider: try row.get(column + 1),
            environment: try row.get(column + 2),
            fingerprint: try row.get(column + 4), topic: try row.get(column + 3),
            kind: try row.get(column + 5), token: token, before: token,
            diedAt: try row.getOptional(column + 11), isErased: token.cause == .erased)
    }
}
