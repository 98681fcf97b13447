public import DeliveryModel
internal import Foundation
public import PostgresClient
public import Vault

/// Imports a table of device tokens from elsewhere, so that a team can start with the tokens it has.
///
/// Every line claims a registration in the past (`TokenRules.importVerdict`). It never overrides what apps
/// and providers said since, and the same table can be imported repeatedly. The ledger marks every change as
/// imported. A line without a device creates a token without an installation. An import is not a sign of
/// life: the sweep judges by `registered_at`. The order of the lines has no effect, so all are read before
/// the first is decided.
public struct TokenImport {
    public static let batchSize = 1_000

    private let store: ImportStore

    public init(appID: Int64, vault: TokenVault, on connection: PostgresConnection) {
        store = ImportStore(appID: appID, vault: vault, connection: connection)
    }

    /// The verdicts that `apply` would reach now. Only reads.
    ///
    /// - Parameters:
    ///   - isStopped: called between batches; true ends the plan.
    ///   - progress: called after each batch.
    ///   - verdict: called for every line, in the order of the file, once all are decided.
    public func plan(
        _ reader: TokenImportReader, isStopped: () -> Bool = { false },
        progress: (ImportProgress) throws -> Void = { _ in },
        verdict: (ImportedLine) throws -> Void = { _ in }
    ) throws -> ImportCounts {
        var state = ImportState()
        var strangers: [UUID: Int64] = [:]
        return try forEachBatch(of: reader, isStopped, progress, verdict) { batch in
            try store.connection.batch {
                let devices = devices(of: batch)
                var installations = try store.installations(of: devices, isWritten: false)
                for deviceID in devices.keys where installations[deviceID] == nil {
                    // Negative, so that it is no id of the database.
                    let stranger = strangers[deviceID] ?? -1 - Int64(strangers.count)
                    strangers[deviceID] = stranger
                    installations[deviceID] = .init(id: stranger, isUpToDate: true, isErased: false)
                }
                return try decide(batch, installations, &state)
            }
        }
    }

    /// Imports in transactions of 1,000 lines each, under a lock that only one import into the app can hold.
    /// What was written before a stop stays; importing the same file again continues from there.
    ///
    /// - Throws: `LockTaken`, and what reading and writing throw.
    public func apply(
        _ reader: TokenImportReader, now: Instant, isStopped: () -> Bool = { false },
        progress: (ImportProgress) throws -> Void = { _ in },
        verdict: (ImportedLine) throws -> Void = { _ in }
    ) throws -> ImportCounts {
        try store.connection.withLock(.tokenImport, of: store.appID) { lock in
            try forEachBatch(of: reader, isStopped, progress, verdict) { batch in
                try lock.check()
                return try store.connection.retrying { try written(batch, now: now) }
            }
        }
    }

    /// Reads the whole file, and decides its lines from the earliest registration to the latest.
    private func forEachBatch(
        of reader: TokenImportReader, _ isStopped: () -> Bool, _ progress: (ImportProgress) throws -> Void,
        _ verdict: (ImportedLine) throws -> Void, _ decide: ([ImportLine]) throws -> [ImportedLine]
    ) throws -> ImportCounts {
        let table = try ImportTable(
            reader, isStopped: isStopped, progress: { try progress(.reading(lines: $0)) })
        var decided = table.invalid
        let decision = Result {
            var rest = table.lines[...]
            while !rest.isEmpty, !isStopped() {
                decided += try decide(Array(rest.prefix(Self.batchSize)))
                rest = rest.dropFirst(Self.batchSize)
                try progress(.deciding(line: decided.count, of: decided.count + rest.count))
            }
            return !rest.isEmpty
        }
        // Lines that were decided before an error were written, too.
        var counts = ImportCounts()
        for line in decided.sorted(by: { $0.number < $1.number }) {
            counts.count(line)
            try verdict(line)
        }
        counts.mistakes = table.mistakes
        counts.ignoredColumns = table.ignoredColumns
        counts.wasStopped = try decision.get() || table.wasStopped
        return counts
    }

    /// Writes in one transaction.
    private func written(_ batch: [ImportLine], now: Instant) throws -> [ImportedLine] {
        try store.connection.batch {
            try store.connection.fence([store.appID])
            let devices = devices(of: batch)
            let installations = try store.installations(of: devices, isWritten: true)
            var state = ImportState()
            let lines = try decide(batch, installations, &state)
            try store.write(state, now: now)
            store.bind(devices, installations)
            return lines
        }
    }

