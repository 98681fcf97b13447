public import DeliveryModel
public import Instants
internal import Wording

extension PushRecord {
    /// The outcome in one line: `accepted, arrived after 1.2 s, clicked after 9 s`, `rejected: 410 Unregistered`.
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
    public struct Report: Hashable, Sendable {
        /// `arrived`, `presented`, `clicked`, `dismissed`.
        public let what: String
        /// The time since the push was sent; `nil` if the device did not state one.
        public let after: Span?
    }

    /// In time order; events without a time are last.
    public var reports: [Report] {
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
            .map { Report(what: $0.element.1, after: $0.element.2) }
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
