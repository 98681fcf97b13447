import DeliveryModel
import Testing

struct RejectionTaxonomyTests {
    private let taxonomy = RejectionTaxonomy([
        .init(provider: "apns", status: "410", reason: "Unregistered"): ResponseOutcome(
            .rejected(.tokenDead), .invalidateIfNotReregistered),
        .init(provider: "apns", status: "413", reason: "PayloadTooLarge"): ResponseOutcome(
            .rejected(.payloadError), .keep),
        .init(provider: "apns", status: "410", reason: "*"): ResponseOutcome(
            .rejected(.tokenDead), .invalidateIfNotReregistered),
        .init(provider: "apns", status: "5xx", reason: "*"): ResponseOutcome(
            .rejected(.providerError), .keep),
        .init(provider: "apns", status: "0", reason: "NO_RESPONSE"): ResponseOutcome(
            .rejected(.unknown), .keep),
        .init(provider: "apns", status: "*", reason: "*"): ResponseOutcome(.rejected(.unknown), .keep),
        .init(provider: "fcm", status: "*", reason: "UNSPECIFIED_ERROR"): ResponseOutcome(
            .rejected(.unknown), .keep),
    ])

    private func name(_ provider: String, _ status: Int, _ reason: String?) -> String {
        taxonomy.outcome(provider: provider, status: status, reason: reason).outcomeClass.name
    }

    @Test("the exact reason wins, then the status, then the range, then the rest")
    func order() {
        #expect(name("apns", 410, "Unregistered") == "token_dead")
        #expect(name("apns", 410, "InventedYesterday") == "token_dead")
        #expect(name("apns", 502, "BadGateway") == "provider_error")
        #expect(name("apns", 0, nil) == "unknown")
        #expect(name("apns", 418, "Teapot") == "unknown")
        #expect(name("fcm", 500, "UNSPECIFIED_ERROR") == "unknown")
    }

    @Test(
        "2xx without a word is an acceptance by every provider, unlisted ones included; with another word it is unknown"
    )
    func acceptance() {
        #expect(name("apns", 200, nil) == "accepted")
        #expect(name("homegrown", 204, nil) == "accepted")
        #expect(name("homegrown", 204, "fine") == "unknown")
    }

    @Test(
        "a word that is listed once means the same under every status; a status whose words mean the same needs none"
    )
    func unambiguous() {
        #expect(name("apns", 200, "Unregistered") == "token_dead")
        #expect(name("apns", 500, "Unregistered") == "token_dead")
        #expect(name("apns", 413, nil) == "payload_error")
        #expect(taxonomy.status(of: "PayloadTooLarge", by: "apns") == 413)
        #expect(taxonomy.status(of: "Teapot", by: "apns") == nil)
    }

    @Test(
        "words are found in any spelling and inside texts",
        arguments: [
            ("unregistered", "Unregistered"), ("UNREGISTERED", "Unregistered"),
            ("apns.Unregistered", "Unregistered"),
            ("payload_too_large", "PayloadTooLarge"), ("PayloadTooLargeError", "PayloadTooLarge"),
            ("APNSPayloadTooLarge", "PayloadTooLarge"), ("Teapot", nil), ("", nil),
        ] as [(String, String?)])
    func spellings(word: String, expected: String?) {
        #expect(taxonomy.spellings.listed(word, of: "apns") == expected)
        let sentence = "the provider said: \(word)."
        let isCode = ["PayloadTooLarge", "payload_too_large", "PayloadTooLargeError", "APNSPayloadTooLarge"]
            .contains(word)
        #expect(taxonomy.spellings.listed(inText: sentence, of: "apns") == (isCode ? expected : nil))
    }

    @Test("an unlisted response is unknown and harms no token")
    func unlisted() {
        let outcome = taxonomy.outcome(provider: "homegrown", status: 410, reason: "Gone")
        #expect(outcome.outcomeClass == .rejected(.unknown) && outcome.tokenVerdict == .keep)
        #expect(!outcome.isListed)
    }

    @Test(
        "a reason is listed if a row names it, or if no row under its status names any",
        arguments: [
            ("apns", 410, "Unregistered", true), ("apns", 410, nil, true),
            ("apns", 410, "unregistered", false), ("apns", 502, "BadGateway", true), ("apns", 0, nil, true),
            ("apns", 418, "Teapot", false), ("apns", 200, nil, true), ("homegrown", 500, "x", false),
        ] as [(String, Int, String?, Bool)])
    func listed(provider: String, status: Int, reason: String?, isListed: Bool) {
        #expect(taxonomy.outcome(provider: provider, status: status, reason: reason).isListed == isListed)
    }
}