    private func decide(
        _ batch: [ImportLine], _ installations: [UUID: ImportStore.Installation],
        _ state: inout ImportState
    ) throws -> [ImportedLine] {
        let lines = batch.map { ($0, fingerprint: store.vault.fingerprint(of: $0.address.value)) }
        let known = Set(installations.values.map(\.id).filter { $0 > 0 })
        try store.load(lines, installations: known.sorted(), into: &state)
        return lines.map { line, fingerprint in
            let installation = line.deviceID.flatMap { installations[$0] }
            let verdict =
                installation?.isErased == true
                ? .erased : state.decide(line, fingerprint: fingerprint, installationID: installation?.id)
            return ImportedLine(number: line.number, verdict: verdict, rejection: nil)
        }
    }

    /// The lines' combined data about each device; the latest registration takes precedence.
    private func devices(of batch: [ImportLine]) -> [UUID: ImportStore.Device] {
        batch.reduce(into: [:]) { devices, line in
            guard let deviceID = line.deviceID else { return }
            let earlier = devices[deviceID]?.traits ?? ImportTraits()
            devices[deviceID] = ImportStore.Device(
                traits: line.traits.over(earlier), registeredAt: line.registeredAt)
        }
    }
}

/// The outcome of an import, or of its plan, in lines.
public struct ImportCounts: Hashable, Sendable {
    public private(set) var lines: Int64 = 0
    public private(set) var verdicts: [ImportVerdict: Int64] = [:]
    /// Invalid lines by reason.
    public private(set) var rejections: [ImportRejection.Code: Int64] = [:]
    /// Mistakes of the whole file, each once.
    public internal(set) var mistakes: [FoundMistake] = []
    /// Columns of the header row, or fields of JSON objects, that were ignored.
    public internal(set) var ignoredColumns: [String] = []
    /// The import was stopped between two batches.
    public internal(set) var wasStopped = false

    public init() {}

    public subscript(verdict: ImportVerdict) -> Int64 { verdicts[verdict] ?? 0 }

    /// The number of lines that write something.
    public var changes: Int64 { verdicts.filter(\.key.isWritten).reduce(0) { $0 + $1.value } }

    /// Whether there are lines, and all of them are invalid.
    public var isInvalid: Bool { lines > 0 && self[.invalid] == lines }

    mutating func count(_ line: ImportedLine) {
        lines += 1
        verdicts[line.verdict, default: 0] += 1
        if let rejection = line.rejection { rejections[rejection.code, default: 0] += 1 }
    }
}

public enum ImportProgress: Hashable, Sendable {
    case reading(lines: Int64)
    case deciding(line: Int, of: Int)
}

/// The outcome of one line, or of its plan.
public struct ImportedLine: Hashable, Sendable {
    /// Counted from 1, including the header.
    public let number: Int
    public let verdict: ImportVerdict
    /// The reason the line is invalid.
    public let rejection: ImportRejection?
}

/// The reason a line of an import is invalid. It never quotes the line, which contains a device token.
public struct ImportRejection: Error, Hashable, Sendable {
    public enum Code: String, CaseIterable, Sendable {
        /// Not a CSV record with as many fields as there are columns, or not one JSON object.
        case invalidLine = "invalid_line"
        case missingValue = "missing_value"
        case invalidValue = "invalid_value"
        case missingRegisteredAt = "missing_registered_at"
        case invalidInstant = "invalid_instant"
        case inFuture = "in_future"
        case invalidDeviceID = "invalid_device_id"
        case tooLong = "too_long"
        case invalidField = "invalid_field"
    }

    public let code: Code
    public let detail: String
    /// The mistake of the whole file that most likely caused the rejection.
    let mistake: ImportMistake?

    init(_ code: Code, _ detail: String, _ mistake: ImportMistake? = nil) {
        self.code = code
        self.detail = detail
        self.mistake = mistake
    }

    /// Rejects a line because of a known mistake, with its sentence.
    init(_ code: Code, _ mistake: ImportMistake) {
        self.init(code, FoundMistake(mistake: mistake, lines: 1).sentence(at: ""), mistake)
    }
}
