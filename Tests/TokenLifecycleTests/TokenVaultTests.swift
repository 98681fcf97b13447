import Foundation
import PostgresClient
import TestDatabase
import Testing
import TokenLifecycle

struct TokenVaultTests {
    private let vault = TokenVault(.random())

    @Test("what is sealed can be opened, by the same key only, and never looks the same twice")
    func sealing() throws {
        let value = Array("80f4d1a6c3".utf8)
        let sealed = try vault.seal(value)
        #expect(try vault.open(sealed) == value)
        #expect(try vault.seal(value) != sealed)
        #expect(throws: (any Error).self) { try TokenVault(.random()).open(sealed) }
        #expect(throws: (any Error).self) { try vault.open(sealed.reversed()) }
    }

    @Test("a fingerprint is the same for the same value under the same key, and for nothing else")
    func fingerprints() throws {
        let key = try TokenKey(base64: Data(repeating: 7, count: 32).base64EncodedString())
        #expect(TokenVault(key).fingerprint(of: "aa") == TokenVault(key).fingerprint(of: "aa"))
        #expect(TokenVault(key).fingerprint(of: "aa") != TokenVault(key).fingerprint(of: "ab"))
        #expect(TokenVault(key).fingerprint(of: "aa") != vault.fingerprint(of: "aa"))
    }

    @Test("a key that is no key is refused", arguments: ["", "short", "not base64 at all !!", "AAAA"])
    func malformedKeys(text: String) {
        #expect(throws: TokenKeyError.malformed) { try TokenKey(base64: text) }
    }

    @Test("starting at once, several servers agree on one key, and nobody else can read it")
    func keyFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-key-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let fingerprints = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    TokenVault(try TokenKey.load(dataFolder: folder, environment: [:])).fingerprint(of: "aa")
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(fingerprints.count == 1)
        let file = folder.appendingPathComponent("token.key")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token.key"])
    }

    @Test("a database knows its key and refuses another", .database)
    func claims() async throws {
        let (own, other) = (vault, TokenVault(.random()))
        let pool = TestDatabase.current.pool
        try await pool.withConnection { try own.claim($0) }
        try await pool.withConnection { try own.claim($0) }
        await #expect(throws: TokenKeyError.notTheKeyOfThisDatabase) {
            try await pool.withConnection { try other.claim($0) }
        }
    }
}
