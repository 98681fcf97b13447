internal import DeliveryModel
internal import Foundation
public import Instants
public import PostgresClient
internal import SQLFiles

/// Imports a table of device tokens from elsewhere, so that a team can start with the tokens it has.
///
/// Every line claims a registration in the past (`TokenRules.importVerdict`). It never overrides what apps and providers said
/// since, and the same table can be imported repeatedly. The ledger marks every change as imported. A line without a device
/// creates a token without an installation. An import is not a sign of life: the sweep judges by `registered_at`.
public struct TokenImport {
    public static let batchSize = 1_000

    private let store: ImportStore

    public init(appID: Int64, vault: TokenVault, on connection: PostgresConnection) {
        store = ImportStore(appID: appID, vault: vault, connection: connection)
    }

    /// The verdicts that `apply` would reach now. Only reads. Keeps the effects of earlier lines, about half a kilobyte per line.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the plan.
    ///   - progress: called after each batch.
    ///   - verdict: called for every line, in order.
    public func plan(
        _ reader: TokenImportReader, isStopped: () -> Bool = { false },
        progress: (ImportCounts) throws -> Void = { _ in }, verdict: (ImportedLine) throws -> Void = { _ in }
    ) throws -> ImportCounts {
        var state = ImportState()
        var strangers: [UUID: Int64] = [:]
        return try forEachBatch(of: reader, isStopped, progress, verdict) { batch in
            try store.connection.batch {
                let devices = devices(of: batch)
                var installations = try store.installations(of: devices, isWritten: false).mapValues(\.known)
                for deviceID in devices.keys where installations[deviceID] == nil {
                    // Negative, so that it is no id of the database.
                    let stranger = strangers[deviceID] ?? -1 - Int64(strangers.count)
                    strangers[deviceID] = stranger
                    installations[deviceID] = KnownInstallation(id: stranger, isErased: false)
                }
                return try decide(batch, installations, &state)
            }
        }
    }

    /// Imports in transactions of 1,000 lines each, under a lock that only one import into the app can hold. What was written
    /// before a stop stays; importing the same file again continues from there.
    ///
    /// - Throws: ``TokenImportError/someoneElseImports``, and what reading and writing throw.
    public func apply(
        _ reader: TokenImportReader, now: Instant, isStopped: () -> Bool = { false },
        progress: (ImportCounts) throws -> Void = { _ in }, verdict: (ImportedLine) throws -> Void = { _ in }
    ) throws -> ImportCounts {
        let counts = try store.connection.withLock(.tokenImport, of: store.appID) { lock in
            try forEachBatch(of: reader, isStopped, progress, verdict) { batch in
                try lock.check()
                return try written(batch, now: now)
            }
        }
        guard let counts else { throw TokenImportError.someoneElseImports }
        return counts
    }

    private typealias Batch = [(number: Int, line: Result<ImportLine, ImportRejection>)]

    fileprivate struct KnownInstallation {
        let id: Int64
        let isErased: Bool
    }

    private func forEachBatch(
        of reader: TokenImportReader, _ isStopped: () -> Bool, _ progress: (ImportCounts) throws -> Void,
        _ verdict: (ImportedLine) throws -> Void, _ decide: (Batch) throws -> [ImportedLine]
    ) throws -> ImportCounts {
        var reader = reader
        var counts = ImportCounts()
        while !isStopped() {
            var batch: Batch = []
            while batch.count < Self.batchSize, let line = try reader.next() { batch.append(line) }
            guard !batch.isEmpty else { return counts }
            for line in try decide(batch) {
                counts.count(line)
                try verdict(line)
            }
            try progress(counts)
        }
        counts.wasStopped = true
        return counts
    }

    /// Writes in one transaction, and tries again if it conflicts with one of ingestion's.
    private func written(_ batch: Batch, now: Instant) throws -> [ImportedLine] {
        for _ in 1...4 {
            do {
                return try writtenOnce(batch, now: now)
            } catch let error as PostgresError where error.isTransient && !error.endsConnection {
                continue
            }
        }
        return try writtenOnce(batch, now: now)
    }

    private func writtenOnce(_ batch: Batch, now: Instant) throws -> [ImportedLine] {
        try store.connection.batch {
            let devices = devices(of: batch)
            let installations = try store.installations(of: devices, isWritten: true)
            var state = ImportState()
            let lines = try decide(batch, installations.mapValues(\.known), &state)
            try store.write(state, now: now)
            store.bind(devices, installations)
            return lines
        }
    }

    private func decide(
        _ batch: Batch, _ installations: [UUID: KnownInstallation], _ state: inout ImportState
    ) throws -> [ImportedLine] {
        let valid = batch.compactMap { try? $0.line.get() }
        let lines = valid.map { ($0, fingerprint: store.vault.fingerprint(of: $0.address.value)) }
        let known = Set(installations.values.map(\.id).filter { $0 > 0 })
        try store.load(lines, installations: known.sorted(), into: &state)
        var fingerprints = lines.map(\.fingerprint)[...]
        return batch.map { number, result in
            switch result {
            case .failure(let rejection):
                return ImportedLine(number: number, verdict: .invalid, rejection: rejection)
            case .success(let line):
                let fingerprint = fingerprints.removeFirst()
                let installation = line.deviceID.flatMap { installations[$0] }
                let verdict =
                    installation?.isErased == true
                    ? .erased : state.decide(line, fingerprint: fingerprint, installationID: installation?.id)
                return ImportedLine(number: number, verdict: verdict, rejection: nil)
            }
        }
    }

    /// The lines' combined data about each device; the latest registration takes precedence.
    private func devices(of batch: Batch) -> [UUID: ImportStore.Device] {
        let lines = batch.compactMap { try? $0.line.get() }.sorted { $0.registeredAt < $1.registeredAt }
        return lines.reduce(into: [:]) { devices, line in
            guard let deviceID = line.deviceID else { return }
            let earlier = devices[deviceID]?.traits ?? ImportTraits()
            devices[deviceID] = ImportStore.Device(
                traits: line.traits.over(earlier), registeredAt: line.registeredAt)
        }
    }
}

extension ImportStore.Installation {
    fileprivate var known: TokenImport.KnownInstallation { .init(id: id, isErased: isErased) }
}
