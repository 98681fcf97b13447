import Basics
import Testing

@testable import DeliveryModel

@Suite struct SlotRulesTests {
    private let now = Instant(millisecondsSinceEpoch: 1_795_424_400_000)

    private func place(_ provider: String, _ environment: Environment, _ topic: String) -> TokenPlace {
        TokenPlace(provider: provider, environment: environment, topic: topic)
    }

    @Test("only with APNs does the environment or the bundle id make another token of a value")
    func places() {
        let shop = place("apns", .production, "com.example.shop")
        #expect(shop.concerns(place("apns", .production, "com.example.shop.voip")))
        #expect(shop.concerns(place("apns", .production, "")))
        #expect(!shop.concerns(place("apns", .production, "com.example.other")))
        #expect(!shop.concerns(place("apns", .sandbox, "com.example.shop")))
        #expect(place("fcm", .production, "a").concerns(place("fcm", .production, "b")))
        #expect(place("fcm", .production, "a").concerns(place("expo", .production, "a")))
    }

    @Test(
        "a value keeps its place next to another only if both have returned, and for a month after it was registered"
    )
    func keeping() {
        func keeps(returned: Span?, other: Span?, registered: Span = .days(1), state: TokenState = .active)
            -> Bool
        {
            let holder = SlotHolder(
                tokenID: 1, kind: .alert, state: state, registeredAt: now - registered,
                returnedAt: returned.map { now - $0 })
            return TokenRules.keepsSlot(holder, besides: other.map { now - $0 }, at: now)
        }
        #expect(keeps(returned: .days(1), other: .days(1)))
        #expect(!keeps(returned: nil, other: .days(1)))
        #expect(!keeps(returned: .days(1), other: nil))
        #expect(!keeps(returned: .days(31), other: .days(1)))
        #expect(!keeps(returned: .days(1), other: .days(1), registered: .days(30)))
        #expect(!keeps(returned: .days(1), other: .days(1), state: .retired))
    }

    @Test("a value returns if its own installation registers it after another had replaced it")
    func returning() {
        var token = Token(tokenID: 1, state: .retired)
        token.cause = .rotated
        token.installationID = 7
        #expect(TokenRules.returnedAt(token, by: 7, at: now) == now)
        #expect(TokenRules.returnedAt(token, by: 8, at: now) == nil)
        token.cause = .unregistered
        #expect(TokenRules.returnedAt(token, by: 7, at: now) == nil)
        #expect(TokenRules.returnedAt(nil, by: 7, at: now) == nil)
    }

    @Test(
        "the kind follows from the push type and the suffix of the topic",
        arguments: [
            ("alert", "", .alert), ("", "com.a", .alert), ("background", "com.a", .alert),
            ("alert", "com.a.voip", .voip),
            ("voip", "com.a", .voip), ("liveactivity", "com.a", .liveActivityUpdate),
            ("widgets", "", .widget),
            ("unheard_of", "com.a.voip-ptt", .pushToTalk), ("unheard_of", "com.a", .other),
            ("fcm", "com.a", .other),
        ] as [(String, String, TokenKind)])
    func kinds(pushType: String, topic: String, kind: TokenKind) {
        #expect(TokenKind.inferred(provider: "apns", pushType: pushType, topic: topic) == kind)
    }

    @Test(
        "kinds are understood by their names, Apple's push types and providers",
        arguments: [
            ("huawei", .hms), ("Web-Push", .webPush), ("webpush", .webPush), ("gcm", .fcm),
            ("pushtotalk", .pushToTalk),
            ("LiveActivity", .liveActivityUpdate), ("apns", .alert), ("one_signal", .oneSignal),
            ("pigeon", nil), ("in_app", nil),
        ] as [(String, TokenKind?)])
    func names(word: String, kind: TokenKind?) {
        #expect(TokenKind(named: word) == kind)
    }
}
