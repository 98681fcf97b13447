public import DeliveryModel
public import Instants
internal import Wording

extension PushRecord {
    /// What came of it, in one line: `accepted, arrived after 1.2 s, clicked after 9 s`, `rejected: 410 Unregistered`.
    public var fate: String {
        ([outcome] + reports.map { "\($0.what) \($0.after.map(Self.words) ?? "at an unknown time")" }
            + (state.contains(.recalled) ? ["recalled by the sender"] : [])).joined(separator: ", ")
    }

    /// The answer that counts, word for word.
    public var answerText: String? {
        answer.map { answerWords(status: $0.status, reason: $0.reason) }
    }

    private var outcome: String {
        if state.contains(.accepted) { return "accepted" }
        if state.contains(.attempted) { return "rejected: \(answerText ?? "no response")" }
        return state.contains(.local) ? "shown by the app itself" : "no response on record"
    }

    /// `after 1.2 s`; a report from before the push was sent says that clocks disagree.
    private static func words(_ span: Span) -> String {
        span.milliseconds < 0 ? "\(span.words) before it was sent (clocks disagree)" : "after \(span.words)"
    }

    /// What the device reported.
    public struct Report: Hashable, Sendable {
        /// `arrived`, `presented`, `clicked`, `dismissed`.
        public let what: String
        /// Since the push was sent; nil when the device did not say when.
        public let after: Span?
    }

    /// In time order; those without a time come last.
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

    /// The classes of its rejections, the most final first, whether or not it was accepted in the end.
    public var rejectionClasses: [RejectionClass] {
        RejectionClass.allCases.filter { state.contains(.rejected($0)) }
    }
}
