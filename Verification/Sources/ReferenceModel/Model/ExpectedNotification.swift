internal import Foundation

/// The values that a notification's row may have in the end. If a definition leaves the value
/// to the order of events, there are several.
struct ExpectedNotification: Sendable {
    var bits: Set<ReferenceBits> = []
    /// All that anyone said about it, whether it counts or not.
    var said: ReferenceBits = []
    /// Milliseconds since 1970; `nil` means the instant at which the first event was received.
    var sentAt: Set<Int64?> = []
    var push: Set<PushWords?> = [nil]
    /// The provider's words that count.
    var response: Set<[String]?> = [nil]
    var target: Set<FoundTarget> = [FoundTarget()]
    /// The first arrival, presentation, click and dismissal, in milliseconds since 1970. For a kind that was
    /// reported, `nil` stands for the instant of receipt.
    var times: [Set<Int64?>] = Array(repeating: [nil], count: 4)
    var rejectedAt: Set<Int64?> = [nil]
    var action: Set<String?> = [nil]
    var collapseID: Set<String?> = [nil]
    /// Each fact may be that of another response.
    var facts: Set<MeantFacts> = [MeantFacts()]
    /// The sender and its provider's id are of the response that counts.
    var factsThatCount: Set<MeantFacts> = [MeantFacts()]
    /// The version that the first arrival named.
    var arrivedVersion: Set<String?> = [nil]
}

/// The content of a row.
struct RecordedNotification: Sendable {
    var bits: ReferenceBits
    var sentAt: Int64
    var push: PushWords?
    var response: [String]?
    var target: FoundTarget
    var times: [Int64?]
    /// The kinds of device events whose times are those of receipt.
    var timedByReceipt: ReferenceBits
    var rejectedAt: Int64?
    var action: String?
    var collapseID: String?
    var facts: MeantFacts
    var arrivedVersion: String?
}

/// The campaign and the segment of a push.
struct PushWords: Hashable, Sendable {
    var campaign: String
    var variant: String
    /// Provider, environment, topic, push type, priority, platform, app version, OS version, language,
    /// permission.
    var segment: [String]

    init(campaign: String, variant: String, segment: [String]) {
        self.campaign = campaign
        self.variant = variant
        self.segment = segment
    }

    init(_ response: MeantResponse, _ traits: DeviceTraits?) {
        campaign = response.campaign
        variant = response.variant
        segment =
            [
                response.words.provider, response.environment, response.topic, response.pushType,
                response.priority.map { "\($0)" } ?? "",
            ] + (traits ?? DeviceTraits()).words
    }
}

/// The target of a push.
struct FoundTarget: Hashable, Sendable {
    var hasToken = false
    /// The installation that had the token then.
    var deviceID: UUID?
}

extension ResponseWords {
    var words: [String] { [provider, "\(status)", reason ?? ""] }
}

extension ExpectedNotification {
    /// The row's values that are not allowed, one line each.
    ///
    /// - Parameter arrivals: when the history was posted, in milliseconds since 1970.
    func differences(from row: RecordedNotification, arrivals: ClosedRange<Int64>) -> [String] {
        var lines: [String] = []
        func check<Value: Hashable>(_ name: String, _ value: Value, _ allowed: Set<Value>) {
            guard !allowed.contains(value) else { return }
            lines.append(
                "\(name) is \(value), expected \(allowed.map { "\($0)" }.sorted().joined(separator: " or "))")
        }
        check("state", row.bits.rawValue, Set(bits.map(\.rawValue)))
        if !(sentAt.contains(nil) && arrivals.contains(row.sentAt)) { check("sent_at", row.sentAt, sentAt) }
        check("campaign and segment", row.push, push)
        check("answer", row.response, response)
        check("target", row.target, target)
        for kind in MeantSighting.Kind.allCases {
            let (time, allowed) = (row.times[kind.rawValue], times[kind.rawValue])
            let isByReceipt = row.timedByReceipt.contains(.seen(kind))
            // A row may keep what another device said, without meaning.
            if !row.bits.contains(.seen(kind)), said.contains(.seen(kind)) { continue }
            if row.bits.contains(.seen(kind)), allowed.contains(nil), let time, isByReceipt {
                if !arrivals.contains(time) {
                    lines.append("time of \(kind) is \(time), when nothing came in")
                }
            } else {
                check(
                    "time of \(kind)", time,
                    row.bits.contains(.seen(kind)) ? allowed.subtracting([nil]) : [nil])
                check("is \(kind) timed by receipt", isByReceipt, [false])
            }
        }
        check("rejected_at", row.rejectedAt, rejectedAt)
        if !said.contains(.clicked) || row.bits.contains(.clicked) { check("action", row.action, action) }
        check("collapse_id", row.collapseID, collapseID)
        check("expires_at", row.facts.expiresAt, Set(facts.map(\.expiresAt)))
        check("sender", row.facts.sender, Set(factsThatCount.map(\.sender)))
        check("provider_id", row.facts.providerID, Set(factsThatCount.map(\.providerID)))
        check("content_available", row.facts.contentAvailable, Set(facts.map(\.contentAvailable)))
        if !said.contains(.arrived) || row.bits.contains(.arrived) {
            check("arrived_version", row.arrivedVersion, arrivedVersion)
        }
        return lines
    }
}
