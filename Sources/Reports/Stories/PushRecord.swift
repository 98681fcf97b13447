public import DeliveryModel
public import Foundation
internal import PostgresClient

/// One notification's row: a push and its outcome.
public struct PushRecord: Hashable, Sendable {
    public let notificationID: UUID
    public let sentAt: Instant
    public let state: DeliveryState
    /// From sending to the device event; negative if clocks disagree.
    public let arrivedAfter: Span?
    public let presentedAfter: Span?
    public let clickedAfter: Span?
    public let dismissedAfter: Span?
    /// Without those of clicks and arrivals that do not count.
    public let facts: DeliveryFacts
    /// The version of the device kit that reported the arrival; `nil` without one.
    public let kit: String?
    /// What showed, other than the extension, that the device had it.
    public let witness: DeviceReport.Evidence?
    public let tokenID: Int64?
    public let installationID: Int64?
    /// The data that only a response contains; `nil` without one.
    public let response: Response?

    public struct Response: Hashable, Decodable, Sendable {
        public let provider: String
        /// 0 if there was no response.
        public let status: Int64
        /// Unchanged.
        public let reason: String
        public let outcomeClass: String
        public let environment: String
        public let topic: String
        public let pushType: String
        public let priority: String
        public let campaign: String
        public let variant: String
    }
}

extension PushRecord {
    init(_ row: PostgresRow) throws {
        let state = DeliveryState(rawValue: try row.get("state"))
        /// The row may still have what an event said that turned out to be misdirected.
        func said<Value>(_ bit: DeliveryState, _ value: @autoclosure () throws -> Value?) throws -> Value? {
            state.contains(bit) ? try value() : nil
        }
        func span(_ column: String, _ bit: DeliveryState) throws -> Span? {
            try said(bit, row.getOptional(column, as: Int64.self)).map { Span(milliseconds: $0) }
        }
        var sources: [DeliveryFact.Source] = [.response, .counted, .device]
        if state.contains(.clicked) { sources.append(.click) }
        if state.contains(.arrived) { sources.append(.arrival) }
        facts = try row.decode(DeliveryFacts.self).stated(by: sources)
        self.state = state
        notificationID = try row.get("notification_id")
        sentAt = try row.get("sent_at")
        arrivedAfter = try span("arrived_after_ms", .arrived)
        presentedAfter = try span("presented_after_ms", .presented)
        clickedAfter = try span("clicked_after_ms", .clicked)
        dismissedAfter = try span("dismissed_after_ms", .dismissed)
        kit = try said(.arrived, row.getOptional("arrived_kit"))
        witness = try said(.witnessed, row.getOptional("witness"))
        tokenID = try row.getOptional("token_id")
        installationID = try row.getOptional("installation_id")
        response = try row.isNull("status") ? nil : row.decode(Response.self)
    }
}

extension PushRecord {
    /// The outcome: `accepted, arrived after 1.2 s, clicked after 9 s`, `rejected: 410 Unregistered`.
    public var fate: String {
        ([outcome] + (witness.map { [$0.sentence] } ?? [])
            + reports.map { "\($0.what) \($0.after.map(Self.words) ?? "at an unknown time")" }
            + (state.contains(.recalled) ? ["recalled by the sender"] : [])).joined(separator: ", ")
    }

    /// The response that counts, unchanged.
    public var responseText: String? {
        response.map { responseWords(status: $0.status, reason: $0.reason) }
    }

    private var outcome: String {
        if state.contains(.accepted) { return "accepted" }
        if state.contains(.attempted) { return "rejected: \(responseText ?? "no response")" }
        return state.contains(.local) ? "shown by the app itself" : "no response on record"
    }

    /// `after 1.2 s`; an event dated before the push was sent shows that clocks disagree.
    private static func words(_ span: Span) -> String {
        span.milliseconds < 0 ? "\(span.words) before it was sent (clocks disagree)" : "after \(span.words)"
    }

    /// A device event.
    public struct ReportedEvent: Hashable, Sendable {
        /// `arrived`, `presented`, `clicked`, `dismissed`.
        public let what: String
        /// The time since the push was sent; `nil` if the device did not state one.
        public let after: Span?
    }

    /// In time order; events without a time are last.
    public var reports: [ReportedEvent] {
        let known: [(DeliveryState, String, Span?)] = [
            (.arrived, "arrived", arrivedAfter), (.presented, "presented", presentedAfter),
            (.clicked, "clicked", clickedAfter), (.dismissed, "dismissed", dismissedAfter),
        ]
        return known.filter { state.contains($0.0) }.enumerated()
            .sorted { left, right in
                let (earlier, later) = (
                    left.element.2?.milliseconds ?? .max, right.element.2?.milliseconds ?? .max
                )
                return (earlier, left.offset) < (later, right.offset)
            }
            .map { ReportedEvent(what: $0.element.1, after: $0.element.2) }
    }

    /// The classes of its rejections, the most final first, even if it was accepted in the end.
    public var rejectionClasses: [RejectionClass] {
        RejectionClass.allCases.filter { state.contains(.rejected($0)) }
    }
}

extension DeviceReport.Evidence {
    /// `found in the notification center`.
    public var sentence: String {
        switch self {
        case .extension: "reported by the extension"
        case .center: "found in the notification center"
        case .app: "received by the app in the background"
        case .provider: "reported by the provider"
        }
    }
}

/// A provider's name as people write it; other providers as posted.
package func providerName(_ provider: String) -> String {
    switch provider {
    case "apns": "APNs"
    case "fcm": "FCM"
    case "webpush": "Web Push"
    default: provider
    }
}

/// A response in words: `410 Unregistered`, `200`; `no response` for status 0.
package func responseWords(status: Int64, reason: String?) -> String {
    let reason = reason ?? ""
    guard status != 0 else { return reason.isEmpty ? "no response" : "no response (\(reason))" }
    return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
}
