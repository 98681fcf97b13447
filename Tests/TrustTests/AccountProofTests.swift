import Basics
import Foundation
import Testing
import Trust

struct AccountProofTests {
    private let key = SigningKey("lf_account_test")
    private let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    private let claim = AccountProof.Claim(account: "u_42", tags: ["news", "sport"], deviceID: UUID())

    private func outcome(
        _ text: String, of claim: AccountProof.Claim? = nil, keys: [SigningKey]? = nil, now: Instant? = nil
    ) -> AccountProofError? {
        do throws(AccountProofError) {
            try AccountProof(text).check(claim ?? self.claim, keys: keys ?? [key], now: now ?? self.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("proofs are those of the test vectors, and valid until they expire")
    func vectors() throws {
        let vectors = try TrustVectors.read()
        let key = SigningKey(vectors.accountKey)
        #expect(vectors.accountProofs.count == 4)
        for vector in vectors.accountProofs {
            let claim = AccountProof.Claim(
                account: vector.account, tags: vector.tags, deviceID: vector.deviceID)
            let end = Instant(millisecondsSinceEpoch: vector.expires * 1_000)
            #expect(try AccountProof.text(for: claim, until: end, key: key) == vector.accountProof)
            #expect(outcome(vector.accountProof, of: claim, keys: [key], now: end - .seconds(1)) == nil)
            #expect(outcome(vector.accountProof, of: claim, keys: [key], now: end) == .expired)
        }
    }

    @Test("a proof is of one account, these tags in this order, one device and one time")
    func otherClaims() throws {
        let proof = try AccountProof.text(for: claim, until: now + .hours(1), key: key)
        #expect(outcome(proof) == nil)
        let id = claim.deviceID
        for other in [
            AccountProof.Claim(account: "u_43", tags: claim.tags, deviceID: id),
            .init(account: "u_42", tags: ["sport", "news"], deviceID: id),
            .init(account: "u_42", tags: ["news"], deviceID: id),
            .init(account: "", tags: ["u_42", "news", "sport"], deviceID: id),
            .init(account: "u_42", tags: claim.tags, deviceID: UUID()),
        ] {
            #expect(outcome(proof, of: other) == .wrongSignature)
        }
        let later = "\(Int64(proof.prefix { $0 != "." }).map { $0 + 1 } ?? 0)" + proof.drop { $0 != "." }
        #expect(outcome(later) == .wrongSignature)
    }

    @Test(
        "while a key is replaced, proofs of both are valid; without a key, the error says how to create one")
    func keys() throws {
        let next = SigningKey("lf_account_next")
        let proof = try AccountProof.text(for: claim, until: now + .hours(1), key: next)
        #expect(outcome(proof, keys: [key, next]) == nil)
        #expect(outcome(proof, keys: [key]) == .wrongSignature)
        #expect(outcome(proof, keys: []) == .noKey)
    }

    @Test("no other claim can have the same text: names with a line feed are neither signed nor accepted")
    func lineFeeds() throws {
        let forged = AccountProof.Claim(account: "u_42\nnews", tags: ["sport"], deviceID: claim.deviceID)
        #expect(throws: AccountProofError.lineFeed) {
            try AccountProof.text(for: forged, until: now + .hours(1), key: key)
        }
        let proof = try AccountProof.text(for: claim, until: now + .hours(1), key: key)
        #expect(outcome(proof, of: forged) == .lineFeed)
    }

    @Test("a time in milliseconds is refused with the unit")
    func milliseconds() throws {
        let proof = try AccountProof.text(
            for: claim, until: Instant(millisecondsSinceEpoch: 1_780_000_600_000 * 1_000), key: key)
        #expect(outcome(proof) == .tooLong)
        #expect(AccountProofError.tooLong.description.contains("in seconds, not milliseconds"))
        let longest = try AccountProof.text(
            for: claim, until: now + .days(AccountProof.longestDays), key: key)
        #expect(outcome(longest) == nil)
    }

    @Test("no guessed signature is valid")
    func guessed() {
        for _ in 0..<5_000 {
            let guess = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
            #expect(
                outcome("\((now + .days(1)).millisecondsSinceEpoch / 1_000).\(guess.base64URL)")
                    == .wrongSignature)
        }
    }

    @Test(
        "anything else is malformed",
        arguments: [
            "", ".", "1800000000", "SX6MHAlQM6aUw08iZO1ntKkff5e-1JDUBxopoX-Znok", "1800000000.",
            "1800000000.SX6MHAlQM6aUw08iZO1ntKkff5e-1JDUBxopoX-Zno", "1800000000.x.y",
            "soon.SX6MHAlQM6aUw08iZO1ntKkff5e-1JDUBxopoX-Znok", "1800000000.éééé",
        ])
    func malformed(text: String) {
        #expect(outcome(text) == .malformed)
    }
}
