public import DeliveryModel
internal import Foundation
public import Logging
public import PostgresClient
internal import TokenLifecycle
public import Vault

/// Writes a batch on one connection: the rows, counters, token ledger and quarantine, in one transaction.
///
/// Objects that the transaction refers to (partitions, ids of words, unknown tokens) are created before it,
/// in their own transactions: they are harmless without the batch, and the batch's transaction stays short.
public struct BatchRecorder: Sendable {
    private let quarantine: Quarantine
    let ledger: TokenLedger
    let signs = SignsOfLife()
    let taxonomy: RejectionTaxonomy
    let spokenTokens: SpokenTokens
    let dimensions = Dimensions()
    private let partitions = Partitions()
    private let firstShard: Int16
    private let logger: Logger

    /// A first share for a server whose number is not known.
    public static var anyShard: Int16 { 4 * .random(in: 0..<16) }

    /// - Parameter firstShard: this server's first share of the counters, so that concurrent writers do not
    ///   wait for each other. Writer 0 counts in this shard, writer 1 in the next.
    public init(
        vault: TokenVault, taxonomy: RejectionTaxonomy, limits: QuarantineLimits = QuarantineLimits(),
        firstShard: Int16 = BatchRecorder.anyShard, logger: Logger
    ) {
        self.quarantine = Quarantine(vault: vault, limits: limits)
        self.ledger = TokenLedger(vault: vault)
        self.taxonomy = taxonomy
        self.spokenTokens = SpokenTokens(known: KnownValues(vault: vault), taxonomy: taxonomy)
        (self.firstShard, self.logger) = (firstShard, logger)
    }

    func shard(ofWriter writer: Int) -> Int16 { firstShard &+ Int16(truncatingIfNeeded: writer) }

    /// Writes items and returns one verdict each, in order, after the commit. Nothing is tried again;
    /// repeating it is safe.
    public func write(
        _ items: [BatchItem], now: Instant = .now, on connection: PostgresConnection
    ) throws -> [Verdict] {
        let written = try write(items, now: now, shard: firstShard, on: connection)
        if !written.waitingTokenIDs.isEmpty {
            _ = try WaitingMessages(shard: firstShard).claim(written.waitingTokenIDs, on: connection)
        }
        guard written.verdicts.count < items.count else { return written.verdicts }
        return try written.verdicts + write(Array(items[written.verdicts.count...]), now: now, on: connection)
    }

    struct Written {
        /// Those on the first items, at least one of them, if the others could not be written.
        var verdicts: [Verdict]
        /// Tokens that messages were sent to and that were not registered when the batch was prepared.
        var waitingTokenIDs: Set<Int64> = []

        static func + (left: Written, right: Written) -> Written {
            Written(
                verdicts: left.verdicts + right.verdicts,
                waitingTokenIDs: left.waitingTokenIDs.union(right.waitingTokenIDs))
        }
    }

    func write(
        _ items: [BatchItem], now: Instant, shard: Int16, on connection: PostgresConnection
    ) throws -> Written {
        let unconfirmed = try UnconfirmedItems(of: items, signs, on: connection)
        guard !unconfirmed.isEmpty else { return try writeAll(items, now: now, shard: shard, on: connection) }
        let rest = unconfirmed.rest(of: items)
        var written = Written(verdicts: [])
        if !rest.isEmpty { written = try writeAll(rest, now: now, shard: shard, on: connection) }
        written.verdicts = unconfirmed.inserted(into: written.verdicts)
        return written
    }

    /// Writes the items in one transaction. If the database rejects a value, halves the batch until the
    /// invalid item is alone, and rejects only that. Many of them would cost many transactions, but the
    /// validator should let through none. If the second half fails, as when the move of an app begins, it is
    /// left to the caller: items of the first one, which is committed, would now be duplicates.
    private func writeAll(
        _ items: [BatchItem], now: Instant, shard: Int16, on connection: PostgresConnection
    ) throws -> Written {
        do {
            return try writeTogether(items, now: now, shard: shard, on: connection)
        } catch PostgresError.noPartition(let statement) {
            // A known day has been dropped since. The next attempt creates its partition again.
            partitions.forget()
            throw PostgresError.noPartition(statement: statement)
        } catch let error as RedirectedItems {
            let rest = try partitions.rejected(items, error, on: connection)
            return try writeAll(rest, now: now, shard: shard, on: connection)
        } catch let error as PostgresError where error.isDataError {
            guard items.count > 1 else {
                return try writeRejected(items, error, now: now, shard: shard, on: connection)
            }
            logger.warning("the database rejected a batch; halving it", metadata: ["error": "\(error)"])
            let middle = items.count / 2
            let first = try writeAll(Array(items[..<middle]), now: now, shard: shard, on: connection)
            let rest = Array(items[middle...])
            guard first.verdicts.count == middle,
                let second = try? writeAll(rest, now: now, shard: shard, on: connection)
            else { return first }
            return first + second
        }
    }

