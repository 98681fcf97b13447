import Foundation
import Logging
import PostgresClient
import TestDatabase
import Testing

/// Plans are made once and kept. Plans made while the tables are empty must still be right for millions of
/// rows.
@Suite(.database) struct PlanTests {
    private static let statements: [SQLFile] = [
        .Ingestion.dateNotifications, .Ingestion.findResponses, .Ingestion.findCampaigns,
        .Ingestion.findSegments,
        .Ingestion.recordDeliveries, .Ingestion.takeDeliveries, .Ingestion.recordRecipients,
        .Ingestion.addToVersionRollup,
        .Ingestion.lockWaitingMessages, .Ingestion.addressMessages, .Tokens.changeTokens,
        .Tokens.countResponses, .Tokens.countRejectedPeers, .Tokens.lockBreakers, .Tokens.readBreakers,
        .Tokens.openBreakers, .Tokens.usualRejections,
        .Tokens.findDevices, .Tokens.findInstallations, .Tokens.findKnownElsewhere, .Tokens.readTokens,
        .Tokens.resolveTokens,
        .Tokens.resolveTokensOfAnyAddress, .Tokens.recordOtherAddresses, .Tokens.mergeTokens,
        .Tokens.reviveStaleTokens, .Tokens.touchInstallations, .Tokens.touchTokens,
        .Tokens.describeTokens, .Tokens.findImportedInstallations, .Tokens.findImportedTokens,
        .Tokens.changeImportedTokens, .Tokens.leaveSlots, .Tokens.nameSuccessors,
        .Tokens.bindAccount, .Tokens.endOtherPermissions,
        .Tokens.findInstallation, .Tokens.hearFromApps, .Tokens.leaveOtherSlots, .Tokens.lockToken,
        .Tokens.logOut, .Tokens.nameTopic, .Tokens.readSlot, .Tokens.registerToken, .Tokens.retireExpired,
        .Tokens.retireToken, .Tokens.startPermission, .Tokens.takeSlots, .Tokens.unbindOtherAccounts,
    ]

    /// The only indexes that lead from a batch's arrays to its rows.
    private static let indexes = [
        "token_pkey", "token_fingerprint_idx", "token_id_idx", "token_installation_idx", "installation_pkey",
        "installation_id_idx",
        "campaign_key_key", "segment_pkey", "segment_digest_key", "provider_response_words_key",
        "delivery_pkey",
        "token_breaker_pkey", "token_breaker_minute_pkey", "app_pkey", "app_move_pkey",
        "message_recipient_pkey",
        "message_recipient_waiting_idx", "token_slot_token_idx", "token_slot_pkey", "account_binding_pkey",
        "permission_period_pkey", "token_other_address_pkey",
    ]

    /// Further indexes of some statements, for the day's counters and some suspect tokens of rejected pushes,
    /// the ledger of a merged token, or a batch of an app's expired tokens.
    private static let furtherIndexes = [
        SQLFile.Tokens.countRejectedPeers.name: [
            "counter_quarter_pkey", "counter_live_pkey", "token_state_idx",
        ],
        SQLFile.Tokens.findImportedTokens.name: ["token_transition_pkey"],
        SQLFile.Tokens.retireExpired.name: ["token_expiry_idx"],
        SQLFile.Tokens.usualRejections.name: ["headline_quarter_pkey", "counter_live_pkey"],
    ]

    @Test(
        "ingestion and registration find their rows by key, even with plans made when the tables were empty",
        arguments: statements)
    func indexesOnly(_ file: SQLFile) async throws {
        var configuration = TestDatabase.current.configuration(size: 1)
        configuration.plansOnce = true
        let pool = PostgresPool(configuration, logger: Logger(label: "test"))
        let plan = try await pool.withConnection { connection in
            let prepare = SQLFile(name: "test/prepare", text: "PREPARE planned AS \(file.text)")
            try connection.execute(script: prepare)
            let nulls = Array(repeating: "NULL", count: file.parameterCount).joined(separator: ", ")
            let explain = SQLFile(name: "test/explain", text: "EXPLAIN (COSTS OFF) EXECUTE planned(\(nulls))")
            return try connection.query(explain).map { try $0.get(0, as: String.self) }
        }
        try await pool.close()
        #expect(!plan.isEmpty)
        // app_move has a row per app that moves, and all of them are asked for.
        for line in plan where !line.contains("Seq Scan on app_move") {
            for kind in ["Seq Scan", "Hash Join", "Merge Join", "Bitmap"] {
                #expect(!line.contains(kind), "\(line)")
            }
            // This would be all that is left of a key in a full index scan.
            #expect(!line.contains(/Join Filter:.*(token_id|installation_id|device_id|fingerprint) =/))
            #expect(!line.contains(/Index Cond: \(token_id >/), "\(line)")
            guard let scan = line.firstMatch(of: /Index (?:Only )?Scan using (\S+) on/) else { continue }
            let indexes = Self.indexes + Self.furtherIndexes[file.name, default: []]
            #expect(indexes.contains(String(scan.1)), "\(line)")
        }
    }
}

extension SQLFile {
    /// The number of parameters of the statement.
    var parameterCount: Int {
        text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
    }
}
