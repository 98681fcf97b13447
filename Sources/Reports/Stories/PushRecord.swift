public import DeliveryModel
public import Foundation
public import Instants
internal import PostgresClient

/// One notification's row: a push and its outcome.
@dynamicMemberLookup
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

    public struct Response: Hashable, Sendable {
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

    /// The facts can be read like properties of its own.
    public subscript<Value>(dynamicMember fact: KeyPath<DeliveryFacts, Value>) -> Value {
        facts[keyPath: fact]
    }
}

extension PushRecord {
    init(_ row: PostgresRow) throws {
        let state = DeliveryState(rawValue: try row.get("state"))
        /// The row may still have the time of an event that turned out to be misdirected.
        func span(_ column: String, _ bit: DeliveryState) throws -> Span? {
            guard state.contains(bit) else { return nil }
            return try row.getOptional(column, as: Int64.self).map { Span(milliseconds: $0) }
        }
        var facts = DeliveryFacts()
        for fact in DeliveryFact.all {
            switch fact.access {
            case .text(_, let write): write(&facts, try row.getOptional(fact.column))
            case .flag(_, let write): write(&facts, try row.getOptional(fact.column))
            case .instant(_, let write): write(&facts, try row.getOptional(fact.column))
            }
        }
        self.state = state
        notificationID = try row.get("notification_id")
        sentAt = try row.get("sent_at")
        arrivedAfter = try span("arrived_after_ms", .arrived)
        presentedAfter = try span("presented_after_ms", .presented)
        clickedAfter = try span("clicked_after_ms", .clicked)
        dismissedAfter = try span("dismissed_after_ms", .dismissed)
        var sources: [DeliveryFact.Source] = [.response, .device]
        if state.contains(.clicked) { sources.append(.click) }
        if state.contains(.arrived) { sources.append(.arrival) }
        self.facts = facts.stated(by: sources)
        kit = state.contains(.arrived) ? try row.getOptional("arrived_kit") : nil
        witness =
            state.contains(.witnessed)
            ? try row.getOptional("witness", as: String.self).flatMap(DeviceReport.Evidence.init) : nil
        tokenID = try row.getOptional("token_id")
        installationID = try row.getOptional("installation_id")
        response = try Response(row)
    }
}

extension PushRecord.Response {
    fileprivate init?(_ row: PostgresRow) throws {
        guard let status = try row.getOptional("status", as: Int32.self) else { return nil }
        self.status = Int64(status)
        provider = try row.getOptional("provider") ?? ""
        reason = try row.getOptional("reason") ?? ""
        outcomeClass = try row.getOptional("outcome_class") ?? ""
        environment = try row.getOptional("environment") ?? ""
        topic = try row.getOptional("topic") ?? ""
        pushType = try row.getOptional("push_type") ?? ""
        priority = try row.getOptional("priority") ?? ""
        campaign = try row.getOptional("campaign") ?? ""
        variant = try row.getOptional("variant") ?? ""
    }
}
