import Access
import Foundation
import Hummingbird

/// The response of `GET /v1/tokens`.
struct TokenPage: Decodable {
    struct Token: Decodable {
        let value: String
        let provider: String
        let kind: String
        let environment: String
        let topic: String
        let state: String
        let deviceId: String?
        let account: String?
        let registeredAt: String?
        let expiresAt: String?
        let p256dh: String?
        let auth: String?
    }

    let tokens: [Token]
    let nextCursor: String?
    let changesAfter: Int64
    let proof: String?
}

/// The response of `GET /v1/token-changes`.
struct ChangePage: Decodable {
    struct Change: Decodable {
        let transitionId: Int64
        let tokenId: Int64
        let replacedBy: Int64?
        let from: String?
        let to: String
        let rule: String
        let value: String?
        let deviceId: String?
        let p256dh: String?
        let auth: String?
    }

    let changes: [Change]
    let nextAfter: Int64
    let proof: String?
    let hasMore: Bool
}

extension Response {
    func document<Document: Decodable>(_ type: Document.Type) throws -> Document {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(body))
    }
}

extension TestServer {
    /// - Parameter query: such as `state=retired&limit=2`.
    func tokens(_ query: String = "") async throws -> TokenPage {
        try await send(.get, "/v1/tokens?\(query)", as: .server).document(TokenPage.self)
    }

    /// The values of all pages, or of those after a cursor.
    func allValues(_ query: String = "", after cursor: String? = nil) async throws -> [String] {
        var page = try await tokens(cursor.map { "\(query)&cursor=\($0)" } ?? query)
        var values = page.tokens.map(\.value)
        while let cursor = page.nextCursor {
            page = try await tokens("\(query)&cursor=\(cursor)")
            values += page.tokens.map(\.value)
        }
        return values
    }

    func changes(after: Int64 = 0, limit: Int = 1_000) async throws -> ChangePage {
        try await send(.get, "/v1/token-changes?after=\(after)&limit=\(limit)", as: .server)
            .document(ChangePage.self)
    }
}

/// The body of a registration with one token of the shop.
func registration(_ value: String, kind: String = "alert", also fields: String = "") -> String {
    #"{"platform":"ios","tokens":[{"value":"\#(value)","kind":"\#(kind)","topic":"com.example.shop"}]\#(fields)}"#
}
