import Testing

@testable import DeliveryModel

@Suite struct WebPushKeysTests {
    /// The keys of the example in RFC 8291, section 5.
    private static let point =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    private static func read(_ p256dh: String?, _ auth: String?) throws(WebPushKeys.Fault) -> WebPushKeys? {
        try .read(p256dh: p256dh, auth: auth)
    }

    @Test("both alphabets of base64 are read, with and without padding, and written as browsers do")
    func spellings() throws {
        let known = try #require(try Self.read(Self.point, Self.secret))
        let standard = Self.point.replacing("-", with: "+").replacing("_", with: "/")
        #expect(try Self.read(standard + "=", Self.secret + "==") == known)
        #expect([known.p256dh, known.auth] == [Self.point, Self.secret])
        #expect(known.bytes.count == 81)
        #expect(WebPushKeys(bytes: known.bytes) == known)
        #expect(WebPushKeys(bytes: Array(known.bytes.dropLast())) == nil)
    }

    @Test("a key of another length, without its partner, or off the curve is none")
    func faults() throws {
        #expect(try Self.read(nil, nil) == nil)
        #expect(throws: WebPushKeys.Fault.isIncomplete) { try Self.read(Self.point, nil) }
        #expect(throws: WebPushKeys.Fault.isIncomplete) { try Self.read(nil, Self.secret) }
        let offCurve = String(Self.point.dropLast(2)) + "AA"
        for point in ["", "=", "%%", "AAAA", Self.secret, offCurve, Self.point + "AAAA", Self.point + "=x"] {
            #expect(throws: WebPushKeys.Fault.notAPublicKey) { try Self.read(point, Self.secret) }
        }
        for secret in ["", "AAAA", Self.point, "BTBZMqHH6r4Tts7J_aSIgg=a"] {
            #expect(throws: WebPushKeys.Fault.notASecret) { try Self.read(Self.point, secret) }
        }
    }

    @Test(
        "the form of a value of FCM says which kind it is",
        arguments: [
            (TokenKind.fcm, "eVUzxxT7QsyqCbpSGhfz1b", TokenKind.fid), (.fid, "eVUzxxT7QsyqCbpSGhfz1b", .fid),
            (.fid, "eVUzxxT7QsyqCbpSGhfz1b:APA91bXy", .fcm), (.fcm, "eVUzxxT7QsyqCbpSGhfz1b:APA91bXy", .fcm),
            // Too long, the wrong first digit, another alphabet: what the app says counts.
            (.fcm, "eVUzxxT7QsyqCbpSGhfz1bx", .fcm), (.fcm, "AVUzxxT7QsyqCbpSGhfz1b", .fcm),
            (.fcm, "eVUzxxT7QsyqCbpSGhfz1é", .fcm), (.fid, "short", .fid),
            (.webPush, "https://a.example/x", .webPush), (.alert, "c1b2c3d4e5f6a7b8c9d0e1", .alert),
        ])
    func kinds(posted: TokenKind, value: String, kind: TokenKind) {
        #expect(posted.refined(byValue: value) == kind)
    }
}
