internal import Access
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// Which notifications of a query can still be counted. Days behind the retention were dropped and left their counters: what is
/// counted from the notifications themselves would lack them, and nobody could see that. An app that had sent nothing then lacks
/// nothing.
struct KeptNotifications {
    /// Those sent earlier were dropped, of all apps; nil while none ever were.
    let from: Instant?
    private let timeZone: ReportTimeZone
    private let lacksSome: Bool
    private let lacksSomeToCompare: Bool

    /// Reads the horizon, and keeps maintenance from moving it while the snapshot lasts. Comes before the snapshot's first query.
    init(
        of app: App, _ window: ReportWindow, comparedWith comparison: ReportWindow? = nil,
        timeZone: ReportTimeZone = .utc, heldOn connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.execute(script: .Reports.lockDeliveries)
        self.timeZone = timeZone
        from = try connection.query(.Ingestion.keptFrom).first?.get(0)
        lacksSome = try Self.lacksSome(app, window, from, on: connection)
        lacksSomeToCompare = try Self.lacksSome(app, comparison, from, on: connection)
    }

    init(of query: ReportQuery, heldOn connection: PostgresConnection) throws(PostgresError) {
        try self.init(
            of: query.app, query.window, comparedWith: query.comparison, timeZone: query.timeZone,
            heldOn: connection)
    }

    private static func lacksSome(
        _ app: App, _ window: ReportWindow?, _ keptFrom: Instant?, on connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
        guard let window, let keptFrom, window.from < keptFrom else { return false }
        return try connection.query(
            .Reports.droppedNotifications,
            [.value(app.appID), .value(window.from), .value(window.to), .value(keptFrom)]
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
            of: subject, keptFrom: timeZone.dateOrInstant(from), isCompared: lackOnlyCompared)
    }

    /// The same for the days before an instant, whose number is what can be asked for otherwise.
    ///
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)``.
    func check(_ subject: String, daysBefore now: Instant) throws(ReportError) {
        guard let from, !areAll else { return }
        let most = (now - from).milliseconds / Span.days(1).milliseconds
        throw .daysDropped(of: subject, keptFrom: timeZone.dateOrInstant(from), most: max(0, most))
    }
}
