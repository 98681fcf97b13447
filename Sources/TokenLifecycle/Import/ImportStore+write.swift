internal import DeliveryModel
internal import PostgresClient
internal import Vault

extension ImportStore {
    /// Writes all changes. Within a transaction.
    ///
    /// - Throws: a transient `PostgresError` if another transaction changed one of the tokens meanwhile.
    func write(_ state: ImportState, now: Instant) throws {
        let changed = state.changedEntries.sorted()
        var tokenIDs: [Int: Int64] = [:]
        for position in changed where state.entries[position].before != nil {
            tokenIDs[position] = state.entries[position].token.tokenID
        }
        let new = changed.filter { state.entries[$0].before == nil }
        tokenIDs.merge(try insert(new, of: state, now: now)) { $1 }
        try update(changed.filter { state.entries[$0].before != nil }, of: state, now: now)
        writeSlots(of: state, tokenIDs)
        let rotated = try changed.compactMap { position in
            try state.entries[position].successor.flatMap { tokenIDs[$0] }.map { successor in
                (try tokenIDs.id(of: position), successor)
            }
        }
        if !rotated.isEmpty {
            connection.enqueue(
                .Tokens.nameSuccessors,
                [.value(appID), .array(rotated.map(\.0)), .array(rotated.map(\.1))])
        }
        merge(changed.filter { state.entries[$0].isRegistered }, of: state, tokenIDs, now: now)
        try connection.record(
            state.transitions.map { transition in
                var evidence = transition.evidence
                if transition.change.to == .retired {
                    let entry = state.entries[transition.entry]
                    evidence.successorTokenID = entry.successor.flatMap { tokenIDs[$0] }
                }
                return TokenTransition(
                    appID: appID, tokenID: try tokenIDs.id(of: transition.entry), from: transition.from,
                    change: transition.change, evidence: evidence)
            }, now: now)
        let installationIDs = Set(state.entries.compactMap(\.token.installationID)).sorted()
        connection.enqueue(.Tokens.describeTokens, [.value(appID), .array(installationIDs)])
    }

    /// A value is one token, so the tokens that responses named under other addresses retire.
    private func merge(_ positions: [Int], of state: ImportState, _ tokenIDs: [Int: Int64], now: Instant) {
        let registered = positions.compactMap { position in
            tokenIDs[position].map { (state.entries[position], $0) }
        }
        guard !registered.isEmpty else { return }
        connection.enqueue(
            .Tokens.mergeTokens,
            [
                .value(appID), .array(registered.map(\.0.fingerprint)), .array(registered.map(\.1)),
                .nullableArray(registered.map(\.0.token.installationID)), .value(now),
            ])
    }

    private func insert(_ positions: [Int], of state: ImportState, now: Instant) throws -> [Int: Int64] {
        guard !positions.isEmpty else { return [:] }
        let entries = positions.map { state.entries[$0] }
        let rows = try connection.query(
            .Tokens.importTokens,
            [
                .value(appID), .array(entries.map(\.provider)), .array(entries.map(\.environment.rawValue)),
                .array(entries.map(\.topic)), .array(entries.map(\.fingerprint)),
                .array(entries.map(\.kind.rawValue)), .array(try entries.map(sealed).compactMap(\.self)),
                .nullableArray(entries.map(\.token.installationID)),
                .array(entries.map(\.token.state.rawValue)),
                .nullableArray(entries.map(\.token.cause?.rawValue)),
                .nullableArray(entries.map(\.firstSeenAt)),
                .nullableArray(entries.map(\.token.lastRegisteredAt)), .value(now),
                .nullableArray(try entries.map(sealedKeys)),
            ])
        guard rows.count == entries.count else { throw meanwhileChanged(.Tokens.importTokens) }
        let byName = Dictionary(
            zip(entries.map { $0.name(under: $0.topic) }, positions), uniquingKeysWith: { first, _ in first })
        var tokenIDs: [Int: Int64] = [:]
        for row in rows {
            guard let position = try byName[row.decode(ImportState.Name.self)] else { continue }
            tokenIDs[position] = try row.get("token_id")
        }
        return tokenIDs
    }

    private func update(_ positions: [Int], of state: ImportState, now: Instant) throws {
        guard !positions.isEmpty else { return }
        let entries = positions.map { state.entries[$0] }.sorted { $0.token.tokenID < $1.token.tokenID }
        let rows = try connection.query(
            .Tokens.changeImportedTokens,
            [
                .value(appID), .array(entries.map(\.token.tokenID)),
                .nullableArray(entries.map(\.before?.state.rawValue)),
                .nullableArray(entries.map(\.before?.installationID)),
                .nullableArray(entries.map(\.before?.lastRegisteredAt)),
                .array(entries.map(\.topic)), .array(entries.map(\.kind.rawValue)),
                .nullableArray(try entries.map(sealed)),
                .nullableArray(entries.map(\.token.installationID)),
                .array(entries.map(\.token.state.rawValue)),
                .nullableArray(entries.map(\.token.cause?.rawValue)),
                .nullableArray(entries.map(\.token.lastRegisteredAt)), .value(now),
                .nullableArray(try entries.map(sealedKeys)),
            ])
        guard rows.count == entries.count else { throw meanwhileChanged(.Tokens.changeImportedTokens) }
    }

    private func sealed(_ entry: ImportState.Entry) throws -> [UInt8]? {
        guard entry.isRegistered else { return nil }
        return try entry.text.map { try vault.seal(Array($0.utf8), for: .token(ofApp: appID)) }
    }

    private func sealedKeys(_ entry: ImportState.Entry) throws -> [UInt8]? {
        guard entry.isRegistered else { return nil }
        return try entry.keys.map { try vault.seal($0, ofApp: appID) }
    }

    private func writeSlots(of state: ImportState, _ tokenIDs: [Int: Int64]) {
        let moved = state.movedEntries.compactMap { tokenIDs[$0] }.sorted()
        guard !moved.isEmpty else { return }
        connection.enqueue(.Tokens.leaveSlots, [.value(appID), .array(moved)])
        let taken = state.changedSlots.flatMap { slot in
            (state.slots[slot] ?? []).compactMap { tokenIDs[$0] }.map { (slot, $0) }
        }
        connection.enqueue(
            .Tokens.takeSlots,
            [
                .value(appID), .array(taken.map(\.0.installationID)), .array(taken.map(\.0.kind.rawValue)),
                .array(taken.map(\.0.environment.rawValue)), .array(taken.map(\.0.topic)),
                .array(taken.map(\.1)),
            ])
    }

    /// Simulates the database's own error, so that the batch is tried again with the current data.
    private func meanwhileChanged(_ statement: SQLFile) -> PostgresError {
        .server(
            sqlState: .serializationFailure, message: "a token was changed meanwhile",
            statement: statement.name)
    }
}

extension [Int: Int64] {
    /// The id of the token in an entry that was written.
    fileprivate func id(of entry: Int) throws(PostgresError) -> Int64 {
        if let id = self[entry] { return id }
        throw .unexpectedResult(statement: SQLFile.Tokens.importTokens.name, detail: "a token was not added")
    }
}
