internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Vault

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
        if isWritten { try write(sorted) }
        let rows = try connection.query(
            .Tokens.findImportedInstallations, [.value(appID), .array(sorted.map(\.key))])
        return try rows.reduce(into: [:]) { found, row in
            let (deviceID, device) = sorted[try row.askedIndex]
            found[deviceID] = Installation(
                id: try row.get("installation_id"),
                isUpToDate: try row.get("last_registered_at", as: Instant.self) == device.registeredAt,
                isErased: try row.get("is_erased"))
        }
    }

    private func write(_ devices: [(key: UUID, value: Device)]) throws {
        let traits = devices.map(\.value.traits)
        let tags = try traits.map { traits in
            try traits.tags.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        }
        connection.enqueue(
            .Tokens.importInstallations,
            [
                .value(appID), .array(devices.map(\.key)), .nullableArray(traits.map(\.platform)),
                .nullableArray(traits.map(\.appVersion)), .nullableArray(traits.map(\.osVersion)),
                .nullableArray(traits.map(\.language)), .nullableArray(traits.map(\.permission)),
                .nullableArray(tags), .array(devices.map(\.value.registeredAt)),
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
            let entry = try entry(row)
            tokenIDs.append(entry.token.tokenID)
            if let owner = entry.token.installationID { owners.insert(owner) }
            _ = state.note(entry)
        }
        let slots = try connection.query(
            .Tokens.findImportedSlots, [.value(appID), .array(owners.sorted()), .array(tokenIDs)])
        for row in slots {
            let holder = state.note(try entry(row))
            state.note(
                ImportState.Slot(
                    installationID: try row.get("slot_installation_id"), kind: try row.get("slot_kind"),
                    environment: try row.get("slot_environment"), topic: try row.get("slot_topic")),
                heldBy: holder)
        }
    }

    private func entry(_ row: PostgresRow) throws -> ImportState.Entry {
        var entry = try ImportState.Entry(row)
        entry.keys = try? vault.webPushKeys(of: row, ofApp: appID)
        entry.text = try row.getOptional("sealed_value", as: [UInt8].self)
            .flatMap { try? vault.open($0, from: .token(ofApp: appID)) }
            .map { String(decoding: $0, as: UTF8.self) }
        entry.isUnproven = try row.get("is_unproven")
        return entry
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
            .Tokens.bindImportedAccounts,
            [.value(appID), .array(bound.map(\.0)), .array(bound.map(\.1)), .array(bound.map(\.2))])
    }
}

extension ImportState.Entry {
    /// Reads the columns of `find_imported_tokens`.
    fileprivate init(_ row: PostgresRow) throws {
        var token = Token(tokenID: try row.get("token_id"), state: try row.get("state"))
        token.cause = try row.getOptional("cause")
        token.installationID = try row.getOptional("installation_id")
        token.lastRegisteredAt = try row.getOptional("last_registered_at")
        token.lastRejectedAt = try row.getOptional("last_rejected_at")
        self.init(
            provider: try row.get("provider"), environment: try row.get("environment"),
            fingerprint: try row.get("fingerprint"), topic: try row.get("topic"),
            kind: try row.get("kind"), token: token, before: token,
            diedAt: try row.getOptional("died_at"), isErased: token.cause == .erased)
    }
}
