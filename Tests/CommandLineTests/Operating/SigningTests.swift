import Access
import ChildPrograms
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase
import Testing
import Trust
import Vault

@Suite("Signing keys and what they sign", .database) struct SigningTests {
    private static let tokenKey = Data(repeating: 7, count: 32).base64EncodedString()
    private let device = UUID()
    private let notification = UUID()

    private func withProgram(_ body: (LandfallProgram) throws -> Void) throws {
        let folder = try ThrowawayFolder.create(for: "signing")
        defer { try? folder.remove() }
        let program = LandfallProgram(
            folder: folder.url,
            environment: TestDatabase.current.variables.merging(["LANDFALL_TOKEN_KEY": Self.tokenKey]) { $1 })
        try TestDatabase.current.numberFromOne()
        #expect(try program.run("app", "create", "shop").status == 0)
        try body(program)
    }

    /// The lines that the command prints.
    private func lines(_ program: LandfallProgram, _ arguments: String...) throws -> [String] {
        let ending = try program.run(arguments)
        #expect(ending.status == 0, "\(ending.notes)")
        return ending.output.split(separator: "\n").map(String.init)
    }

    @Test("a receipt key signs what the key itself signs; the database holds it sealed")
    func receipts() throws {
        try withProgram { program in
            let text = try #require(try lines(program, "key", "create", "--kind", "receipt").first)
            #expect(text.hasPrefix("lf_receipt_") && text.count == 54)
            let other = UUID()
            let receipts = try lines(program, "sign", "receipt", notification.uuidString, other.uuidString)
            #expect(receipts == [notification, other].map { Receipt.text(for: $0, key: SigningKey(text)) })
            let ids = try ["order-4711", "4711", "Caf\u{E9}"].map { try ChosenID($0) }
            #expect(
                try lines(program, "sign", "receipt", "order-4711", " 4711", "Cafe\u{301}")
                    == ids.map { Receipt.text(for: $0, key: SigningKey(text)) })
            let connection = try TestDatabase.current.connect()
            let sealed: [UInt8] = try connection.query(
                .init(name: "sealed", text: "SELECT sealed_key FROM landfall.api_key")
            ).single().get(0)
            #expect(!String(decoding: sealed, as: UTF8.self).contains(text.suffix(43)))
        }
    }

    @Test("an account key proves an account and tags of a device, until the stated day")
    func proofs() throws {
        try withProgram { program in
            let text = try #require(try lines(program, "key", "create", "--kind", "account").first)
            let proof = try #require(
                try lines(
                    program, "sign", "account", "--account", "u_42", "--tag", "news", "--tag", "sport",
                    "--days",
                    "2", device.uuidString
                ).first)
            let claim = AccountProof.Claim(account: "u_42", tags: ["news", "sport"], deviceID: device)
            let key = SigningKey(text)
            try AccountProof(proof).check(claim, keys: [key], now: .now + .hours(47))
            #expect(throws: AccountProofError.expired) {
                try AccountProof(proof).check(claim, keys: [key], now: .now + .hours(49))
            }
        }
    }

    @Test(
        "two keys of a kind are valid at a time: the newest signs, and a third one is refused until one is revoked"
    )
    func rotation() throws {
        try withProgram { program in
            let texts = try (0..<2).map { _ in try lines(program, "key", "create", "--kind", "receipt")[0] }
            #expect(
                try lines(program, "sign", "receipt", notification.uuidString)
                    == [Receipt.text(for: notification, key: SigningKey(texts[1]))])
            let third = try program.run("key", "create", "--kind", "receipt")
            #expect(third.status == 1)
            #expect(third.notes.contains("app 'shop' already has two receipt keys: revoke the one"))
            #expect(try program.run("key", "revoke", "1").status == 0)
            #expect(try program.run("key", "create", "--kind", "receipt").status == 0)
        }
    }

    @Test("without a key, and with a wrong id, the error says what to do")
    func mistakes() throws {
        try withProgram { program in
            let noKey = try program.run("sign", "receipt", notification.uuidString)
            #expect(noKey.status == 1)
            #expect(noKey.notes.contains("landfall key create --app shop --kind receipt"))
            for arguments in [
                ["sign", "receipt", "null"], ["sign", "account", device.uuidString],
                ["sign", "account", "--account", "u_42", "--days", "401", device.uuidString],
                ["key", "create", "--kind", "receipts"],
            ] {
                #expect(try program.run(arguments).status == 64, "\(arguments)")
            }
        }
    }

    @Test("a signing key is no bearer key, and moves to another token key with everything else")
    func bearerAndReseal() throws {
        try withProgram { program in
            let text = try #require(try lines(program, "key", "create", "--kind", "account").first)
            let connection = try TestDatabase.current.connect()
            let directory = AppDirectory(connection)
            #expect(try directory.app(ofKey: APIKey.digest(of: text)) == nil)

            let next = program.folder.appendingPathComponent("next.key")
            let key = Data(repeating: 8, count: 32).base64EncodedString()
            try Data(key.utf8).write(to: next)
            let moved = try program.run("tokens", "reseal", "--new-key-file", next.path, "--apply", "--json")
            #expect(
                moved.status == 0 && moved.output.contains("\"signing_keys\": {\"rows\": 1"), "\(moved.notes)"
            )
            let app = try #require(try directory.apps().first)
            let keys = try directory.trust(of: app, vault: TokenVault(try TokenKey(base64: key))).accountKeys
            let claim = AccountProof.Claim(account: "u_42", tags: [], deviceID: device)
            let proof = try AccountProof.text(for: claim, until: .now + .days(1), key: SigningKey(text))
            try AccountProof(proof).check(claim, keys: keys, now: .now)
        }
    }
}
