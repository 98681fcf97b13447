import Foundation
import HTTPTypes

/// A response of the server.
struct Response: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    var contentType: String { headers[.contentType] ?? "" }
    var text: String { String(decoding: body, as: UTF8.self) }

    private struct Document: Decodable {
        struct ItemError: Decodable {
            let index: Int
            let code: String
        }

        struct Token: Decodable {
            let change: String
        }

        let accepted: Int?
        let duplicates: Int?
        let rejected: Int?
        let errors: [ItemError]?
        let code: String?
        let detail: String?
        let tokens: [Token]?
        let credential: String?
        let warnings: [Warning]?

        struct Warning: Decodable {
            let code: String
            let detail: String
        }
    }

    private var document: Document? { try? JSONDecoder().decode(Document.self, from: Data(body)) }

    /// The accepted, duplicate and rejected items.
    var counts: [Int] { [document?.accepted, document?.duplicates, document?.rejected].map { $0 ?? -1 } }
    /// The index:code of each rejected item.
    var itemErrors: [String] { (document?.errors ?? []).map { "\($0.index):\($0.code)" } }
    /// The code of a problem.
    var code: String? { document?.code }
    var detail: String? { document?.detail }
    /// The credential that a registration returned.
    var credential: String? { document?.credential }
    /// The code: detail of each warning.
    var warnings: [String] { (document?.warnings ?? []).map { "\($0.code): \($0.detail)" } }
    /// The change of each token of a registration.
    var changes: [String] { (document?.tokens ?? []).map(\.change) }
}
