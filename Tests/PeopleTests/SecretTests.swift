import People
import Testing

@Suite("Secrets and passphrases") struct SecretTests {
    @Test("a secret is 43 characters of base64url, and read as it was written")
    func shape() throws {
        let secret = Secret.random()
        #expect(secret.text.utf8.count == 43 && secret.text != Secret.random().text)
        let read = try #require(Secret(text: secret.text))
        #expect(read.digest == secret.digest && read.digest.count == 32)
    }

    @Test(
        "a text of another shape is no secret",
        arguments: [
            "", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
            String(repeating: "A", count: 42) + "+", String(repeating: "A", count: 42) + "B",
            String(repeating: "é", count: 43), "' OR 1=1 --" + String(repeating: "A", count: 32),
        ])
    func otherShapes(text: String) {
        #expect(Secret(text: text) == nil)
    }

    @Test("a passphrase is stored with its cost, and salted")
    func stored() throws {
        let stored = try Passphrase.hash("correct horse battery")
        #expect(stored.hasPrefix("scrypt$32768$8$3$") && stored.split(separator: "$").count == 6)
        #expect(try Passphrase.hash("correct horse battery") != stored)
        #expect(Passphrase.matches("correct horse battery", stored))
        #expect(!Passphrase.matches("correct horse batterx", stored))
    }

    @Test("the same characters match however a keyboard composes them")
    func composition() throws {
        let stored = try Passphrase.hash("caf\u{E9} au lait!")
        #expect(Passphrase.matches("cafe\u{301} au lait!", stored))
    }

    @Test("a hash of another cost is read, and one of an unknown format or an absurd cost matches nothing")
    func otherCosts() {
        // RFC 7914, 12: scrypt ("pleaseletmein", "SodiumChloride", N=16384, r=8, p=1), its first 32 bytes.
        let published = "scrypt$16384$8$1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046_2o-7qQT44-qbVD9lRdofI"
        #expect(Passphrase.matches("pleaseletmein", published))
        #expect(!Passphrase.matches("pleaseletmeout", published))
        for stored in [
            "", "plain", "bcrypt$16384$8$1$AA$AA", "scrypt$1073741824$8$1$AA$AA", "scrypt$16$8$1$AA$AA",
        ] {
            #expect(!Passphrase.matches("pleaseletmein", stored))
        }
    }

    @Test("no passphrase matches the one that unknown names are compared with")
    func dummy() {
        #expect(!Passphrase.matches("correct horse battery", nil))
        #expect(!Passphrase.matches("correct horse battery", Passphrase.dummy()))
    }

    @Test("passphrases must have 12 characters and at most 1,000 bytes")
    func lengths() throws {
        #expect(throws: PeopleError.shortPassphrase) { try Passphrase.hash("elevenchars") }
        #expect(throws: PeopleError.longPassphrase) {
            try Passphrase.hash(String(repeating: "a", count: 1_001))
        }
    }
}
