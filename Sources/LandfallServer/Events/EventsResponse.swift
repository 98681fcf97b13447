internal import DeliveryModel
internal import Documents
internal import Ingestion
internal import NIOCore

/// The response of `POST /v1/events`: received = accepted + duplicates + rejected.
struct EventsResponse {
    /// The reason an item was rejected, or a warning for its sender.
    struct ItemNote {
        let index: Int
        let code: String
        let detail: String
    }

    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var errors: [ItemNote] = []
    /// Only the first few: the others mostly have the same cause.
    var warnings: [ItemNote] = []

    private static let mostWarnings = 10

    init(_ verdicts: [Verdict]) {
        for (index, verdict) in verdicts.enumerated() {
            if !verdict.warnings.isEmpty { warn(verdict.warnings, index) }
            switch verdict.outcome {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            // The request is rejected as a whole.
            case .overQuota: break
            case .rejected(let rejection):
                rejected += 1
                errors.append(ItemNote(index: index, code: rejection.code.rawValue, detail: rejection.detail))
            }
        }
    }

    private mutating func warn(_ found: ItemWarnings, _ index: Int) {
        for (code, detail) in found.notes where warnings.count < Self.mostWarnings {
            warnings.append(ItemNote(index: index, code: code, detail: detail))
        }
    }

    static let contentType = "application/json"

    /// Written by hand: an encoder took longer than all else that the server does for one event.
    func document() -> ByteBuffer {
        var json = JSONBytes(capacity: 64 + 160 * (errors.count + warnings.count))
        json.raw("{")
        json.member("accepted", Int64(accepted))
        json.member("duplicates", Int64(duplicates))
        json.member("errors", notes: errors)
        json.member("rejected", Int64(rejected))
        if !warnings.isEmpty { json.member("warnings", notes: warnings) }
        json.raw("}")
        return ByteBuffer(bytes: json.bytes)
    }
}

extension JSONBytes {
    fileprivate mutating func member(_ name: StaticString, notes: [EventsResponse.ItemNote]) {
        member(name, document: "[".utf8)
        for (position, note) in notes.enumerated() {
            raw(position == 0 ? "{" : ",{")
            member("code", note.code)
            member("detail", note.detail)
            member("index", Int64(note.index))
            raw("}")
        }
        raw("]")
    }
}
