internal import Foundation
internal import Rendering
internal import Reports

/// The server's verdicts on the items it received: received = accepted + duplicates + rejected.
struct ReceivedCounts: Equatable, Sendable {
    /// Items that changed something.
    private(set) var accepted: Int64 = 0
    /// Items that changed nothing.
    private(set) var duplicates: Int64 = 0
    /// Items that were quarantined.
    private(set) var rejected: Int64 = 0
    private(set) var rejections: [String: Int64] = [:]
    var registrations: Int64 = 0
    /// Responses of 429; each of these requests was repeated.
    var throttled: Int64 = 0

    var received: Int64 { accepted + duplicates + rejected }

    init() {}

    private struct Document: Decodable {
        struct Rejection: Decodable {
            let code: String
        }

        let accepted: Int64
        let duplicates: Int64
        let rejected: Int64
        let errors: [Rejection]
    }

    init(response: [UInt8]) throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(response))
        accepted = document.accepted
        duplicates = document.duplicates
        rejected = document.rejected
        for rejection in document.errors { rejections[rejection.code, default: 0] += 1 }
    }

    static func += (total: inout ReceivedCounts, part: ReceivedCounts) {
        total.accepted += part.accepted
        total.duplicates += part.duplicates
        total.rejected += part.rejected
        total.rejections.merge(part.rejections) { $0 + $1 }
        total.registrations += part.registrations
        total.throttled += part.throttled
    }
}

extension ReceivedCounts {
    func lines(_ style: OutputStyle) -> [String] {
        let why = rejections.isEmpty ? "put in quarantine" : Self.inWords(rejections)
        let remarks = [
            Remark("received", received, "events = accepted + duplicates + rejected"),
            Remark("accepted", accepted, "changed something"),
            Remark("duplicates", duplicates, "changed nothing: posted before"),
            Remark("rejected", rejected, why),
            Remark("registrations", registrations, "of devices; most register more than once"),
            Remark("throttled", throttled, "responses of 429; these requests were repeated"),
        ]
        return [style.paint("What the server returned", .title), ""]
            + Remark.lines(remarks, style, nameWidth: 13)
    }

    /// Rejections as text, the most frequent first: `12 too_old, 3 invalid_type`.
    fileprivate static func inWords(_ rejections: [String: Int64]) -> String {
        rejections.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    }
}

extension CommandProblem {
    /// The server rejected items that the simulation counts as valid; their number by code.
    static func rejectedItems(_ rejections: [String: Int64]) -> CommandProblem {
        CommandProblem(
            "the server rejected \(grouped(rejections.values.reduce(0, +))) events, so it cannot know what "
                + "really happened: \(ReceivedCounts.inWords(rejections))")
    }
}
