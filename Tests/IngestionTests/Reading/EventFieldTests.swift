import DeliveryModel
import Foundation
import Instants
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

    @Test("null counts as absent, for every field")
    func nulls() throws {
        let nulls = PostedField.allCases.map { #""\#($0.name)":null"# }.joined(separator: ",")
        #expect(EventReading.decoded("{\(nulls)}").rejection == EventReading.decoded("{}").rejection)
        #expect(EventReading.arrival(#""occurred_at":null,"device_id":null,"source": null"#).isEvent)
    }

    @Test("a value of the wrong type is the field's error", arguments: PostedField.allCases)
    func wrongKinds(field: PostedField) {
        let wrong =
            switch field {
            case .status, .priority, .dropped:
                ["true", "\"2 00\"", "\"+200\"", "\"two\"", "\"\"", "[]", "{}"]
            case .mutableContent, .final, .tokenMalformed, .hasText, .shared:
                ["1", "0", "\"true\"", "[]", "{}"]
            case .error: ["1.5", "false"]
            default: ["1.5", "false", "[\"x\"]", "{\"a\":1}"]
            }
        for value in wrong {
            #expect(
                EventReading.decoded(#"{"\#(field.name)":\#(value)}"#).rejection == field.misfit, "\(value)")
        }
    }

    @Test("each wrong field gets the code and detail of the contract")
    func details() {
        let expected: [(String, String, String)] = [
            ("type", "unknown_type", "type must be a string"),
            ("notification_id", "invalid_notification_id", "notification_id must be a UUID"),
            ("status", "invalid_status", "status must be a whole number, 0 if the provider did not respond"),
            ("token", "invalid_token", "token must be a string"),
            (
                "expires_at", "invalid_instant",
                "expires_at must be an RFC 3339 instant with a zone, or milliseconds (not seconds) since "
                    + "1970, in 2009 or later"
            ),
            ("priority", "invalid_field", "priority must be a whole number"),
            ("mutable_content", "invalid_field", "mutable_content must be true or false"),
            ("collapse_id", "invalid_field", "collapse_id must be a string"),
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
                case .mutableContent, .final, .tokenMalformed, .hasText, .shared: "true"
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
        let result = EventReading.decoded(
            #"{"type":"arrival","notification_id":"\#(text)","device_id":"\#(text)"}"#)
        guard isUUID else {
            #expect(result.code == "invalid_notification_id")
            #expect(EventReading.arrival(#""device_id":"\#(text)""#).code == "invalid_field")
            return
        }
        let event = try result.get()
        #expect(event.name == UUID(uuidString: text).map(NotificationName.notification))
        #expect(event.report?.deviceID == UUID(uuidString: text))
    }

    @Test("strings are limited in characters, not bytes")
    func longStrings() {
        let longest = String(repeating: "語", count: 255)
        #expect(EventReading.arrival(#""action":"\#(longest)""#).isEvent)
        let rejection = EventReading.arrival(#""action":"\#(longest)x""#).rejection
        #expect(rejection == ItemRejection(.tooLong, "action is longer than 255 characters"))
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
        #expect(EventReading.arrival(#""app_version":"\#(longest)7""#).code == "too_long")
        #expect(EventReading.arrival(#""app_version":"7\u0000""#).code == "invalid_field")
        #expect(EventReading.arrival(#""app_version":7.1"#).code == "invalid_field")
    }

    @Test(
        "evidence, outcome and app_state are words of a list, in the events that have them",
        arguments: [
            ("arrival", #""evidence":"centre""#, true), ("arrival", #""evidence":"center""#, false),
            ("arrival", #""evidence":"""#, true), ("arrival", #""evidence":null"#, true),
            ("arrival", #""app_state":"anything""#, true), ("click", #""app_state":"terminated""#, true),
            ("click", #""app_state":"killed""#, false), ("click", #""evidence":"anything""#, true),
            ("arrival", #""outcome":"expired""#, true), ("arrival", #""outcome":"timeout""#, false),
            ("arrival", #""outcome":"ok""#, true), ("click", #""outcome":"anything""#, true),
        ])
    func words(type: String, fields: String, isEvent: Bool) {
        let id = "018f3c2a-0000-4000-8000-000000000001"
        let result = EventReading.decoded(#"{"type":"\#(type)","notification_id":"\#(id)",\#(fields)}"#)
        #expect(result.isEvent == isEvent)
        if !isEvent { #expect(result.rejection?.detail.contains("must be one of") == true) }
    }

    @Test("an arrival says how the run of the extension ended, if not well")
    func outcome() throws {
        for (fields, expected) in [
            (#""outcome":"expired""#, .expired), (#""outcome":"attachment_failed""#, .attachmentFailed),
            (#""outcome":"ok""#, nil), (#""outcome":"""#, nil), (#""kit":"0.1.0""#, nil),
        ] as [(String, DeviceReport.ExtensionOutcome?)] {
            #expect(try EventReading.arrival(fields).get().report?.extensionOutcome == expected)
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
            #expect(EventReading.arrival(fields).code == "invalid_field")
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

    @Test("expires_at is validated in every event, and otherwise ignored")
    func expiresAt() throws {
        #expect(
            try EventReading.arrival(#""expires_at":0"#).get()
                == EventReading.decoded("\(EventReading.arrival)}").get())
        #expect(EventReading.arrival(#""expires_at":"tomorrow""#).code == "invalid_instant")
    }
}
