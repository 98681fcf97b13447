internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Which notifications of a query can still be counted. Days behind the retention were dropped and left their counters: what is
/// counted from the notifications themselves would lack them, and nobody could see that. An app that had sent nothing then lacks
/// nothing.
struct KeptNotifications {
    /// Those sent earlier were dropped, of all apps; nil while none ever were.
    let from: Instant?
    private let query: ReportQuery
    private let lacksSome: Bool
    private let lacksSomeToCompare: Bool

    /// Reads the horizon, and keeps maintenance from moving it while the snapshot lasts. Comes before the snapshot's first query.
    init(of query: ReportQuery, heldOn connection: PostgresConnection) throws(PostgresError) {
        let from = try Self.hold(on: connection)
        func lacksSome(_ window: ReportWindow?) throws(PostgresError) -> Bool {
            guard let window else { return false }
            return try Self.lacksSome(of: query.app, window.from..<window.to, from, on: connection)
        }
        self.query = query
        self.from = from
        self.lacksSome = try lacksSome(query.window)
        lacksSomeToCompare = try lacksSome(query.comparison)
    }

    private static func hold(on connection: PostgresConnection) throws(PostgresError) -> Instant? {
        try connection.execute(script: .Reports.lockDeliveries)
        return try connection.query(.Reports.keptFrom).first?.get(0)
    }

    private static func lacksSome(
        of app: App, _ span: Range<Instant>, _ keptFrom: Instant?, on connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
        guard let keptFrom, span.lowerBound < keptFrom else { return false }
        return try connection.query(
            .Reports.droppedNotifications,
            [.value(app.appID), .value(span.lowerBound), .value(span.upperBound), .value(keptFrom)]
        ).single().get(0)
    }

    /// Whether those of the query's window are all there, and those of the window it is compared with.
    var areAll: Bool { !lacksSome && !lacksSomeToCompare }

    /// Whether only the window lacks some that the query's is compared with.
    var lackOnlyCompared: Bool { !lacksSome && lacksSomeToCompare }

    /// - Parameter subject: what is counted from notifications, for the message.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)``.
    func check(_ subject: String) throws(ReportError) {
        guard let from, !areAll else { return }
        throw .notificationsDropped(
            of: subject, keptFrom: query.timeZone.dateOrInstant(from), isCompared: lackOnlyCompared)
    }

    /// The same for an app's last days, which need not begin at midnight. Comes before the snapshot's first query, too.
    ///
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)``, `PostgresError`.
    static func check(
        days: Int64, until now: Instant, of app: App, _ subject: String, on connection: PostgresConnection
    ) throws {
        let span = (now - .days(days)).startOfQuarter..<now
        guard let from = try hold(on: connection), try lacksSome(of: app, span, from, on: connection) else {
            return
        }
        let most = (now - from).milliseconds / Span.days(1).milliseconds
        throw ReportError.daysDropped(
            of: subject, keptFrom: ReportTimeZone.utc.dateOrInstant(from), most: max(0, most))
    }
}
