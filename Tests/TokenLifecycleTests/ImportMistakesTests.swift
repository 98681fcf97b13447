import DeliveryModel
import Foundation
import PostgresClient
import Synchronization
import TestDatabase
import Testing

@testable import TokenLifecycle

/// A mistake of a whole file is reported once, with the fix.
@Suite struct ImportMistakesTests {
    private let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private static let hex = String(repeating: "80f4d1a6", count: 8)

    private func table(_ bytes: [UInt8], defaults: ImportDefaults = ImportDefaults()) throws -> ImportTable {
        var pieces = [bytes]
        let reader = try TokenImportReader(defaults: defaults, now: now) { pieces.popLast() ?? [] }
        return try ImportTable(reader, isStopped: { false }, progress: { _ in })
    }

    /// Each mistake with the number of its lines and the first of them.
    private func mistakes(_ text: String, kind: TokenKind? = nil) throws -> [String] {
        var defaults = ImportDefaults()
        defaults.kind = kind
        return try table(Array(text.utf8), defaults: defaults).mistakes.map {
            "\($0.mistake.rawValue) \($0.lines) \($0.firstLine.map(String.init) ?? "-")"
        }
    }

    @Test(
        "times that are not milliseconds are reported by their unit or format",
        arguments: [
            ("1795424400", ImportMistake.seconds), ("1795424400.25", .seconds), ("1795424400,25", .seconds),
            ("1795424400000000", .microseconds), ("1795424400000000000", .nanoseconds),
            ("1.79543E+12", .roundedNumbers), ("1,79543E+12", .roundedNumbers),
            ("46352.39", .spreadsheetDates),
            ("46352,39", .spreadsheetDates), ("1,795,424,400,000", .groupedDigits),
            ("1.795.424.400.000", .groupedDigits),
            ("2026-03-01 09:30:00", .timesWithoutZone), ("2026-03-01T09:30", .timesWithoutZone),
            ("2026-03-01", .timesWithoutZone), ("01.03.2026 09:30", .localTimes), ("3/1/2026", .localTimes),
            ("Sun Mar 01 2026 10:00:00 GMT+0100 (CET)", .localTimes),
        ])
    func times(text: String, mistake: ImportMistake) throws {
        let lines = (0..<3).map { "aa0\($0);\"\(text)\"\n" }.joined()
        #expect(try mistakes("value;registered_at\n" + lines) == ["\(mistake.rawValue) 3 2"])
    }

