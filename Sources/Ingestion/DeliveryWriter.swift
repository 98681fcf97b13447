public import DeliveryModel
internal import Foundation
public import Logging
public import PostgresClient
internal import SQLFiles
public import TokenLifecycle

/// Writes batches: the rows, the counters, the token ledger and the quarantine, in one transaction.
///
/// What the transaction refers to (partitions, ids of words, tokens nobody knew) is made before it and on its own: it is
/// harmless without the batch, and the transaction stays short.
public struct DeliveryWriter: Sendable {
    private let pool: PostgresPool
    private let quarantine: Quarantine
    private let ledger: TokenLedger
    private let signs = SignsOfLife()
    private let taxonomy: RejectionTaxonomy
    private let dimensions = Dimensions()
    private let partitions = Partitions()
    private let slot: Int16
    private let logger: Logger

    /// How often a batch is tried in all when the database is restarting or two batches collide. Safe: events only add bits.
    private static let attempts = 4

    /// - Parameter slot: this writer's share of the counters, so that concurrent writers do not wait for each other.
    public init(
        pool: PostgresPool, vault: TokenVault, taxonomy: RejectionTaxonomy,
        limits: QuarantineLimits = QuarantineLimits(), slot: Int16 = .random(in: 0..<16), logger: Logger
    ) {
        self.pool = pool
        self.quarantine = Quarantine(vault: vault, limits: limits, slot: slot)
        self.ledger = TokenLedger(vault: vault)
        self.taxonomy = taxonomy
        self.slot = slot
        self.logger = logger
    }

    /// Writes the items and answers one verdict each, in order, after the commit.
    ///
    /// - Throws: ``PostgresError`` when the database is away; then nothing of the batch is recorded, or (connection lost
    ///   during the commit) all of it, and repeating it is safe.
    public func write(_ items: [BatchItem]) async throws -> [Verdict] {
        let now = Instant.now
        return try await pool.withConnection(attempts: Self.attempts) { connection in
            try write(items, now: now, on: connection)
        }
    }

    /// One transaction, unless the database refuses a value: then the batch is halved until the culprit stands alone, and
    /// only that one is rejected. Many culprits would cost many transactions; the validator knows no value that the
    /// database refuses, so one is a surprise.
    private func write(
        _ items: [BatchItem], now: Instant, mayForget: Bool = true, on connection: PostgresConnection
    ) throws -> [Verdict] {
        do {
            return try writeTogether(items, now: now, on: connection)
        } catch let error as PostgresError where error.sqlState == .checkViolation && mayForget {
            // A day that was known may have been dropped: look again before anybody is blamed.
            partitions.forget()
            return try write(items, now: now, mayForget: false, on: connection)
        } catch let error as PostgresError where error.isDataError {
            guard items.count > 1 else {
                return try writeRefused(items, error, now: now, on: connection)
            }
            logger.warning("a batch was refused and is being halved", metadata: ["error": "\(error)"])
            let middle = items.count / 2
            return try write(Array(items[..<middle]), now: now, on: connection)
                + write(Array(items[middle...]), now: now, on: connection)
        }
    }

    private func writeRefused(
        _ items: [BatchItem], _ error: PostgresError, now: Instant, on connection: PostgresConnection
    ) throws -> [Verdict] {
        let code = error.sqlState?.rawValue ?? ""
        let refused = items.map { item in
            guard case .success = item.content else { return item }
            let rejection = ItemRejection(.invalidField, "the database refused a value (SQLSTATE \(code))")
            return BatchItem(
                appID: item.appID, text: item.text, poster: item.poster, content: .failure(rejection))
        }
        return try writeTogether(refused, now: now, on: connection)
    }

    private func writeTogether(
        _ items: [BatchItem], now: Instant, on connection: PostgresConnection
    ) throws -> [Verdict] {
        let prepared = try prepare(items, now: now, on: connection)
        let accepted = try connection.transaction {
            var batch = prepared
            try quarantine.keep(items, now: now, on: connection)
            let accepted = try write(&batch, now: now, on: connection)
            try countIntake(items, accepted: accepted.count, now: now, on: connection)
            return accepted
        }
        var verdicts = items.map { item -> Verdict in
            if case .failure(let rejection) = item.content { return .rejected(rejection) }
            return .duplicate
        }
        for entry in accepted { verdicts[entry.position] = .accepted }
        return verdicts
    }

    /// The transaction's work, in the order in which every writer takes its locks. Answers the entries that changed a row.
    private func write(
        _ batch: inout DeliveryBatch, now: Instant, on connection: PostgresConnection
    ) throws -> [DeliveryBatch.Entry] {
        guard !batch.entries.isEmpty else { return [] }
        let dates = try NotificationDates().settle(batch.entries, now: now, on: connection)
        batch.date(dates)
        let changed = try recordDeliveries(batch.records(), on: connection)
        guard !changed.isEmpty || !dates.removed.isEmpty else { return [] }
        var rollups = RollupChanges()
        for row in dates.removed + changed.values { rollups.add(row) }
        try rollups.write(slot: slot, on: connection)

        let accepted = batch.accepted(changed)
        let signsOfLife = accepted.compactMap { entry in
            entry.signOfLife(tokenID: entry.key.flatMap { changed[$0]?.tokenID }, now: now)
        }
        try signs.record(signsOfLife, now: now, on: connection)
        try ledger.apply(accepted.compactMap(\.tokenAnswer), now: now, on: connection)
        return accepted
    }

