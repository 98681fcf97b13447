internal import Basics
internal import Foundation
internal import NIOHTTP1

/// Follows the changes of an app's tokens, as a sender does, at any of the servers.
struct FeedReader: Sendable {
    struct Reading: Sendable {
        /// The numbers of the ledger's rows, in the order in which they were fed.
        var rows: [Int64] = []
        var values: Set<String> = []
        /// How often a server did not know the row after which the reader wanted to go on.
        var unknownCursors = 0
        var troubles: [String] = []
    }

    private struct Page: Decodable {
        struct Change: Decodable {
            let transitionId: Int64
            let value: String?
        }

        let changes: [Change]
        let nextAfter: Int64
    }

    let app: CellApp
    let client: CellClient

    /// How long the end is waited for: rows are held back while older transactions are open.
    private static let patience = Duration.milliseconds(1_500)
    private static let mostUnknownCursors = 600

    /// Reads from the beginning until no more comes.
    ///
    /// - Parameter isOver: whether nothing is posted anymore.
    func read(_ random: SeededRandom, until isOver: @Sendable () -> Bool) async throws -> Reading {
        var (random, reading, after) = (random, Reading(), 0 as Int64)
        var isEmptySince: ContinuousClock.Instant?
        while true {
            let mayEnd = isOver()
            let path = "/v1/token-changes?after=\(after)&limit=\(random.within(1...500))"
            let response = await client.send(.GET, path, key: app.serverKey, &random)
            if let response, response.status == 200 {
                let page = try decode(Page.self, response.body)
                reading.rows += page.changes.map(\.transitionId)
                reading.values.formUnion(page.changes.compactMap(\.value))
                after = page.nextAfter
                if !page.changes.isEmpty || !mayEnd {
                    isEmptySince = nil
                } else if let isEmptySince, ContinuousClock.now - isEmptySince > Self.patience {
                    return reading
                } else {
                    isEmptySince = isEmptySince ?? .now
                }
                if !page.changes.isEmpty { continue }
            } else if let response, response.code == "invalid_cursor" {
                reading.unknownCursors += 1
                guard reading.unknownCursors < Self.mostUnknownCursors else { throw Lost(slug: app.slug) }
            } else if let response, ![429, 503].contains(response.status) {
                reading.troubles.append("the feed responded \(response.status) \(response.code)")
                guard reading.troubles.count < 50 else { throw Lost(slug: app.slug) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    struct Lost: Error {
        let slug: String
    }

    /// The values of all tokens, according to `GET /v1/tokens`.
    func values(_ random: SeededRandom) async throws -> [String] {
        struct Page: Decodable {
            struct Token: Decodable {
                let value: String
            }

            let tokens: [Token]
            let nextCursor: String?
        }
        var (random, values, cursor) = (random, [String](), "")
        while true {
            let path = "/v1/tokens?state=any&limit=1000&cursor=\(cursor)"
            guard let response = await client.send(.GET, path, key: app.serverKey, &random),
                response.status == 200
            else { throw Lost(slug: app.slug) }
            let page = try decode(Page.self, response.body)
            values += page.tokens.map(\.value)
            guard let next = page.nextCursor else { return values }
            cursor = next
        }
    }

    private func decode<Document: Decodable>(_ type: Document.Type, _ bytes: Data) throws -> Document {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: bytes)
    }
}
