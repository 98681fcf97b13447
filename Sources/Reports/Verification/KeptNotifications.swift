internal import DeliveryModel
internal import PostgresClient

/// Determines which notifications of a query can still be counted. Days past the retention were
/// dropped, but their counters were kept: a count of the notifications themselves would lack those
/// days without any sign of it. An app that had sent nothing then lacks nothing.
struct KeptNotifications {
    /// The instant before which notifications of all apps were dropped; `nil` if none ever were.
    let from: Instant?
    private let timeZone: ReportTimeZone
    private let lacksSome: Bool
    private let lacksSomeToCompare: Bool

    /// Reads the horizon, and prevents maintenance from moving it while the snapshot lasts. Must
    /// come before the snapshot's first query.
    init(
        of app: App, _ window: ReportWindow, comparedWith comparison: ReportWindow? = nil,
        timeZone: ReportTimeZone = .utc, heldOn connection: PostgresConnection
    ) throws(PostgresError) {
        try connection.execute(script: .Reports.lockDeliveries)
        self.timeZone = timeZone
        from = try connection.query(.Ingestion.keptFrom).first?.get("kept_from")
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
        ).single().get("were_dropped")
    }

    /// Whether all notifications are kept, both of the query's window and of the window it is compared with.
    var areAll: Bool { !lacksSome && !lacksSomeToCompare }

    /// Whether only the window to compare with lacks notifications.
    var lackOnlyCompared: Bool { !lacksSome && lacksSomeToCompare }

    /// - Parameter subject: what is counted from notifications, for the message.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)``.
    func check(_ subject: String) throws(ReportError) {
        guard let from, !areAll else { return }
        throw .notificationsDropped(
            of: subject, keptFrom: timeZone.dateOrInstant(from), isCompared: lackOnlyCompared)
    }

    /// Checks a number of days before an instant; the error contains the maximum number.
    ///
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)``.
    func check(_ subject: String, daysBefore now: Instant) throws(ReportError) {
        guard let from, !areAll else { return }
        let most = (now - from).milliseconds / Span.days(1).milliseconds
        throw .daysDropped(of: subject, keptFrom: timeZone.dateOrInstant(from), most: max(0, most))
    }
}
