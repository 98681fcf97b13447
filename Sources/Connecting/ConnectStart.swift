public import DeliveryModel
internal import Foundation
internal import Ingestion
public import PostgresClient
internal import Reports

/// Where the observation of an app began: what was known then is not shown as new.
public struct ConnectStart: Sendable {
    /// Pushes that were sent earlier are not shown, even if something about them arrives now.
    static let reach = Span.hours(1)
    /// From a version 7 id to the sending, in senders that make ids ahead.
    private static let mostWaiting = Span.minutes(15)
    private static let mostPushes: Int64 = 50
    private static let mostItems: Int64 = 50

    public let app: App
    public let at: Instant
    /// Only pushes that were sent since then are read.
    private let since: Instant
    private let counted: RecentStates
    private let known: [UUID: DeliveryState]

    /// Everything of the last hour is new.
    public init(of app: App, lastHourBefore now: Instant) {
        (self.app, at, since) = (app, now - Self.reach, now - Self.reach)
        (counted, known) = (RecentStates(), [:])
    }

    /// Only what changes from now on is new.
    ///
    /// - Throws: `PostgresError`.
    public init(of app: App, now: Instant, on connection: PostgresConnection) throws {
        (self.app, at, since) = (app, now, now - Self.reach)
        counted = try RecentStates.read(of: app, since: since, now: now, on: connection)
        let pushes = try NewestPush.read(
            of: app, since: since, now: now, limit: min(Self.mostPushes, counted.notifications(since: since)),
            on: connection)
        known = Dictionary(pushes.map { ($0.record.notificationID, $0.record.state) }) { $1 }
    }

    /// What is new since the start, up to what ends the observation.
    ///
    /// Counters say whether anything is, and whether the end is reached, at a cost that does not depend on
    /// how many pushes there are. Only then are rows read: the newest, and the newest that reaches the end.
    ///
    /// - Throws: `PostgresError`.
    public func progress(
        until end: ConnectEnd, now: Instant, on connection: PostgresConnection
    ) throws -> ConnectProgress {
        let pushes = try changes(until: end, now: now, on: connection)
        let items = try QuarantineStock(appID: app.appID, on: connection).newest(
            QuarantineFilter(from: at), limit: Self.mostItems, withText: false)
        let rejections = Set(
            items.map {
                ConnectProgress.Rejection(code: $0.code, detail: $0.detail, poster: $0.poster)
            })
        return ConnectProgress(
            end: end, pushes: pushes,
            rejections: rejections.sorted {
                ($0.code, $0.detail, $0.poster.rawValue) < ($1.code, $1.detail, $1.poster.rawValue)
            },
            unlisted: try Self.unlisted(among: pushes, on: connection))
    }

    /// The newest pushes that have changed, and one that reaches the end if any does.
    private func changes(
        until end: ConnectEnd, now: Instant, on connection: PostgresConnection
    ) throws -> [NewestPush] {
        let present = try RecentStates.read(of: app, since: since, now: now, on: connection)
        let risen = present.risen(since: counted)
        guard let first = risen.keys.map(\.quarter).min() else { return [] }
        let newest = try NewestPush.read(
            of: app, since: max(first - Self.mostWaiting, since), now: now,
            limit: min(Self.mostPushes, present.notifications(since: first)),
            on: connection)
        let changed = newest.filter { known[$0.record.notificationID] != $0.record.state }
        let states = Set(risen.keys.map(\.state).filter(end.isReached))
        if states.isEmpty || changed.contains(where: { end.isReached(by: $0.state) }) { return changed }
        let reached = try NewestPush.read(of: app, in: states, since: since, now: now, on: connection)
        return changed + reached.prefix(1)
    }

    private static func unlisted(
        among pushes: [NewestPush], on connection: PostgresConnection
    ) throws -> Set<UUID> {
        let rejected = pushes.filter(\.state.isRejected)
        guard !rejected.isEmpty else { return [] }
        let taxonomy = try RejectionTaxonomy(from: connection)
        let unlisted = rejected.filter { push in
            guard let response = push.record.response else { return false }
            let reason = response.reason.isEmpty ? nil : response.reason
            return !taxonomy.outcome(
                provider: response.provider, status: Int(response.status), reason: reason
            ).isListed
        }
        return Set(unlisted.map(\.record.notificationID))
    }
}
