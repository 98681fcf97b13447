import DeliveryModel
import Foundation
import HTTPTypes
import TestDatabase
import Testing
import Vault

@testable import Access
@testable import LandfallServer

/// Keys that name the cell of their app.
@Suite struct CellKeyTests {
    private static let secret = String(repeating: "x", count: 43)

    private func cell(of text: String) throws -> Int { try #require(APIKey.cell(of: text)).number }

    @Test("a key of cell 0 looks as it always did, and no random one is read as that of another cell")
    func cellZero() {
        let characters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        var random = SeededRandom(seed: 7)
        for number in 0..<100_000 {
            let kind = APIKey.Kind.allCases[number % 3]
            let begin = number % 5 == 0 ? ["c3_", "c12_", "c255_", "c0_", "c03_"][number / 5 % 5] : ""
            let rest = (begin.count..<43).map { _ in characters[random.below(characters.count)] }
            let text = "lf_\(kind.rawValue)_\(begin)\(String(rest))"
            guard APIKey.cell(of: text) == .front, APIKey.prefix(of: text) == String(text.prefix(14)),
                KeyDigest(of: text)?.cell == .front
            else {
                Issue.record("\(text) is not read as a key of cell 0")
                return
            }
        }
        let key = APIKey.random(kind: .server)
        #expect(key.text.wholeMatch(of: /lf_server_[\w-]{43}/) != nil)
        #expect(APIKey.prefix(of: "lf_account_\(Self.secret)") == "lf_account_xxx")
    }

    @Test("a key names its cell, and shows as much of its secret as any")
    func roundTrip() throws {
        for number in 0...CellNumber.greatest {
            let cell = try #require(CellNumber(number))
            for kind in APIKey.Kind.allCases {
                let key = APIKey.random(kind: kind, cell: cell)
                let head = "lf_\(kind.rawValue)_" + (number == 0 ? "" : "c\(number)_")
                #expect(key.text.hasPrefix(head) && key.text.count == head.count + 43)
                #expect(APIKey.cell(of: key.text) == cell)
                #expect(KeyDigest(of: key.text)?.cell == cell)
                #expect(KeyDigest(of: key.text)?.bytes == key.digest)
                let shown = "lf_server_".count + 4 - "lf_\(kind.rawValue)_".count
                #expect(key.prefix == String(key.text.prefix(head.count + shown)))
            }
        }
    }

    @Test(
        "a text that names no possible cell is no key",
        arguments: [
            "c0_", "c00_", "c03_", "c256_", "c1000_", "c_", "c-1_", "c+3_", "C3_", "c3", "x3_", "3_", "c３_",
            "c3_c3_",
        ])
    func badCells(mark: String) {
        #expect(APIKey.cell(of: "lf_server_\(mark)\(Self.secret)") == nil)
        #expect(KeyDigest(of: "lf_server_\(mark)\(Self.secret)") == nil)
        #expect(APIKey.prefix(of: "lf_server_\(mark)\(Self.secret)").count == 14)
    }

    @Test("texts shorter than any key are those of cell 0, which does not know them")
    func short() throws {
        for text in ["lf_", "lf_device_a", "lf_device_c3_", "lf_device_\(UUID())"] {
            #expect(try cell(of: text) == 0)
            #expect(KeyDigest(of: text)?.cell == .front)
        }
    }

    @Test("a key of a cell that this server does not have is an error that names the cell")
    func unknownCell() async throws {
        let ring = KeyRing(pools: { throw UnknownCell(cell: $0) }, vault: TokenVault(testTokenKey))
        let sieve = KeySieve.looking { throw UnknownCell(cell: $0) }
        let key = "lf_device_c7_\(Self.secret)"
        let error = await #expect(throws: UnknownCell.self) { try await ring.credential(for: key) }
        #expect(
            error?.description
                == "this key belongs to cell 7, which this server does not have: add it to database.cells")
        let digest = try #require(KeyDigest(of: key))
        await #expect(throws: UnknownCell.self) { try await sieve.knows(digest) }
    }

    @Test("keys of a cell that does not respond do not hold up those of others")
    func sieve() async throws {
        let one = try #require(CellNumber(1))
        let (released, releasing) = AsyncStream<Void>.makeStream()
        let sieve = KeySieve { digests in
            if digests.contains(where: { $0.cell == one }) { for await _ in released { break } }
            return Set(digests)
        }
        let stalled = try #require(KeyDigest(of: "lf_device_c1_\(Self.secret)"))
        let other = try #require(KeyDigest(of: "lf_device_\(Self.secret)"))
        async let late = sieve.knows(stalled)
        #expect(try await sieve.knows(other))
        releasing.yield()
        let isLateKnown = try await late
        #expect(isLateKnown)
        #expect(await sieve.waitingCount == 0)
    }
}

@Suite("Keys of cells that a server does not have", .database) struct UnknownCellTests {
    @Test("they get 503, so that devices repeat their posts, and count as failed authentications")
    func status() async throws {
        let key = "Bearer lf_device_c7_" + String(repeating: "x", count: 43)
        let impossible = "Bearer lf_device_c256_" + String(repeating: "x", count: 43)
        let limit = RateLimit(perSecond: 0.001, burst: 2)
        try await TestServer.run(configure: { $0.limits.failedAuthentications = limit }) {
            server async throws in
            func post(_ key: String) async throws -> Response {
                try await server.send(
                    .post, "/v1/events", Array("[]".utf8), as: nil, headers: [.authorization: key])
            }
            #expect(try await post(impossible).status == 401)
            let unknown = try await post(key)
            #expect(unknown.status == 503)
            #expect(unknown.code == "unknown_cell")
            #expect(unknown.headers[.retryAfter] != nil)
            #expect(try await post("Bearer lf_device_guessed").status == 429)
            #expect(try await post(key).status == 503)
        }
    }
}
