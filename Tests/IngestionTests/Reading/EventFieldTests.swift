import DeliveryModel
import Foundation
import Testing

@testable import Ingestion

struct EventFieldTests {
    @Test(
        "a known field given twice is ambiguous, whatever it holds, and is rejected",
        arguments: PostedField.allCases)
    func givenTwice(field: PostedField) {
        for (first, second) in [("null", "null"), ("\"x\"", "\"x\""), ("null", "1"), ("1", "[]")] {
            let item = #"{"\#(field.name)":\#(first),"zz":0,"\#(field.name)":\#(second)}"#
            #expect(
                EventReading.decoded(item).rejection
                    == ItemRejection(.invalidJSON, "\(field.name) is given twice"))
        }
    }

    @Test("the name of a field is that of its case, in snake case")
    func names() {
        #expect(PostedField.names.count == PostedField.allCases.count)
        for field in PostedField.allCases {
            let words = "\(field)".replacing(/[A-Z]+/) { "_\($0.output.lowercased())" }
            #expect(field.name == words)
        }
    }

    @Test("null counts as absent, for every field")
    func nulls() throws {
        let nulls = PostedField.allCases.map { #""\#($0.name)":null"# }.joined(separator: ",")
        #expect(EventReading.decoded("{\(nulls)}").rejection == EventReading.decoded("{}").rejection)
        #expect(EventReading.arrival(#""occurred_at":null,"device_id":null,"source": null"#).isEvent)
    }

    /// Values that the field cannot have.
    private static func wrong(_ field: PostedField) -> [String] {
        switch field {
        case .status: ["true", "\"\"", "[]", "{}", "1.5"]
        case .dropped: ["true", "\"2 00\"", "\"+200\"", "\"two\"", "\"\"", "[]", "{}"]
        case .priority: ["true", "[]", "{}", "1.5"]
        case .mutableContent, .contentAvailable, .final, .tokenMalformed, .hasText, .shared:
            ["2", "\"maybe\"", "[]", "{}"]
        case .sentAt, .timestamp, .expiresAt, .occurredAt, .reportedAt:
            ["false", "\"soon\"", "[]", "{}", "1772"]
        case .error, .reason: ["false", "NaN"]
        case .type, .notificationID, .messageID, .provider, .token, .deviceID, .receipt:
            ["1.5", "false", "[]", "{}"]
        default: ["false", "[\"x\"]", "{\"a\":1}"]
        }
    }

    @Test(
        "a main field of the wrong type is its error", arguments: PostedField.allCases.filter { !$0.isLabel })
    func wrongKinds(field: PostedField) {
        for value in Self.wrong(field) {
            #expect(
                EventReading.decoded(#"{"\#(field.name)":\#(value)}"#).rejection == field.misfit, "\(value)")
        }
    }

    @Test(
        "an item whose label cannot be read is recorded without it, with a warning that names it",
        arguments: PostedField.allCases.filter(\.isLabel))
    func labels(field: PostedField) throws {
        for value in Self.wrong(field) {
            let event = try EventReading.decoded("\(EventReading.arrival),\"\(field.name)\":\(value)}").get()
            #expect(event.warnings.unreadFields == [field.rawValue], "\(value)")
            let notes = event.warnings.notes.filter { $0.code == "unread_field" }
            #expect(notes.count == 1 && notes.allSatisfy { $0.detail.hasPrefix("\(field.name): ") })
        }
    }

    @Test("each wrong main field gets the code and detail of the contract")
    func details() {
        let expected: [(String, String, String)] = [
            ("type", "unknown_type", "type must be a string"),
            (
                "notification_id", "invalid_notification_id",
                "notification_id must be a text of 1 to 255 characters or a whole number"
            ),
            (
                "message_id", "invalid_field",
                "message_id must be a text of 1 to 255 characters or a whole number"
            ),
            ("status", "invalid_status", "status must be a whole number, 0 if the provider did not respond"),
            ("token", "invalid_token", "token must be a string"),
        ]
        for (name, code, detail) in expected {
            let rejection = EventReading.decoded(#"{"\#(name)":[]}"#).rejection
            #expect(rejection?.code.rawValue == code)
            #expect(rejection?.detail == detail)
        }
    }

    @Test("of several wrong fields the same one is named, in any order")
    func severalWrongFields() {
        let fields = PostedField.allCases.map { #""\#($0.name)":[]"# }
        #expect(EventReading.decoded("{\(fields.joined(separator: ","))}").code == "unknown_type")
        #expect(EventReading.decoded("{\(fields.reversed().joined(separator: ","))}").code == "unknown_type")
    }

    @Test("every known field is read into its place")
    func everyField() throws {
        for field in PostedField.allCases {
            #expect(PostedField(field.name) == field)
            let value =
                switch field {
                case .status, .priority, .dropped: "7"
                case .mutableContent, .contentAvailable, .final, .tokenMalformed, .hasText, .shared: "true"
                case .sentAt, .timestamp, .expiresAt, .occurredAt, .reportedAt: "1772000000000"
                default: "\"7\""
                }
            let posted = try EventReading.posted(#"{"\#(field.name)":\#(value)}"#)
            #expect(PostedValues(posted).byField.keys.map(\.self) == [field])
        }
    }

    @Test(
        "a UUID is 32 hex digits in any case and four hyphens in their places, nothing else",
        arguments: [
            ("6F9619FF-8b86-4011-B42D-00cf4fc964ff", true), ("6f9619ff8b864011b42d00cf4fc964ff", false),
            ("6f9619ff-8b86-4011-b42d-00cf4fc964f", false), ("6f9619ff-8b86-4011-b42d-00cf4fc964fff", false),
            ("{6f9619ff-8b86-4011-b42d-00cf4fc964ff}", false),
            ("6f9619ff-8b86-4011-b42d-00cf4fc964fg", false),
            ("6f9619ff-8b86-4011-b42d_00cf4fc964ff", false), ("+f9619ff-8b86-4011-b42d-00cf4fc964ff", false),
            (" f9619ff-8b86-4011-b42d-00cf4fc964ff", false), ("6f9619ff-8b86-4011-b42d-00cf4fc964é", false),
            ("", false),
        ])
    func uuids(text: String, isUUID: Bool) throws {
        let event = try EventReading.arrival(#""device_id":"\#(text)""#).get()
        #expect(event.report?.deviceID == (isUUID ? UUID(uuidString: text) : nil))
        #expect(event.warnings.unreadFields.isEmpty == isUUID)
    }

    @Test("strings are limited in characters, not bytes")
    func longStrings() throws {
        let longest = String(repeating: "語", count: 255)
        #expect(
            try EventReading.arrival(#""category":"\#(longest)""#).get().report?.facts.category == longest)
        #expect(try EventReading.arrival(#""category":"\#(longest)x""#).get().report?.facts.category == nil)
        #expect(
            EventReading.decoded(#"{"type":"arrival","notification_id":"\#(longest)x"}"#).code == "too_long")
    }

    @Test("a device event names the version of its app, or none")
    func appVersion() throws {
        for (fields, expected) in [
            (#""app_version":"7.1.0""#, "7.1.0"), (#""app_version":"""#, nil), (#""app_version":null"#, nil),
        ] {
            let report = try #require(try EventReading.arrival(fields).get().report)
            #expect(report.appVersion == expected)
        }
        let longest = String(repeating: "7", count: 255)
        #expect(EventReading.arrival(#""app_version":"\#(longest)""#).isEvent)
        for (fields, expected) in [
            (#""app_version":"\#(longest)7""#, nil), (#""app_version":"7\u0000""#, nil),
            (#""app_version":7.1"#, "7.1"), (#""app_version":" 7.1 ""#, "7.1"),
        ] {
            #expect(try EventReading.arrival(fields).get().report?.appVersion == expected)
        }
    }

    @Test(
        "evidence, outcome and app_state are words of a list, in the events that have them",
        arguments: [
            ("arrival", #""evidence":"centre""#, true), ("arrival", #""evidence":"center""#, true),
            ("arrival", #""evidence":"Extension""#, true),
            ("arrival", #""evidence":"guess""#, false),
            ("arrival", #""evidence":"""#, true), ("arrival", #""evidence":null"#, true),
            ("arrival", #""app_state":"anything""#, true), ("click", #""app_state":"terminated""#, true),
            ("click", #""app_state":"killed""#, false), ("click", #""evidence":"anything""#, true),
            ("arrival", #""outcome":"expired""#, true), ("arrival", #""outcome":"timeout""#, false),
            ("arrival", #""outcome":"ok""#, true), ("click", #""outcome":"anything""#, true),
        ])
    func words(type: String, fields: String, isRead: Bool) throws {
        let id = "018f3c2a-0000-4000-8000-000000000001"
        let event = try EventReading.decoded(#"{"type":"\#(type)","notification_id":"\#(id)",\#(fields)}"#)
            .get()
        #expect(event.warnings.contains(.unreadField) != isRead)
        // It is confirmed, but not as reported by the extension.
        if fields.contains("guess") { #expect(event.report?.bit == .witnessed) }
    }

    @Test("only a server may say that the provider reported the delivery")
    func providersEvidence() throws {
        let item = Array("\(EventReading.arrival),\"evidence\":\"Provider\"}".utf8)
        let device = EventValidator(appID: 1, poster: .device, now: EventReading.now)
        #expect(device.decode(item[...]).code == "forbidden_evidence")
        #expect(try EventReading.decoded(item).get().report?.evidence == .provider)
    }

    @Test("an arrival says how the run of the extension ended, if not well")
    func outcome() throws {
        for (fields, expected) in [
            (#""outcome":"expired""#, .expired), (#""outcome":"attachment_failed""#, .attachmentFailed),
            (#""outcome":"ok""#, nil), (#""outcome":"""#, nil), (#""kit":"0.1.0""#, nil),
        ] as [(String, DeviceReport.ExtensionOutcome?)] {
            #expect(try EventReading.arrival(fields).get().report?.facts.extensionOutcome == expected)
        }
    }

    @Test("shared and dropped tell of trouble on the device")
    func troubles() throws {
        let report = try #require(try EventReading.arrival(#""shared":false,"dropped":12"#).get().report)
        #expect(report.isUnshared && report.droppedEvents == 12)
        let sound = try #require(try EventReading.arrival(#""shared":true,"dropped":0"#).get().report)
        #expect(!sound.isUnshared && sound.droppedEvents == 0)
        for fields in [
            #""shared":"no""#, #""dropped":-1"#, #""dropped":1000001"#, #""dropped":1.5"#,
        ] {
            let report = try #require(try EventReading.arrival(fields).get().report)
            #expect(!report.isUnshared && report.droppedEvents == 0)
        }
    }

    @Test("a clock that is more than five minutes off counts as such, in either direction")
    func clocks() throws {
        for (minutes, isOff) in [(-6, true), (-4, false), (0, false), (4, false), (6, true), (1_440, true)] {
            let reported = EventReading.now.millisecondsSinceEpoch + Int64(minutes) * 60_000
            let report = try EventReading.arrival(#""reported_at":\#(reported),"occurred_at":\#(reported)"#)
                .get().report
            #expect(report?.isClockOff == isOff)
        }
    }

    @Test("facts of another kind of event are ignored")
    func otherFacts() throws {
        let fields =
            #""expires_at":1772000000000,"sender":"a","provider_id":"b","content_available":1,"collapse_id":"c","action":"d","has_text":true"#
        #expect(
            try EventReading.arrival(fields).get()
                == EventReading.decoded("\(EventReading.arrival)}").get())
    }

    @Test("the names of fields are compared in full, however long they are")
    func longNames() {
        #expect(PostedField("content_available") == .contentAvailable)
        for name in ["xontent_available", "content_availablf", "content_availabl", "content_available_"] {
            #expect(PostedField(name) == nil)
        }
    }

    @Test(
        "a warning about a fact of a response says what the field must be",
        arguments: [
            (#""expires_at":1772000000"#, "expires_at must be an RFC 3339 instant"),
            (
                #""sender":"\#(String(repeating: "x", count: 65))""#,
                "sender must be a text of at most 64 characters"
            ),
            (#""provider_id":["a"]"#, "provider_id must be a text of at most 255 characters"),
            (#""content_available":2"#, "content_available must be true or false"),
        ])
    func fixes(fields: String, fix: String) throws {
        let notes = try EventReading.arrival(fields).get().warnings.notes
        #expect(notes.contains { $0.code == "unread_field" && $0.detail.contains(fix) }, "\(notes)")
    }

    @Test("an event is timed by its receipt if its time is impossible, and marked")
    func impossibleTimes() throws {
        let now = EventReading.now.millisecondsSinceEpoch
        for (fields, warning) in [
            (#""occurred_at":\#(now + 72_000_000),"reported_at":\#(now)"#, ItemWarnings.impossibleTime),
            (#""occurred_at":\#(now + 1)"#, .impossibleTime),
            (#""occurred_at":"2571-02-29T10:00:00Z""#, .unreadField(PostedField.occurredAt.rawValue)),
            (#""occurred_at":"٢٠٢٦-٠٢-٢٥T10:00:00Z""#, .unreadField(PostedField.occurredAt.rawValue)),
            (#""occurred_at":17719999"#, .unreadField(PostedField.occurredAt.rawValue)),
        ] {
            let event = try EventReading.arrival(fields).get()
            #expect(event.report?.occurredAt == EventReading.now && event.report?.isTimedByReceipt == true)
            #expect(event.warnings == warning, "\(fields)")
        }
    }

    @Test("an event long before its push was sent is timed by its receipt; clocks may differ by minutes")
    func beforeSending() throws {
        let sentAt = EventReading.now - .hours(1)
        for (before, isTimed) in [(Span.minutes(4), false), (.minutes(6), true), (.hours(20), true)] {
            let event = try EventReading.arrival(
                #""sent_at":\#(sentAt.millisecondsSinceEpoch),"occurred_at":\#((sentAt - before).millisecondsSinceEpoch)"#
            ).get()
            #expect(
                event.report?.isTimedByReceipt == isTimed
                    && event.warnings.contains(.impossibleTime) == isTimed)
        }
    }

    @Test("fractions of a millisecond are dropped")
    func fractions() throws {
        for text in ["1771999999000.25", "1771999999000.9999"] {
            let report = try EventReading.arrival(#""occurred_at":\#(text)"#).get().report
            #expect(report?.occurredAt == Instant(millisecondsSinceEpoch: 1_771_999_999_000))
        }
    }

    @Test("an item that was received before the retention is timed by its receipt when it is posted again")
    func receivedLongAgo() throws {
        let receivedAt = EventReading.now - .days(40)
        let validator = EventValidator(
            appID: 1, poster: .device, now: EventReading.now, receivedAt: receivedAt, retention: .days(30))
        let occurredAt = (receivedAt - .hours(1)).millisecondsSinceEpoch
        let item = "\(EventReading.arrival),\"occurred_at\":\(occurredAt)}"
        let report = try #require(try validator.decode(Array(item.utf8)[...]).get().report)
        #expect(report.occurredAt == receivedAt && report.isTimedByReceipt)
    }

    @Test("a clock that an upload alone explains moves no time")
    func uploads() throws {
        let began = EventReading.now - .seconds(12)
        let validator = EventValidator(appID: 1, poster: .device, now: EventReading.now, uploadedFrom: began)
        // The device's clock at the upload, and the time of an event half a second before it.
        for (reported, expected) in [(100, -400), (11_000, 10_500), (-60_000, -500), (72_000, 11_500)]
            as [(Int64, Int64)]
        {
            let reportedAt = (began + Span(milliseconds: reported)).millisecondsSinceEpoch
            let item =
                "\(EventReading.arrival),\"reported_at\":\(reportedAt),\"occurred_at\":\(reportedAt - 500)}"
            let report = try validator.decode(Array(item.utf8)[...]).get().report
            #expect(report?.occurredAt == began + Span(milliseconds: expected), "\(reported)")
        }
    }

    @Test(
        "the providers' own spellings of a label are read",
        arguments: [
            ("1", true), ("0", false), (#""true""#, true), (#""false""#, false), (#""1""#, true),
            ("true", true),
        ])
    func claims(text: String, expected: Bool) throws {
        #expect(try EventReading.posted(#"{"mutable_content":\#(text)}"#).mutableContent == expected)
    }
}