    private func writeRejected(
        _ items: [BatchItem], _ error: PostgresError, now: Instant, shard: Int16,
        on connection: PostgresConnection
    ) throws -> Written {
        let code = error.sqlState?.rawValue ?? ""
        let rejected = items.map { item in
            guard case .success = item.content else { return item }
            return item.rejected(
                ItemRejection(.invalidField, "the database rejected a value (SQLSTATE \(code))"))
        }
        return try writeTogether(rejected, now: now, shard: shard, on: connection)
    }

    private func writeTogether(
        _ posted: [BatchItem], now: Instant, shard: Int16, on connection: PostgresConnection
    ) throws -> Written {
        let items = try partitions.prepare(for: posted, now: now, on: connection)
        var batch = try prepare(items, now: now, on: connection)
        var touched = SignsOfLife.Written()
        let written = try connection.transaction {
            var written = Written(
                verdicts: items.map { item in
                    switch item.content {
                    case .failure(let rejection): .rejected(rejection)
                    case .success(let event): Verdict(outcome: .duplicate, warnings: event.warnings)
                    }
                })
            for entry in batch.entries { written.verdicts[entry.position].warnings.formUnion(entry.warnings) }
            try quarantine.keep(items, now: now, shard: shard, on: connection)
            written.waitingTokenIDs = try MessageRecipients.address(&batch, now: now, on: connection)
            let (accepted, repeats, reused) = try record(
                &batch, of: items, now: now, shard: shard, on: connection)
            for event in accepted {
                written.verdicts[event.position].outcome = .accepted
                written.verdicts[event.position].isMatched = event.isMatched
                written.verdicts[event.position].confirmedEvents = event.confirmedEvents
            }
            for position in repeats { written.verdicts[position].isMatched = true }
            for position in reused { written.verdicts[position].warnings.insert(.reusedID) }
            // Fails if an app of the items is being moved.
            connection.enqueue(IntakeCounts(items, written.verdicts).statement(now: now, shard: shard))
            if let troubles = DeviceTroubleCounts(batch, accepted: accepted).statement(now: now) {
                connection.enqueue(troubles)
            }

            touched = try signs.record(accepted.compactMap(\.signOfLife), now: now, on: connection)
            try ledger.apply(
                accepted.compactMap(\.tokenResponse), isBehindWaking: touched.wakesTokens, now: now,
                shard: shard, on: connection)
            return written
        }
        signs.remember(touched)
        return written
    }

    /// Writes rows and counters, in the order in which every writer takes its locks. Returns the events that
    /// changed a row, the devices' events that repeat what is known of notifications with a response, and
    /// the responses whose id another push has.
    private func record(
        _ batch: inout DeliveryBatch, of items: [BatchItem], now: Instant, shard: Int16,
        on connection: PostgresConnection
    ) throws -> (accepted: [DeliveryBatch.Accepted], matchedRepeats: [Int], reusedIDs: [Int]) {
        guard !batch.entries.isEmpty else { return ([], [], []) }
        let dates = try NotificationDates.settle(
            NotificationDates.dates(of: batch.entries, now: now), on: connection)
        batch.date(dates)
        do {
            let written = try batch.records().write(
                inPlaceOf: Array(dates.waiting.values), shard: shard, on: connection)
            let accepted = batch.accepted(written, now: now)
            let repeats = batch.repeats(written, accepted, of: items)
            let rows = try RecordedDelivery.find(Array(repeats.keys), on: connection)
            return (
                accepted, batch.matched(repeats, rows, of: items),
                try batch.reusedIDs(written, rows, on: connection)
            )
        } catch let error as MissingDay {
            throw RedirectedItems(
                sentAt: batch.positions(of: error.destinations.mapValues(\.sentAt)),
                underlying: error.underlying)
        } catch let error as PostgresError {
            guard case .noPartition = error else { throw error }
            // The day of a notification, by its date or by what is known of it, was dropped or closed since.
            throw RedirectedItems(sentAt: batch.sendTimes, underlying: error)
        }
    }
}
