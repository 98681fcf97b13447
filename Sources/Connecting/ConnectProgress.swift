public import DeliveryModel
internal import Foundation
public import Ingestion
public import PostgresClient
public import Reports

/// How far a sender and an app are connected, from what was recorded and rejected since the start.
public struct ConnectProgress: Hashable, Sendable {
    public enum Stage: Hashable, Sendable {
        /// Nothing has been recorded yet.
        case waiting
        /// Device events only: no response has the same id.
        case waitingForResponse
        /// Responses only: no device event has the same id.
        case waitingForDevice
        /// A response and a device event of one notification have met.
        case connected(PushRecord)
    }

    /// Items of one code and detail that were rejected.
    public struct Rejection: Hashable, Sendable {
        public let code: String
        public let detail: String
        public let poster: EventValidator.Poster
        public let items: Int64
    }

    /// The pushes that have changed since the start, the newest first.
    public let pushes: [NewestPush]
    public let rejections: [Rejection]
    /// The pushes whose response has words that are in no list.
    let unlisted: Set<UUID>

    public var stage: Stage {
        if let met = pushes.first(where: { $0.hasMet }) { return .connected(met.record) }
        if pushes.contains(where: { $0.hasResponse }) { return .waitingForDevice }
        return pushes.contains { $0.lacksResponse } ? .waitingForResponse : .waiting
    }

    /// What has been seen so far, and what is missing.
    public var summary: String {
        switch stage {
        case .waiting where rejections.isEmpty:
            "Nothing has arrived: check that the sender reaches this address, and that its key is this app's."
        case .waiting: "All that has arrived was rejected."
        case .waitingForResponse:
            "Device events have arrived, but no response of the sender about the same notification."
        case .waitingForDevice:
            "Responses have arrived, but no device event of the same notification: open the app on a device, "
                + "send it a push, and see docs/kit.md if nothing follows."
        case .connected(let push):
            "Connected: a response and a device event of \(push.notificationID.uuidString.lowercased()) have "
                + "met."
        }
    }

    /// The stages of a funnel of one notification, each 1 or 0.
    public static func funnel(of push: PushRecord) -> [(measure: Measure, count: Int64)] {
        [.attempted, .accepted, .reportable, .arrived, .confirmed, .clicked].map { measure in
            (measure, measure.value(of: push.state))
        }
    }
}

extension NewestPush {
    var state: DeliveryState { record.state }
    var hasResponse: Bool { state.contains(.attempted) }
    /// Device events, without a response that must be on its way: the app did not show it by itself.
    var lacksResponse: Bool { !hasResponse && !state.contains(.local) }
    var isSeen: Bool { !state.isDisjoint(with: .seenOnDevice) }
    var hasMet: Bool { hasResponse && isSeen }
}

/// Where the observation of an app began: what was known then is not shown as new.
public struct ConnectStart: Sendable {
    /// Pushes that were sent earlier are not shown, even if something about them arrives now.
    static let reach = Span.hours(1)
    private static let mostPushes: Int64 = 50
    private static let mostItems: Int64 = 50

    public let app: App
    public let at: Instant
    private let known: [UUID: DeliveryState]

    /// Everything of the last hour is new.
    public init(of app: App, lastHourBefore now: Instant) {
        (self.app, at, known) = (app, now - Self.reach, [:])
    }

    /// Only what changes from now on is new.
    ///
    /// - Throws: `PostgresError`.
    public init(of app: App, now: Instant, on connection: PostgresConnection) throws {
        (self.app, at) = (app, now)
        let pushes = try NewestPush.read(
            of: app, since: now - Self.reach, now: now, limit: Self.mostPushes, on: connection)
        known = Dictionary(pushes.map { ($0.record.notificationID, $0.record.state) }) { $1 }
    }

    /// What is new since the start: two queries by index, one of the quarantine and, if the provider rejected
    /// pushes, the list of its words.
    ///
    /// - Throws: `PostgresError`.
    public func progress(now: Instant, on connection: PostgresConnection) throws -> ConnectProgress {
        let pushes = try NewestPush.read(
            of: app, since: min(at, now - Self.reach), now: now, limit: Self.mostPushes, on: connection)
        let changed = pushes.filter { known[$0.record.notificationID] != $0.record.state }
        let items = try QuarantineStock(appID: app.appID, on: connection).newest(
            QuarantineFilter(from: at), limit: Self.mostItems, withText: false)
        let rejections = Dictionary(grouping: items) { [$0.code, $0.detail, $0.poster.rawValue] }
            .compactMap { _, items in
                items.first.map {
                    ConnectProgress.Rejection(
                        code: $0.code, detail: $0.detail, poster: $0.poster, items: Int64(items.count))
                }
            }
        return ConnectProgress(
            pushes: changed, rejections: rejections.sorted { ($0.code, $0.detail) < ($1.code, $1.detail) },
            unlisted: try Self.unlisted(among: changed, on: connection))
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
