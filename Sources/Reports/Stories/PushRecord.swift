public import DeliveryModel
public import Foundation
public import Instants
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
    /// The instant at which the provider found the token dead, according to the provider.
    public let invalidSince: Instant?
    /// The custom action of the click; `nil` for the default tap.
    public let action: String?
    /// The state of the app when it was handed the click; `nil` if it did not say.
    public let appState: DeviceReport.AppState?
    /// Whether the user typed a text; `nil` if the app did not say.
    public let hasText: Bool?
    public let category: String?
    /// The version of the device kit that reported the arrival; `nil` without one.
    public let kit: String?
    /// What showed, other than the extension, that the device had it.
    public let witness: DeviceReport.Evidence?
    /// How the run of the extension ended, if not well; `nil` too if the device did not say.
    public let extensionOutcome: DeviceReport.ExtensionOutcome?
    public let collapseID: String?
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
}

extension PushRecord {
    init(_ row: PostgresRow) throws {
        let state = DeliveryState(rawValue: try row.get("state"))
        /// The row may still have the time of an event that turned out to be misdirected.
        func span(_ column: String, _ bit: DeliveryState) throws -> Span? {
            guard state.contains(bit) else { return nil }
            return try row.getOptional(column, as: Int64.self).map { Span(milliseconds: $0) }
        }
        func word<Word: RawRepresentable<String>>(_ column: String, _ bit: DeliveryState) throws -> Word? {
            guard state.contains(bit) else { return nil }
            return try row.getOptional(column, as: String.self).flatMap(Word.init)
        }
        self.state = state
        notificationID = try row.get("notification_id")
        sentAt = try row.get("sent_at")
        arrivedAfter = try span("arrived_after_ms", .arrived)
        presentedAfter = try span("presented_after_ms", .presented)
        clickedAfter = try span("clicked_after_ms", .clicked)
        dismissedAfter = try span("dismissed_after_ms", .dismissed)
        invalidSince = try row.getOptional("rejected_at")
        action = state.contains(.clicked) ? try row.getOptional("action") : nil
        appState = try word("app_state", .clicked)
        hasText = state.contains(.clicked) ? try row.getOptional("has_text") : nil
        category = try row.getOptional("category")
        kit = state.contains(.arrived) ? try row.getOptional("arrived_kit") : nil
        witness = try word("witness", .witnessed)
        extensionOutcome = try word("extension_outcome", .arrived)
        collapseID = try row.getOptional("collapse_id")
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
