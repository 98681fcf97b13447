internal import DeliveryModel

/// Decides which days a maintenance run drops, and which it keeps although the configuration would drop them
/// (docs/decisions/0035).
///
/// A wrong clock or setting must not cost more than a few days: dropped notifications cannot be restored.
struct RetentionDecision: Equatable {
    /// If more days with notifications than this are due, the run drops none.
    static let mostDays = 7

    /// Notifications sent before this instant are dropped; `nil` if none are.
    let keptFrom: Instant?
    /// `nil` if nothing is held back.
    let hold: RetentionHold?

    /// - Parameters:
    ///   - now: PostgreSQL's clock, never a server's.
    ///   - occupied: the UTC days with notifications, in ascending order.
    ///   - wanted: the retention that the caller is configured with.
    ///   - stored: the retention stored in the database; `nil` if no server has stored one.
    init(now: Instant, occupied: [Instant], wanted: Span, stored: Span?) {
        let retention = max(wanted, stored ?? wanted)
        // PostgreSQL's clock may be wrong too. Notifications arrive as time passes, so the newest limits it.
        let newestEnd = occupied.last.map { $0 + .days(1) } ?? now
        let horizon = Self.horizon(min(now, newestEnd), retention)
        let dueCount = occupied.count { $0 < horizon }
        let isTooMuch = dueCount > Self.mostDays
        let wantedHorizon = Self.horizon(now, wanted)
        let held = occupied.filter { $0 < wantedHorizon && (isTooMuch || $0 >= horizon) }

        keptFrom = isTooMuch ? nil : horizon
        var reasons: [RetentionHold.Reason] = []
        if wanted < retention { reasons.append(.shorterRetention) }
        if isTooMuch { reasons.append(.manyDays) }
        // A quiet week is not reported.
        if held.count > Self.mostDays, newestEnd + .days(Int64(Self.mostDays)) < now {
            reasons.append(.oldNotifications)
        }
        hold =
            reasons.isEmpty
            ? nil
            : RetentionHold(
                reasons: reasons, days: held, wantedDays: wanted.wholeDays, storedDays: retention.wholeDays,
                newestDay: occupied.last)
    }

    /// The first instant kept: a UTC day is dropped once all is older than the retention plus one hour.
    static func horizon(_ now: Instant, _ retention: Span) -> Instant {
        (now - retention - MaintenanceSettings.grace).startOfUTCDay
    }
}

extension Span {
    var wholeDays: Int64 { milliseconds / Span.days(1).milliseconds }
}
