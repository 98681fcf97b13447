internal import Foundation
internal import Ingestion
internal import NIOCore

/// The answer of `POST /v1/events`: received = accepted + duplicates + rejected.
struct EventsAnswer: Encodable {
    struct ItemError: Encodable {
        let index: Int
        let code: String
        let detail: String
    }

    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var errors: [ItemError] = []

    init(_ verdicts: [Verdict]) {
        for (index, verdict) in verdicts.enumerated() {
            switch verdict {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            case .rejected(let rejection):
                rejected += 1
                errors.append(
                    ItemError(index: index, code: rejection.code.rawValue, detail: rejection.detail))
            }
        }
    }

    static let contentType = "application/json"

    /// Most answers name no error, and are three numbers: written without an encoder, which took longer than all else that
    /// this server does for one event.
    func document() throws -> ByteBuffer {
        guard errors.isEmpty else { return ByteBuffer(bytes: try JSONEncoder.contract.encode(self)) }
        return ByteBuffer(
            string: #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"errors":[],"rejected":0}"#)
    }
}
