import Foundation
import PostgresClient
import TestDatabase
import Testing
import Vault

struct TokenVaultTests {
    private let vault = TokenVault(.random())

    @Test("a sealed value can be opened, only by the same key, and never looks the same twice")
    func sealing() throws {
        let value = Array("80f4d1a6c3".utf8)
        let place = SealedPlace.token(ofApp: 1)
        let sealed = try vault.seal(value, for: place)
        #expect(try vault.open(sealed, from: place) == value)
        #expect(try vault.seal(value, for: place) != sealed)
        #expect(throws: (any Error).self) { try TokenVault(.random()).open(sealed, from: place) }
        #expect(throws: (any Error).self) { try vault.open(sealed.reversed(), from: place) }
    }

    @Test("a value sealed for one app or table cannot be opened in another")
    func places() throws {
        let sealed = try vault.seal(Array("80f4d1a6c3".utf8), for: .quarantine(ofApp: 1))
        for other in [
            SealedPlace.quarantine(ofApp: 11), .quarantine(ofApp: 2), .token(ofApp: 1), .signingKey(ofApp: 1),
        ] {
            #expect(throws: (any Error).self) { try vault.open(sealed, from: other) }
        }
    }

    #if os(Linux)
        @Test("a token key belongs only to its owner from its first byte: no mode is changed afterward")
        func secretFromTheFirstByte() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "landfall-key-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let watch = inotify_init1(Int32(O_NONBLOCK))
            defer { close(watch) }
            #expect(inotify_add_watch(watch, folder.path, UInt32(IN_ATTRIB)) > 0)
            var events = [UInt8](repeating: 0, count: 4_096)

            let file = folder.appendingPathComponent("token.key")
            _ = try TokenKey.load(dataFolder: folder, environment: [:])
            _ = try TokenKey.random().replaceStored(in: folder)
            #expect(read(watch, &events, events.count) == -1 && errno == EAGAIN)
            // It would have noticed a change.
            #expect(chmod(file.path, 0o400) == 0)
            #expect(read(watch, &events, events.count) > 0)
        }
    #endif

    @Test("a secret file never takes an existing name, and follows no link")
    func takenNames() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-key-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("file")
        let aside = folder.appendingPathComponent("aside")
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: aside)
        #expect(throws: SecretFileError.self) { try SecretFile.create(file, contents: Data("secret".utf8)) }
        #expect(!FileManager.default.fileExists(atPath: aside.path))
        try SecretFile.replace(file, contents: Data("secret".utf8))
        #expect(!FileManager.default.fileExists(atPath: aside.path))
        #expect(try String(contentsOf: file, encoding: .utf8) == "secret")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("a fingerprint is the same for the same value under the same key, and for nothing else")
    func fingerprints() throws {
        let key = try TokenKey(base64: Data(repeating: 7, count: 32).base64EncodedString())
        #expect(TokenVault(key).fingerprint(of: "aa") == TokenVault(key).fingerprint(of: "aa"))
        #expect(TokenVault(key).fingerprint(of: "aa") != TokenVault(key).fingerprint(of: "ab"))
        #expect(TokenVault(key).fingerprint(of: "aa") != vault.fingerprint(of: "aa"))
    }

    @Test("an invalid key is rejected", arguments: ["", "short", "not base64 at all !!", "AAAA"])
    func malformedKeys(text: String) {
        #expect(throws: TokenKeyError.malformed) { try TokenKey(base64: text) }
    }

    @Test("several servers that start at once agree on one key, and no other user can read it")
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

    @Test("a database knows its key and rejects any other", .database)
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
