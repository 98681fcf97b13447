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
    /// Rejected items by code.
    private(set) var rejections: [String: Int64] = [:]
    /// Registrations that were accepted.
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

    /// Reads the response to `POST /v1/events`.
    init(response: [UInt8]) throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(response))
        accepted = document.accepted
        duplicates = document.duplicates
        rejected = document.rejected
        for rejection in document.errors { rejections[rejection.code, default: 0] += 1 }
    }

    /// Rejections as text, the most frequent first: `12 too_old, 3 invalid_type`.
    static func inWords(_ rejections: [String: Int64]) -> String {
        rejections.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(grouped($0.value)) \($0.key)" }.joined(separator: ", ")
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

/// The server's verdicts on posted traffic, as text.
struct ReceivedTable {
    let counts: ReceivedCounts
    let style: OutputStyle

    init(_ counts: ReceivedCounts, _ style: OutputStyle) {
        self.counts = counts
        self.style = style
    }

    var lines: [String] {
        let remarks = [
            Remark(
                name: "received", value: grouped(counts.received),
                meaning: "events = accepted + duplicates + rejected"),
            Remark(name: "accepted", value: grouped(counts.accepted), meaning: "changed something"),
            Remark(
                name: "duplicates", value: grouped(counts.duplicates),
                meaning: "changed nothing: posted before"),
            Remark(name: "rejected", value: grouped(counts.rejected), meaning: rejections),
            Remark(
                name: "registrations", value: grouped(counts.registrations),
                meaning: "of devices; most register more than once"),
            Remark(
                name: "throttled", value: grouped(counts.throttled),
                meaning: "responses of 429; these requests were repeated"),
        ]
        return [style.paint("What the server returned", .title), ""]
            + Remark.lines(remarks, style, nameWidth: 13)
    }

    private var rejections: String {
        counts.rejections.isEmpty ? "put in quarantine" : ReceivedCounts.inWords(counts.rejections)
    }
}
