internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// Which notifications can still be counted. Days behind the retention were dropped and left their counters: what is counted from
/// the notifications themselves would lack them, and nobody could see that.
struct KeptNotifications {
    /// Those sent earlier were dropped; nil while none ever were.
    let from: Instant?

    /// Reads the horizon, and keeps maintenance from moving it while the snapshot lasts. Comes before the snapshot's first query.
    init(heldOn connection: PostgresConnection) throws(PostgresError) {
        try connection.execute(script: .Reports.lockDeliveries)
        from = try connection.query(.Reports.keptFrom).first?.get(0)
    }

    /// Whether those of the query's window are all there, and those of the window it is compared with.
    func holds(_ query: ReportQuery) -> Bool {
        guard let from else { return true }
        return query.window.from >= from && query.comparison.map { $0.from >= from } ?? true
    }

    /// - Parameter subject: what is counted from notifications, for the message.
    /// - Throws: ``ReportError/notificationsDropped(of:keptFrom:isCompared:)``.
    func check(_ query: ReportQuery, of subject: String) throws(ReportError) {
        guard let from, !holds(query) else { return }
        throw .notificationsDropped(
            of: subject, keptFrom: query.timeZone.dateOrInstant(from),
            isCompared: query.window.from >= from)
    }

    /// The same for the last days, which need not begin at midnight.
    ///
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)``.
    func check(days: Int64, until now: Instant, of subject: String) throws(ReportError) {
        guard let from, now - .days(days) < from else { return }
        let most = (now - from).milliseconds / Span.days(1).milliseconds
        throw .daysDropped(
            of: subject, keptFrom: ReportTimeZone.utc.dateOrInstant(from), most: max(0, most))
    }
}
