import DeliveryModel
import Testing

@testable import Ingestion

struct EventNumberTests {
    @Test(
        "a whole number is any text that denotes one exactly",
        arguments: [
            ("200", 200), ("200.0", 200), ("2e2", 200), ("2E+2", 200), ("2000e-1", 200), ("0.2e3", 200),
            ("20.00e1", 200), ("0", 0), ("-0", 0), ("-0.0e5", 0), ("0e999999999999999999999", 0), ("-7", -7),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("922337203685477580.7e1", .max), ("1e18", 1_000_000_000_000_000_000),
            // Beyond the whole numbers that a Double holds: not rounded.
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
        ])
    func whole(text: String, expected: Int) throws {
        #expect(try EventReading.posted(#"{"dropped":\#(text)}"#).dropped == expected)
        #expect(try EventReading.posted(#"{"dropped" : \#(text) }"#).dropped == expected)
        #expect(try EventReading.posted(#"{"priority":\#(text)}"#).priority == "\(expected)")
    }

    @Test(
        "anything but a whole number of 64 bits is the field's error, JSON or not",
        arguments: [
            "1.5", "15e-1", "1e-400", "1e400", "1e99999999999999999999", "9223372036854775808",
            "-9223372036854775809", "18446744073709551616", "100000000000000000000000000000", "1e19",
            "01", "-01", "+1", "-", ".5", "1.", "1.e2", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity",
            "true", "nul", "1a", #""1.0""#, #""-1""#, #""12345678901""#, "[1]", "{}",
        ])
    func notWhole(text: String) throws {
        #expect(try EventReading.posted(#"{"dropped":\#(text)}"#).unread.contains(.dropped))
        // A word may be that of a provider.
        guard !text.hasPrefix("\"") else { return }
        #expect(EventReading.arrival(#""status":\#(text)"#).code == "invalid_status")
    }

    @Test("in an unknown field, a value that is not JSON makes the item invalid")
    func unknownWords() {
        for text in ["01", "+1", "-", ".5", "1.", "1e", "0x10", "NaN", "nul", "True", "1a"] {
            #expect(EventReading.arrival(#""zz":\#(text)"#).code == "invalid_json", "\(text)")
        }
        for text in ["1.5", "1e400", "-0", "-1.25E-7", "123456789012345678901234567890", "null", "true"] {
            #expect(EventReading.arrival(#""zz":\#(text)"#).isEvent, "\(text)")
        }
    }

    @Test(
        "an instant is milliseconds or RFC 3339, within the years 2009 to 2199; a zero value (here: 0) counts as absent",
        arguments: [
            ("1772000000000", 1_772_000_000_000), ("1.772e12", 1_772_000_000_000),
            ("0", 0), ("-0", 0), ("-62135596800000", 0), (#""0001-01-01T00:00:00Z""#, 0),
            (#""1970-01-01T00:00:00Z""#, 0), ("-1", nil), ("1", nil), ("1772000000", nil),
            ("1772000000000000", nil), ("1230767999999", nil), ("1230768000000", 1_230_768_000_000),
            (#""2008-12-31T23:59:59Z""#, nil), (#""0001-01-01T00:00:01Z""#, nil),
            (#""2026-02-25T06:13:20Z""#, 1_772_000_000_000),
            (#""2026-02-25T07:13:20.000+01:00""#, 1_772_000_000_000),
            (#""2026\u002d02-25T06:13:20Z""#, 1_772_000_000_000),
            ("7258118399999", 7_258_118_399_999),
            ("-62135596800001", nil), ("7258118400000", nil), ("253402300799999", nil), ("1.5", nil),
            (#""2026-02-25""#, nil),
            (#""1772000000000""#, 1_772_000_000_000), (#""""#, nil), (#""2026-02-25T06:13:20""#, nil),
            ("false", nil),
        ] as [(String, Int64?)])
    func instants(text: String, expected: Int64?) throws {
        for field in ["sent_at", "timestamp", "expires_at", "occurred_at", "reported_at"] {
            let item = #"{"\#(field)":\#(text)}"#
            guard let expected else {
                // Some libraries make seconds of a provider's timestamp.
                guard field != "timestamp" || text != "1772000000" else { continue }
                #expect(try EventReading.posted(item).unread.contains(try #require(PostedField(field))))
                continue
            }
            let posted = try EventReading.posted(item)
            let instants =
                [posted.sentAt, posted.timestamp, posted.occurredAt, posted.reportedAt].map { $0?.instant }
                + [posted.facts.expiresAt]
            #expect(
                instants.compactMap { $0?.millisecondsSinceEpoch } == [expected].filter { $0 != 0 },
                "\(field)")
        }
    }
}

extension PostedField {
    init?(_ name: String) {
        guard let field = Array(name.utf8).withUnsafeBytes(PostedField.init(name:)) else { return nil }
        self = field
    }
}
