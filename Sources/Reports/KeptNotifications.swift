internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Which notifications of an app can still be counted. Days behind the retention were dropped and left their counters: what is
/// counted from the notifications themselves would lack them, and nobody could see that. An app that had sent nothing then lacks
/// nothing.
struct KeptNotifications {
    /// Those sent earlier were dropped, of all apps; nil while none ever were.
    let from: Instant?
    private let app: App
    private let connection: PostgresConnection

    /// Reads the horizon, and keeps maintenance from moving it while the snapshot lasts. Comes before the snapshot's first query.
    init(of app: App, heldOn connection: PostgresConnection) throws(PostgresError) {
        try connection.execute(script: .Reports.lockDeliveries)
        self.app = app
        self.connection = connection
        from = try connection.query(.Reports.keptFrom).first?.get(0)
    }

    /// Whether those of the query's window are all there, and those of the window it is compared with.
    func areAll(_ query: ReportQuery) throws(PostgresError) -> Bool {
        for window in [query.window, query.comparison].compactMap(\.self)
        where try lacksSome(from: window.from, to: window.to) {
            return false
        }
        return true
    }

    /// - Parameter subject: what is counted from notifications, for the message.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)``, `PostgresError`.
    func check(_ query: ReportQuery, of subject: String) throws {
        guard let from, try !areAll(query) else { return }
        throw ReportError.notificationsDropped(
            of: subject, keptFrom: query.timeZone.dateOrInstant(from),
            isCompared: try !lacksSome(from: query.window.from, to: query.window.to))
    }

    /// The same for the last days, which need not begin at midnight.
    ///
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)``, `PostgresError`.
    func check(days: Int64, until now: Instant, of subject: String) throws {
        guard let from, try lacksSome(from: (now - .days(days)).startOfQuarter, to: now) else { return }
        let most = (now - from).milliseconds / Span.days(1).milliseconds
        throw ReportError.daysDropped(
            of: subject, keptFrom: ReportTimeZone.utc.dateOrInstant(from), most: max(0, most))
    }

    private func lacksSome(from start: Instant, to end: Instant) throws(PostgresError) -> Bool {
        guard let from, start < from else { return false }
        return try connection.query(
            .Reports.droppedNotifications,
            [.value(app.appID), .value(start), .value(end), .value(from)]
        ).single().get(0)
    }
}
