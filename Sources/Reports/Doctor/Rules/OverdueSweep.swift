internal import Access
internal import DeliveryModel
internal import Documents
internal import Instants
internal import PostgresClient
internal import SQLFiles
internal import Wording

/// Silent tokens are swept from cron. If that stops, the only sign is a growing audience.
enum OverdueSweep: SingleDiagnosis {
    static let subject = "sweep"
    static let isAboutTraffic = false

    struct Fact: Hashable {
        let createdAt: Instant
        let staleAfterDays: Int64
        /// `nil` if never.
        let sweptAt: Instant?
        let hasTokens: Bool
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Fact? {
        let states = [TokenState.active, .suspect, .stale].map(\.rawValue)
        let rows = try connection.query(
            .Doctor.lastSweep, [.value(examination.app.appID), .array(states)])
        guard let row = rows.first else { return nil }
        return Fact(
            createdAt: try row.get("created_at"),
            staleAfterDays: try row.getOptional("stale_after_days") ?? SweepRules().staleAfterDays,
            sweptAt: try row.getOptional("swept_at"), hasTokens: try row.get("has_tokens"))
    }

    static func examined(_ fact: Fact?, _ examination: Examination) -> Examined {
        guard let fact, fact.hasTokens else { return .nothing }
        guard let sweptAt = fact.sweptAt else { return .neverDone }
        return .judged("last done \(Words.time(sweptAt))")
    }

    /// An app that was never swept has time until the first tokens can be stale.
    static func finding(_ fact: Fact?, _ examination: Examination) -> Finding? {
        guard let fact, fact.hasTokens else { return nil }
        let days = examination.rules.sweepDays
        let dueAt = (fact.sweptAt ?? fact.createdAt + .days(fact.staleAfterDays)) + .days(days)
        guard examination.asOf > dueAt else { return nil }
        let last = fact.sweptAt.map {
            "was last swept \(Words.time($0)), \((examination.asOf - $0).roughWords) ago"
        }
        return Finding(
            .sweepOverdue, .warning, "The app \(last ?? "was never swept").",
            meaning:
                "Tokens that have been silent for \(fact.staleAfterDays) days still count in the "
                + "audience, and pushes are sent to them in vain.",
            remedy:
                "Run 'landfall tokens sweep --apply' from cron (docs/tokens.md), or find out why it no "
                + "longer runs: it refuses to run if it would retire too many tokens, and reports that.",
            command: examination.commandWithoutWindow("tokens", "sweep"),
            evidence: [
                .init("swept_at", .optional(fact.sweptAt?.rfc3339)),
                .init("stale_after_days", .integer(fact.staleAfterDays)),
            ])
    }
}