    @Test("a fraction of a millisecond is cut off", arguments: ["1795424400000.5", "1795424400000,5"])
    func fraction(text: String) throws {
        let table = try table(Array("value;registered_at\naa01;\(text)\n".utf8))
        #expect(table.lines.map(\.registeredAt.millisecondsSinceEpoch) == [1_795_424_400_000])
        let json = try self.table(Array(#"{"value":"aa01","registered_at":1795424400000.5}"#.utf8))
        #expect(json.lines.map(\.registeredAt.millisecondsSinceEpoch) == [1_795_424_400_000])
    }

    @Test("a mistake is named once, and the right lines are read")
    func once() throws {
        let text = "value,registered_at\naa01,1795424400\naa02,1795424400000\naa03,1795424401\n"
        let table = try table(Array(text.utf8))
        #expect(table.lines.map(\.number) == [3])
        #expect(table.invalid.map(\.number) == [2, 4])
        #expect(
            table.mistakes.map { $0.sentence(at: "") } == [
                "registered_at is in seconds: multiply it by 1,000, or write it as 2026-03-01T09:30:00Z"
            ])
    }

    @Test("a file that is not text in UTF-8 is reported by its format")
    func foreign() {
        let text = "value,registered_at\naa01,1795424400000\n"
        let utf16 = Array(text.utf16)
        let little = utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let files: [([UInt8], ForeignFormat)] = [
            ([0xFF, 0xFE] + little, .utf16), ([0xFE, 0xFF] + big, .utf16), (little, .utf16), (big, .utf16),
            ([0x50, 0x4B, 3, 4, 20, 0], .workbook), ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], .oldWorkbook),
            ([0x1F, 0x8B, 8, 0], .gzip), (Array("<!DOCTYPE html>".utf8), .markup),
            (Array("PAR1".utf8), .parquet),
            (Array("value\0\0,topic".utf8), .binary),
        ]
        for (bytes, format) in files {
            #expect(throws: TokenImportError.foreign(format)) { try table(bytes) }
        }
        #expect(TokenImportError.foreign(.utf16).description.contains("iconv -f UTF-16"))
    }

    @Test(
        "a first line that does not name the column value is reported by its kind",
        arguments: [
            ("\(hex),1795424400000\n", TokenImportError.noHeader),
            ("token,created_at\n\(hex),1795424400000\n", .otherNameOfValue("token")),
            ("id;Device_Token;created\n", .otherNameOfValue("device_token")),
            ("\"value,registered_at\"\n\"aa01,1795424400000\"\n", .quotedLines),
            ("campaign,opens\nspring,12\n", .noValueColumn),
            ("{\n  \"value\": \"aa01\"\n}\n", .spreadJSON),
            ("\"{\\\"value\\\":\\\"aa01\\\"}\"\n", .quotedJSON),
        ])
    func header(text: String, error: TokenImportError) {
        #expect(throws: error) { try table(Array(text.utf8)) }
    }

    @Test("spreadsheets' declared separators and byte order marks are understood")
    func separators() throws {
        for start in ["\u{FEFF}", "sep=;\r\n", "\u{FEFF}sep=;\r\n"] {
            let table = try table(Array("\(start)value;registered_at\r\naa01;1795424400000\r\n".utf8))
            #expect(table.lines.count == 1, "\(start)")
            #expect(table.mistakes.isEmpty)
        }
    }

    @Test("text in Latin-1, repeated headers, and lines with more fields are named")
    func lines() throws {
        let start = Array("value,account,registered_at\naa01,J".utf8)
        let latin = start + [0xFC] + Array("rgen,1795424400000\n".utf8)
        #expect(try table(latin).mistakes.map(\.mistake) == [.notUTF8])
        let header = "value,registered_at\n"
        #expect(
            try mistakes("\(header)aa01,1795424400000\n\u{FEFF}\(header)aa02,1795424400000\n")
                == ["repeated_header 1 3"])
        #expect(try mistakes("\(header)aa01,1,795424400000\naa02,1,7\n") == ["field_count 2 2"])
        #expect(
            try mistakes(#"{"value":"aa01","registered_at":1795424400000},"#) == ["comma_after_object 1 1"])
    }

    @Test("words for a missing value are read as empty, and reported once")
    func nothing() throws {
        let text =
            "value,account,topic,registered_at\naa01,NULL,\\N,1795424400000\naa02,anna,(null),1795424400000\n"
        let table = try table(Array(text.utf8))
        #expect(table.lines.map(\.traits.account) == [nil, "anna"])
        #expect(table.lines.map(\.address.topic) == ["", ""])
        #expect(try mistakes(text) == ["words_for_nothing 2 2"])
    }

    @Test(
        "values of another kind are named, with the option that reads them",
        arguments: [
            ("cAPb5A3QTDi:APA91b" + String(repeating: "x", count: 134), ImportMistake.fcmValues),
            ("https://fcm.googleapis.com/fcm/send/abc", .webPushValues),
            ("gPTRpoD00aaA9NGmgPTRpoD00aaA9NGmgPTRpoD00aY=", .base64Values),
            ("ada@example.com", .contactValues), ("+49 30 123456", .contactValues),
            ("8.0541E+63", .roundedNumbers),
            ("'\(hex)", .quotedValues), (#"{"token":"80f4"}"#, .jsonValues),
        ])
    func values(value: String, mistake: ImportMistake) throws {
        let text = "value|registered_at\n\(value)|1795424400000\n".replacing("|", with: "\t")
            .replacing("{\"token\":\"80f4\"}", with: "\"{\"\"token\"\":\"\"80f4\"\"}\"")
        #expect(try mistakes(text) == ["\(mistake.rawValue) 1 2"])
    }

    @Test("values that a column cut off are found by their common length", arguments: [255, 500])
    func cut(width: Int) throws {
        func endpoint(_ number: Int, _ length: Int) -> String {
            let start = "https://updates.push.services.mozilla.com/wpush/v2/\(number)"
            return start + String(repeating: "A", count: length - start.utf8.count)
        }
        let cut = (0..<12).map { endpoint($0 < 3 ? 0 : $0, width) }
        let whole = (12..<20).map { endpoint($0, width - 20 - $0) }
        let lines = (cut + whole).map { "\($0),1795424400000\n" }
        let text = "value,registered_at\n" + lines.joined()
        var defaults = ImportDefaults()
        defaults.kind = .webPush
        let found = try table(Array(text.utf8), defaults: defaults).mistakes
        #expect(found.map(\.mistake) == [.cutValues])
        #expect(found.first?.lines == 12)
        #expect(found.first?.sentence(at: "").contains("\(width) characters (2 repeat another)") == true)
    }

    @Test("tokens that have one length by nature are not called cut off")
    func natural() throws {
        let apns = (0..<50).map { "\(String(format: "%064x", $0)),1795424400000\n" }.joined()
        #expect(try mistakes("value,registered_at\n" + apns) == [])
        let fcm = (0..<50).map {
            "\(String(format: "c%010d:APA91b", $0))\(String(repeating: "x", count: 134)),1795424400000\n"
        }
        #expect(try mistakes("value,registered_at\n" + fcm.joined(), kind: .fcm) == [])
    }

    @Test("one value on many devices is named")
    func shared() throws {
        let lines = (0..<12).map { _ in "\(Self.hex),1795424400000,\(UUID())\n" }
        #expect(try mistakes("value,registered_at,device_id\n" + lines.joined()) == ["shared_values 12 2"])
    }

    @Test("a column that often marks unused tokens is reported, in CSV and in JSON")
    func disuse() throws {
        let csv = "value,invalid_identifier,registered_at\naa01,t,1795424400000\n"
        #expect(try mistakes(csv) == ["unread_column 0 -"])
        let json = #"{"value":"aa01","invalid_identifier":true,"registered_at":1795424400000}"#
        let found = try table(Array(json.utf8)).mistakes
        #expect(found.map { $0.sentence(at: "") }.first?.contains("invalid_identifier") == true)
        #expect(try mistakes("value,note,registered_at\naa01,x,1795424400000\n") == [])
    }

    @Test("no sentence about a file quotes a token")
    func secrecy() throws {
        let text = "value,registered_at\n" + (0..<12).map { _ in "\(Self.hex),1795424400\n" }.joined()
        for mistake in try table(Array(text.utf8)).mistakes {
            #expect(!mistake.sentence(at: "").contains(Self.hex))
        }
    }
}
