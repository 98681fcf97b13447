internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import NIOCore

/// The response of `POST /v1/events`: received = accepted + duplicates + rejected.
struct EventsResponse: Encodable {
    /// The reason an item was rejected, or a warning for its sender.
    struct ItemNote: Encodable {
        let index: Int
        let code: String
        let detail: String
    }

    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var errors: [ItemNote] = []
    /// Only the first few: the others mostly have the same cause. `nil` if there are none.
    var warnings: [ItemNote]?

    private static let mostWarnings = 10

    init(_ verdicts: [Verdict]) {
        for (index, verdict) in verdicts.enumerated() {
            if !verdict.warnings.isEmpty { warn(verdict.warnings, index) }
            switch verdict.outcome {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            case .rejected(let rejection):
                rejected += 1
                errors.append(
                    ItemNote(index: index, code: rejection.code.rawValue, detail: rejection.detail))
            }
        }
    }

    private mutating func warn(_ found: ItemWarnings, _ index: Int) {
        for (warning, code, detail) in ItemWarnings.all where found.contains(warning) {
            guard warnings?.count ?? 0 < Self.mostWarnings else { return }
            warnings = (warnings ?? []) + [ItemNote(index: index, code: code, detail: detail)]
        }
    }

    static let contentType = "application/json"

    /// Most responses have no errors and are three numbers. Those are written without an encoder, which took longer than all
    /// other work for one event. So are warnings, which a sender may get with every post.
    func document() throws -> ByteBuffer {
        guard errors.isEmpty else { return ByteBuffer(bytes: try JSONEncoder.contract.encode(self)) }
        var text = #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"errors":[],"rejected":0"#
        if let warnings {
            // Neither codes nor details contain characters that JSON escapes.
            let notes = warnings.map {
                #"{"code":"\#($0.code)","detail":"\#($0.detail)","index":\#($0.index)}"#
            }
            text += #","warnings":["# + notes.joined(separator: ",") + "]"
        }
        return ByteBuffer(string: text + "}")
    }
}
