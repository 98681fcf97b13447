internal import DeliveryModel
internal import Maintenance
public import PostgresClient

/// Plays histories and compares the results with the reference.
public struct Soak<Receiver: Intake>: Sendable {
    private let maker: HistoryMaker
    private let intake: Receiver
    private let pool: PostgresPool
    private let historiesAtOnce: Int

    /// - Parameters:
    ///   - pool: reads what was recorded.
    ///   - historiesAtOnce: the number of histories that are posted at the same time and then checked.
    public init(_ maker: HistoryMaker, to intake: Receiver, pool: PostgresPool, historiesAtOnce: Int = 256) {
        self.maker = maker
        self.intake = intake
        self.pool = pool
        self.historiesAtOnce = historiesAtOnce
    }

    /// Plays all histories, up to the first group in which one fails.
    ///
    /// - Parameter progress: called after each group.
    public func run(
        seeds: Range<UInt64>, progress: (SoakOutcome) -> Void = { _ in }
    ) async throws -> SoakOutcome {
        var outcome = SoakOutcome()
        var next = seeds.lowerBound
        while next < seeds.upperBound, outcome.failure == nil {
            let end = min(next + UInt64(historiesAtOnce), seeds.upperBound)
            let histories = (next..<end).map { maker.history(seed: $0) }
            let findings = try await findings(on: histories)
            for history in histories {
                outcome.histories += 1
                outcome.items += history.itemCount
            }
            outcome.notifications += findings.reduce(0) { $0 + $1.notificationCount }
            if let wrong = findings.first(where: { !$0.differences.isEmpty }) {
                outcome.failure = try await shrunk(wrong, among: histories)
            }
            progress(outcome)
            next = end
        }
        return outcome
    }

    struct Finding: Sendable {
        let history: History
        let notificationCount: Int
        let differences: [String]
    }

    /// Plays the histories at the same time, so that each batch holds events of several.
    func findings(on histories: [History]) async throws -> [Finding] {
        let played = try await withThrowingTaskGroup(of: PlayedHistory.self) { group in
            for history in histories {
                group.addTask { try await PlayedHistory.play(history, to: intake, fold: fold(before:)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let told = played.map { ($0, Reference($0.history)) }
        let keys = told.flatMap { played, reference in
            reference.notifications.keys.map {
                Recorded.Key(appID: played.apps[$0.app].appID, row: $0.row)
            }
        }
        let appIDs = played.flatMap { $0.apps.map(\.appID) }
        let recorded = try await pool.withConnection { try Recorded(of: keys, apps: appIDs, on: $0) }
        return told.map { played, reference in
            Finding(
                history: played.history, notificationCount: reference.notifications.count,
                differences: Comparison(played, reference, recorded).differences)
        }
    }

    /// Folds the counters of all apps while other histories are posted: afterward, they must still match the
    /// rows. No code here repairs days, so folding must keep them correct.
    private func fold(before: Instant) async throws {
        try await pool.withConnection { connection in
            do {
                try Maintenance().fold(before: before, on: connection)
            } catch is LockTaken {}
        }
    }

    private func shrunk(_ finding: Finding, among others: [History]) async throws -> SoakFailure {
        var shrunk = try await shrunk(finding.history)
        // Other histories folded its counters, too.
        if shrunk == nil, let before = others.flatMap(\.folds).max() {
            shrunk = try await self.shrunk(finding.history.folding(before: before))
        }
        return SoakFailure(
            history: finding.history, differences: finding.differences,
            smallest: shrunk?.history ?? finding.history,
            smallestDifferences: shrunk?.differences ?? finding.differences)
    }

    /// Returns the smallest part that fails; `nil` if the history passes when it is played alone.
    private func shrunk(_ history: History) async throws -> (history: History, differences: [String])? {
        try await Shrinking(of: history) { history in
            // A failure that depends on the order of requests does not occur every time.
            for _ in 0..<(history.isSequential ? 1 : 8) {
                let found = try await findings(on: [history]).first?.differences ?? []
                if !found.isEmpty { return found }
            }
            return []
        }.run()
    }
}

/// The progress of a soak.
public struct SoakOutcome: Sendable {
    public internal(set) var histories = 0
    public internal(set) var notifications = 0
    public internal(set) var items = 0
    public internal(set) var failure: SoakFailure?

    public init() {}
}

/// A history with a wrong result.
public struct SoakFailure: Sendable, CustomStringConvertible {
    public let history: History
    public let differences: [String]
    /// The history without the parts that the failure does not need.
    public let smallest: History
    public let smallestDifferences: [String]

    public var description: String {
        """
        The history of seed \(history.seed) has a wrong result:
        \(differences.joined(separator: "\n"))

        The smallest part of the history that still fails:
        \(smallest)
        \(smallestDifferences.joined(separator: "\n"))
        """
    }
}