    private func recordDeliveries(
        _ records: [DeliveryRecord], on connection: PostgresConnection
    ) throws -> [DeliveryKey: ChangedDelivery] {
        let rows = try connection.query(.Ingestion.recordDeliveries, records.parameters)
        var changed: [DeliveryKey: ChangedDelivery] = [:]
        changed.reserveCapacity(rows.count)
        for row in rows {
            let delivery = try ChangedDelivery(row)
            changed[delivery.key] = delivery
        }
        return changed
    }

    /// Placeholder of the colleague's counting.
    private func countIntake(
        _ items: [BatchItem], accepted: Int, now: Instant, on connection: PostgresConnection
    ) throws {
        let counts = Dictionary(grouping: items, by: \.appID).sorted { $0.key < $1.key }.map { app, items in
            let rejected = items.count { if case .failure = $0.content { true } else { false } }
            return (app: app, received: Int64(items.count), rejected: Int64(rejected))
        }
        let isOneApp = counts.count == 1
        try connection.query(
            .Ingestion.addToIntakeRollup,
            [
                .array(counts.map(\.app)), .array(counts.map { _ in now }), .value(slot),
                .array(counts.map(\.received)),
                .array(counts.map { isOneApp ? Int64(accepted) : $0.received - $0.rejected }),
                .array(counts.map { isOneApp ? $0.received - $0.rejected - Int64(accepted) : 0 }),
                .array(counts.map(\.rejected)),
            ])
    }
}

// MARK: - What a batch needs before it is written

extension DeliveryWriter {
    private func prepare(
        _ items: [BatchItem], now: Instant, on connection: PostgresConnection
    ) throws -> DeliveryBatch {
        let events = items.enumerated().compactMap { position, item -> PostedItem? in
            guard case .success(let event) = item.content else { return nil }
            return PostedItem(position: position, appID: item.appID, event: event)
        }
        try partitions.ensure(events.map { $0.event.sentAt ?? now }, on: connection)
        let targets = try resolveTargets(of: events, now: now, on: connection)
        let answers = try resolveAnswers(of: events, targets, on: connection)
        return DeliveryBatch(
            entries: events.enumerated().map { index, posted in
                let answer = answers[index]
                return DeliveryBatch.Entry(
                    position: posted.position, appID: posted.appID, sentAt: posted.event.sentAt,
                    event: posted.event,
                    contribution: posted.event.contribution(outcome: answer?.outcome.outcomeClass),
                    target: targets[index], answer: answer)
            })
    }

    /// The token (or, for channels without tokens, the installation) that each response went to, by position.
    private func resolveTargets(
        of events: [PostedItem], now: Instant, on connection: PostgresConnection
    ) throws -> [PushTarget?] {
        let tokens = try ledger.resolve(
            Set(events.compactMap(\.tokenAddress)), now: now, on: connection)
        let devices = try InstallationDirectory().find(Set(events.compactMap(\.targetDevice)), on: connection)
        return events.map { posted in
            posted.tokenAddress.flatMap { tokens[$0] } ?? posted.targetDevice.flatMap { devices[$0] }
        }
    }

    /// What each response says, with ids for its words; nil for events that are no response.
    private func resolveAnswers(
        of events: [PostedItem], _ targets: [PushTarget?], on connection: PostgresConnection
    ) throws -> [DeliveryRecord.Answer?] {
        let words = zip(events, targets).map { posted, target in
            posted.response.map { ResponseWords($0, appID: posted.appID, target: target, taxonomy) }
        }
        let campaigns = try dimensions.campaigns.ids(of: Set(words.compactMap(\.?.campaign)), on: connection)
        let segments = try dimensions.segments.ids(of: Set(words.compactMap(\.?.segment)), on: connection)
        let answers = try dimensions.answers.ids(of: Set(words.compactMap(\.?.answer)), on: connection)
        return zip(words, targets).map { words, target in
            guard let words, let campaignID = campaigns[words.campaign],
                let segmentID = segments[words.segment],
                let answerID = answers[words.answer]
            else { return nil }
            return DeliveryRecord.Answer(
                campaignID: campaignID, segmentID: segmentID, tokenID: target?.token?.tokenID,
                installationID: target?.installationID, answerID: answerID, outcome: words.outcome)
        }
    }
}

/// A valid event and where it stands in its batch.
private struct PostedItem {
    let position: Int
    let appID: Int64
    let event: Event

    var response: ProviderResponse? {
        guard case .response(let response) = event.content else { return nil }
        return response
    }

    var tokenAddress: AppTokenAddress? {
        guard case .token(let address) = response?.target else { return nil }
        return AppTokenAddress(appID: appID, address: address)
    }

    var targetDevice: AppDevice? {
        guard case .device(let deviceID) = response?.target else { return nil }
        return AppDevice(appID: appID, deviceID: deviceID)
    }
}

/// The words of a response that rows refer to by id.
private struct ResponseWords {
    let campaign: CampaignName
    let segment: Segment
    let answer: AnswerWords
    let outcome: Outcome

    init(_ response: ProviderResponse, appID: Int64, target: PushTarget?, _ taxonomy: RejectionTaxonomy) {
        outcome = taxonomy.outcome(
            provider: response.provider, status: response.status, reason: response.reason)
        campaign = CampaignName(appID: appID, key: response.campaign, variant: response.variant)
        segment = Segment(
            appID: appID, provider: response.provider, environment: response.environment.rawValue,
            topic: response.topic, pushType: response.pushType,
            priority: response.priority.map(String.init) ?? "",
            traits: target?.traits ?? InstallationTraits())
        answer = AnswerWords(
            provider: response.provider, status: Int32(response.status), reason: response.reason ?? "",
            outcomeClass: outcome.outcomeClass)
    }
}
