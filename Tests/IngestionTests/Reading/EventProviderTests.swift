import DeliveryModel
import Foundation
import Testing

@testable import Ingestion

/// Plausible spellings of a provider, a status and an error.
struct EventProviderTests {
    private static func response(_ fields: String, token: String = "aa11") -> Result<Event, ItemRejection> {
        let item =
            #"{"type":"response","notification_id":"\#(EventReading.id)","sent_at":1771999999999,"#
            + #""token":"\#(token)",\#(fields)}"#
        return EventValidator(appID: 1, poster: .server, now: EventReading.now, taxonomy: taxonomy).decode(
            Array(item.utf8)[...])
    }

    private static func posted(_ fields: String, token: String = "aa11") throws -> ProviderResponse {
        guard case .response(let response) = try response(fields, token: token).get().content else {
            throw ItemRejection(.unknownType, "not a response")
        }
        return response
    }

    @Test(
        "case and common names of a provider are understood",
        arguments: [
            ("apns", "apns", Environment.production), ("APNS", "apns", .production),
            ("ios", "apns", .production), ("APNs", "apns", .production),
            ("apns_sandbox", "apns", .sandbox), ("APNS-Sandbox", "apns", .sandbox),
            ("gcm", "fcm", .production), ("Firebase", "fcm", .production), ("android", "fcm", .production),
            ("web-push", "webpush", .production), ("WebPush", "webpush", .production),
            ("huawei", "hms", .production), ("HMS", "hms", .production), ("Expo", "expo", .production),
            ("customer.io", "customerio", .production), ("in-app", "inapp", .production),
        ])
    func aliases(word: String, provider: String, environment: Environment) throws {
        let token = provider == "webpush" ? "https://push.example.com/sub/1" : "aa11"
        let response = try Self.posted(#""provider":"\#(word)","status":200"#, token: token)
        #expect(response.provider == provider && response.environment == environment)
        guard case .token(let address) = response.target else {
            Issue.record("it names a token")
            return
        }
        #expect(address.provider == TokenKind.issuer(ofTokensOf: provider))
        #expect(address.environment == environment)
    }

    @Test("an unknown provider is rejected with the list; the app may add its own")
    func unknown() throws {
        let rejection = try #require(Self.response(#""provider":"pigeon","status":200"#).rejection)
        #expect(rejection.code == .unknownProvider)
        #expect(rejection.detail.contains("apns, apns_broadcast, fcm, webpush, webpush_apple, hms, expo"))
        #expect(rejection.detail.contains("landfall app set providers"))
        let validator = EventValidator(
            appID: 1, poster: .server, now: EventReading.now, additionalProviders: ["pigeon"])
        let item =
            #"{"type":"response","notification_id":"\#(EventReading.id)","sent_at":1771999999999,"#
            + #""provider":"Pigeon","status":1,"device_id":"\#(EventReading.id)"}"#
        let event = try validator.decode(Array(item.utf8)[...]).get()
        guard case .response(let response) = event.content else { return }
        #expect(response.provider == "pigeon")
    }

    @Test("a provider name and a field that name different environments contradict each other")
    func contradiction() {
        #expect(
            Self.response(#""provider":"apns_sandbox","environment":"production","status":200"#).code
                == "invalid_field")
    }

    @Test(
        "a status may be text or the error's own; codes of HMS and Expo keep their meaning",
        arguments: [
            (#""provider":"apns","status":"200""#, 200, nil),
            (#""provider":"hms","status":80300007"#, 200, "80300007"),
            (#""provider":"hms","status":200,"reason":"80300007""#, 200, "80300007"),
            (#""provider":"hms","status":80300007,"reason":"All tokens are invalid""#, 200, "80300007"),
            (
                #""provider":"fcm","status":200,"error":{"code":404,"status":"NOT_FOUND"}"#, 404,
                "NOT_FOUND without FcmError"
            ),
            (#""provider":"hms","status":200,"error":{"code":"80300007","msg":"x"}"#, 200, "80300007"),
            (#""provider":"expo","status":"ok""#, 200, nil),
            (
                #""provider":"expo","status":"error","error":{"details":{"error":"DeviceNotRegistered"}}"#,
                200,
                "DeviceNotRegistered"
            ),
            (#""provider":"expo","status":"error""#, 200, "error"),
            (
                #""provider":"fcm","error":{"code":404,"status":"NOT_FOUND"}"#, 404,
                "NOT_FOUND without FcmError"
            ),
        ] as [(String, Int, String?)])
    func statuses(fields: String, status: Int, reason: String?) throws {
        let response = try Self.posted(fields)
        #expect(response.status == status && response.reason == reason)
    }

    @Test(
        "an invalid status is rejected",
        arguments: [
            #""provider":"apns""#, #""provider":"apns","status":"ok""#,
            #""provider":"apns","status":80300007"#,
            #""provider":"apns","status":-1"#, #""provider":"hms","status":3000000000"#,
            #""provider":"fcm","error":"text""#,
        ])
    func noStatus(fields: String) {
        #expect(Self.response(fields).code == "invalid_status")
    }

    private static let notToken = "INVALID_ARGUMENT+message not a valid FCM registration token"

    /// Part of the list.
    private static let taxonomy = RejectionTaxonomy(
        Dictionary(
            uniqueKeysWithValues: [
                "UNREGISTERED", "INVALID_ARGUMENT", "INVALID_ARGUMENT+BadRequest", notToken,
            ].map {
                (
                    RejectionTaxonomy.Key(provider: "fcm", status: "*", reason: $0),
                    ResponseOutcome(.rejected(.tokenSuspect), .suspect)
                )
            }))

    private static let unregistered =
        #"{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[{"@type":"#
        + #""type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}"#

    @Test("lists inside lists are read once each, however deep", .timeLimit(.minutes(1)))
    func nestedLists() throws {
        var results = #"{"error":"UNREGISTERED"}"#
        for _ in 0..<30 { results = #"{"results":[\#(results),{}]}"# }
        #expect(
            try Self.posted(#""provider":"fcm","status":404,"error":\#(results)"#).reason == "UNREGISTERED")
        let mixed = results.replacing("{}", with: #"{"success":true}"#)
        #expect(
            try Self.posted(#""provider":"fcm","status":200,"error":\#(mixed)"#).reason == "several results")
    }

    @Test("a long run of letters in a reason is read at once", .timeLimit(.minutes(1)))
    func longReason() throws {
        let letters = String(repeating: "a-b_", count: 15_000)
        let reason = try Self.posted(#""provider":"fcm","status":500,"reason":"\#(letters)""#).reason
        #expect(reason == "[token]")
    }

    @Test("a provider's error is read unchanged, as an object or as text")
    func errors() throws {
        func reason(_ provider: String, _ error: String) throws -> String? {
            try Self.posted(#""provider":"\#(provider)","status":400,"reason":"NOT_FOUND","error":\#(error)"#)
                .reason
        }
        let text = Self.unregistered.replacing("\"", with: "\\\"")
        #expect(try reason("fcm", Self.unregistered) == "UNREGISTERED")
        #expect(try reason("fcm", #"{"error":\#(Self.unregistered)}"#) == "UNREGISTERED")
        #expect(try reason("fcm", "\"\(text)\"") == "UNREGISTERED")
        #expect(
            try reason(
                "fcm",
                #"{"code":400,"status":"INVALID_ARGUMENT","details":[{"errorCode":"INVALID_ARGUMENT"},{"fieldViolations":[{"field":"message.token"}]}]}"#
            ) == Self.notToken)
        #expect(
            try reason(
                "fcm",
                #"{"code":400,"status":"INVALID_ARGUMENT","details":[{"fieldViolations":[{"field":"message.data"}]}]}"#
            ) == "INVALID_ARGUMENT+BadRequest")
        let node = #"{"code":"messaging/registration-token-not-registered","message":"x"}"#
        #expect(try reason("fcm", node) == "messaging/registration-token-not-registered")
        #expect(
            try reason("fcm", #"{"errorInfo":\#(node),"codePrefix":"messaging"}"#)
                == "messaging/registration-token-not-registered")
        #expect(
            try reason("expo", #"{"data":{"status":"error","details":{"error":"DeviceNotRegistered"}}}"#)
                == "DeviceNotRegistered")
        #expect(try reason("apns", #"{"reason":"Unregistered","timestamp":1771990000000}"#) == "Unregistered")
        #expect(try reason("apns", #""{\"reason\":\"BadDeviceToken\"}""#) == "BadDeviceToken")
        #expect(
            try reason("webpush", #""push subscription has unsubscribed or expired.\nmore""#)
                == "push subscription has unsubscribed or expired.")
        #expect(try reason("webpush", #"{"code":410,"errno":106,"error":"Gone","message":"x"}"#) == "Gone")
        #expect(
            try reason("expo", #"[{"errors":[{"code":"PUSH_TOO_MANY_EXPERIENCE_IDS"}]}]"#)
                == "PUSH_TOO_MANY_EXPERIENCE_IDS")
        #expect(
            try reason("apns", "{}") == "NOT_FOUND", "an error that says nothing leaves the reason as it is")
    }

    @Test("the timestamp in an APNs body counts like the field, in milliseconds")
    func timestamp() throws {
        let body = #""provider":"apns","status":410,"error":{"reason":"Unregistered","timestamp":"#
        #expect(
            try Self.posted("\(body)1771990000000}").facts.invalidSince?.millisecondsSinceEpoch
                == 1_771_990_000_000
        )
        #expect(try Self.posted("\(body)0}").facts.invalidSince == nil)
        // Some libraries make seconds of it.
        for seconds in ["1771990000", "\"1771990000\"", "1771990000.0"] {
            #expect(
                try Self.posted("\(body)\(seconds)}").facts.invalidSince?.millisecondsSinceEpoch
                    == 1_771_990_000_000)
        }
        #expect(
            try Self.posted("\(body)\"1771990000000\"}").facts.invalidSince?.millisecondsSinceEpoch
                == 1_771_990_000_000)
        #expect(try Self.posted("\(body)null}").facts.invalidSince == nil)
        for zero in ["0", #""0001-01-01T00:00:00Z""#] {
            #expect(
                try Self.posted(#""provider":"apns","status":410,"timestamp":\#(zero)"#).facts.invalidSince
                    == nil)
        }
        let wrong = try Self.response(#""provider":"apns","status":410,"timestamp":793682800"#).get()
        #expect(wrong.warnings == .unreadField(PostedField.timestamp.rawValue))
    }

    @Test(
        "the timestamp in what a library prints counts, too",
        arguments: [
            #"["Unregistered",1771990000000]"#, #"["Unregistered","1771990000"]"#,
            #""('Unregistered', 1771990000)""#, #""Unregistered(1771990000000)""#,
            #""b'{\"reason\":\"Unregistered\",\"timestamp\":1771990000000}'""#,
            #""{'reason': 'Unregistered', 'timestamp': 1771990000000}""#,
            #""{\"reason\"=>\"Unregistered\", \"timestamp\"=>1771990000000}""#,
            #""Error(Body { reason: Unregistered, timestamp: Some(1771990000000) })""#,
            #""Result(description='Unregistered', timestamp=1771990000000)""#,
            #""Unregistered; the token is invalid as of 2026-02-25T03:26:40Z""#,
        ])
    func printedTimestamps(error: String) throws {
        for field in ["error", "reason"] where field == "error" || error.hasPrefix("\"") {
            let response = try Self.posted(#""provider":"apns","status":410,"\#(field)":\#(error)"#)
            #expect(response.facts.invalidSince?.millisecondsSinceEpoch == 1_771_990_000_000, "\(field)")
        }
    }

    @Test("push types have Apple's spelling; others are kept as they are")
    func pushTypes() throws {
        for (word, type) in [
            ("Alert", "alert"), ("LIVE_ACTIVITY", "liveactivity"), ("push-to-talk", "pushtotalk"),
            ("Teaser", "Teaser"), ("", "alert"),
        ] {
            let response = try Self.posted(#""provider":"apns","status":200,"push_type":"\#(word)""#)
            #expect(response.pushType == type)
        }
    }

    @Test("a rejection of a malformed token is an attempt without a token; an acceptance of one is an error")
    func malformed() throws {
        let rejected = #""provider":"apns","status":400,"reason":"BadDeviceToken""#
        #expect(try Self.posted(rejected, token: "not hex").target == nil)
        #expect(Self.response(#""provider":"apns","status":200"#, token: "not hex").code == "invalid_token")
        #expect(Self.response(#""provider":"apns","status":503"#, token: "not hex").code == "invalid_token")
        #expect(
            try Self.posted(#""provider":"fcm","status":404,"token_malformed":true"#, token: "a b").target
                == nil)
        let item =
            #"{"type":"response","notification_id":"\#(EventReading.id)","sent_at":1771999999999,"#
            + #""provider":"apns","status":400,"token_malformed":true}"#
        #expect(EventReading.decoded(item).isEvent)
        let long = String(repeating: "a", count: 2_000)
        #expect(try Self.posted(rejected, token: long).target == nil)
        #expect(Self.response(#""provider":"apns","status":200"#, token: long).code == "too_long")
        #expect(
            Self.response(#""provider":"apns","status":200,"token_malformed":true"#).code == "invalid_field")
    }

    @Test("a message whose token is malformed is identified by its device")
    func malformedOfMessage() throws {
        let device = UUID()
        func message(_ fields: String) -> Result<Event, ItemRejection> {
            EventReading.decoded(
                #"{"type":"response","message_id":"\#(EventReading.id)","sent_at":1771999999999,"provider":"apns","#
                    + #""status":400,"reason":"BadDeviceToken","token":"no hex",\#(fields)}"#)
        }
        let rejection = try #require(message(#""device_id":"\#(device)""#).rejection)
        #expect(
            rejection.code == .invalidToken
                && rejection.detail.contains("token_malformed: true, and device_id"))
        let event = try message(#""device_id":"\#(device)","token_malformed":true"#).get()
        #expect(event.name == .message(try #require(UUID(uuidString: EventReading.id)), deviceID: device))
        guard case .response(let response) = event.content else { return }
        #expect(response.target == .device(device))
        #expect(message(#""token_malformed":true"#).rejection?.code == .missingToken)
    }

    @Test("a device event without its time is timed by its receipt, and its sender is warned")
    func receipt() throws {
        let event = try EventReading.decoded("\(EventReading.arrival)}").get()
        let report = try #require(event.report)
        #expect(report.occurredAt == EventReading.now && report.isTimedByReceipt)
        #expect(event.warnings == .noOccurredAt)
        let told = try EventReading.arrival(#""occurred_at":1771999999000"#).get()
        #expect(try !#require(told.report).isTimedByReceipt && told.warnings.isEmpty)
    }

    @Test(
        "an id made more than a day before the push is recorded with a warning",
        arguments: [("019c8d8ae000", false), ("019c88646c00", true)])
    func plannedID(time: String, isWarned: Bool) throws {
        let id = "\(time.prefix(8))-\(time.suffix(4))-7000-8000-000000000001"
        let idTime = try #require(UUID(uuidString: id)?.versionSevenInstant)
        let sentAt = try #require(Instant(rfc3339: "2026-02-24T12:00:00Z"))
        #expect((sentAt - idTime > .days(1)) == isWarned)
        let event = try EventReading.decoded(
            #"{"type":"response","notification_id":"\#(id)","sent_at":\#(sentAt.millisecondsSinceEpoch),"#
                + #""provider":"apns","status":200,"token":"aa11"}"#
        ).get()
        #expect(event.warnings.contains(.idOlderThanSentAt) == isWarned)
    }

    @Test("codes and details of warnings need no escapes in JSON")
    func warnings() {
        for (_, code, detail) in ItemWarnings.all {
            #expect(!(code + detail).contains { $0 == "\"" || $0 == "\\" || $0.isNewline })
        }
    }
}
