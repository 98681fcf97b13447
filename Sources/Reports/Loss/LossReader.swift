internal import Access
internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Reads the numbers of the loss report within one snapshot: the counters, unconfirmed notifications
/// by segment and, for selected campaigns, the notifications that were replaced on the way.
struct LossReader {
    let asOf: Instant
    let connection: PostgresConnection
    /// Whether to search for replaced notifications.
    let seeksReplaced: Bool
    private let counters: Counters
    private var query: ReportQuery { counters.query }

    /// APNs keeps a notification for at most 30 days: a later one replaces nothing anymore.
    private static let storage = Span.days(30)

    init(
        _ query: ReportQuery, asOf: Instant, seeksReplaced: Bool, on connection: PostgresConnection
    ) throws(PostgresError) {
        self.asOf = asOf
        self.seeksReplaced = seeksReplaced
        self.connection = connection
        self.counters = try Counters(query, on: connection)
    }

    /// The rows and the totals. The counts of the totals are counted separately; their reasons are the sum of the rows.
    /// Each notification is in one row, and the rule accepted − confirmed = Σ reasons checks one against the other.
    func read() throws(PostgresError) -> (rows: [LossReport.Row], totals: LossCounts) {
        let unconfirmed = try unconfirmed()
        let rows = try counters.rows().map { row in
            LossReport.Row(key: row.key, counts: LossCounts(row.counts, unconfirmed[row.key] ?? none))
        }
        return (rows, LossCounts(try counters.totals(), unconfirmed.values.reduce(none, +)))
    }

    private var none: UnconfirmedCounts {
        UnconfirmedCounts(superseded: seeksReplaced ? (ofPending: 0, ofUnexplained: 0) : nil)
    }

    /// The counts by the query's breakdown; without one, all under the empty key.
    private func unconfirmed() throws(PostgresError) -> [RowKey: UnconfirmedCounts] {
        let explaining =
            query.parameters(by: query.by, segmentIDs: counters.segmentIDs) + [
                .value(Completeness.youngFrom(asOf)), .array(Loss.permissionsOff),
            ]
        var found: [RowKey: UnconfirmedCounts] = [:]
        let explained = try connection.query(
            .Reports.unconfirmed, explaining + Self.unconfirmedBits, mostRows: query.mostRows)
        for row in explained {
            var counts = none
            counts.notCapable = try row.get("not_capable")
            counts.permissionOff = try row.get("permission_off")
            counts.pending = try row.get("pending")
            counts.unexplained = try row.get("unexplained")
            found[try RowKey(row, by: query.by)] = counts
        }
        guard seeksReplaced else { return found }
        let accepted: DeliveryState = [.attempted, .accepted]
        let seeking =
            explaining + [.value(lastLook)] + Self.unconfirmedBits + [.value(accepted.rawValue)]
        let replaced = try connection.query(.Reports.superseded, seeking, mostRows: query.mostRows)
        for row in replaced {
            let (ofPending, ofUnexplained): (Int64, Int64) =
                (try row.get("of_pending"), try row.get("of_unexplained"))
            found[try RowKey(row, by: query.by), default: none].superseded = (ofPending, ofUnexplained)
        }
        return found
    }

    private var lastLook: Instant { max(query.window.to, min(asOf, query.window.to + Self.storage)) }

    /// The bits of an accepted notification that an extension could report, and those that show
    /// that a device had it or that it was withdrawn.
    private static let unconfirmedBits: [PostgresParameter] = {
        let expected: DeliveryState = [.attempted, .accepted, .canReport]
        return [.value(expected.rawValue), .value(DeliveryState.seenOnDevice.union(.recalled).rawValue)]
    }()
}
