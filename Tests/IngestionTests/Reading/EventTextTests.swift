import DeliveryModel
import Testing

@testable import Ingestion

struct EventTextTests {
    /// Read from a field that is no name: names get their canonical form.
    private func reason(_ bytes: [UInt8]) -> Result<String?, ItemRejection> {
        let item = Array(#"{"reason":""#.utf8) + bytes + Array(#""}"#.utf8)
        return Result { () throws(ItemRejection) in try EventReading.posted(item).reason }
    }

    @Test(
        "strings mean what RFC 8259 says, at every length",
        arguments: [
            (#""#, ""), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"caf\u00e9"#, "café"),
            (#"\u00E9 and \u20ac, \ud83d\uDE00!"#, "é and €, 😀!"), ("é€😀", "é€😀"), ("\u{7F}", "\u{7F}"),
            ("{[,:]}/* no */ 'x'", "{[,:]}/* no */ 'x'"), (#"\uFEFF\uffff"#, "\u{FEFF}\u{FFFF}"),
        ])
    func strings(text: String, expected: String) {
        for length in 0..<20 {
            let filler = String(repeating: "x", count: length)
            #expect(reason(Array((filler + text + filler).utf8)) == .success(filler + expected + filler))
        }
    }

    @Test("escaped names are the names they spell")
    func escapedNames() throws {
        let item = #"{"\u0074ype":"click","notification\u005Fid":"\#(EventReading.id)"}"#
        let event = try EventReading.decoded(item).get()
        #expect(event.report?.kind == .click)
        #expect(EventReading.arrival(#""t\u0079pe":"click""#).code == "invalid_json")
    }

    @Test("names are compared byte by byte: by neither case, composition nor parts")
    func otherNames() throws {
        let item = #"{"Type":1,"typ":1,"types":1,"type\u0000":1,"":1,"ty\u0301pe":1,"notification_idx":1}"#
        #expect(try EventReading.posted(item).type == nil)
    }

    @Test("U+0000 is the field's error: PostgreSQL has no text for it; other escaped controls are text")
    func escapedNUL() throws {
        #expect(try EventReading.arrival(#""category":"a\u0000b""#).get().report?.facts.category == nil)
        let other = EventReading.decoded(#"{"type":"arri\u0000val","notification_id":"\#(EventReading.id)"}"#)
        #expect(other.rejection?.detail == "type contains a NUL character")
        #expect(try EventReading.posted(#"{"action":"\u0001"}"#).facts.action == "\u{1}")
        #expect(EventReading.arrival(#""zz":"\u0000""#).isEvent)
        #expect(
            try EventReading.arrival(#""occurred_at":"2026-02-25T06:13:20Z\u0000""#).get().report?
                .isTimedByReceipt == true)
        let response =
            #"{"type":"response","notification_id":"\#(EventReading.id)","provider":"fcm","status":200,"#
        #expect(EventReading.decoded(response + #""sent_at":1771999999999,"token":"a"}"#).isEvent)
        #expect(
            EventReading.decoded(response + #""sent_at":1771999999999,"token":"a\u0000b"}"#).code
                == "invalid_token")
    }

    @Test(
        "raw control characters are invalid JSON, in values, names and unknown fields",
        arguments: UInt8(0)..<0x20)
    func rawControls(control: UInt8) {
        for length in [0, 3, 9] {
            let filler = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            #expect(reason(filler + [control] + filler) == .failure(.malformed))
            let unknown = Array("\(EventReading.arrival),\"zz".utf8) + filler
            #expect(EventReading.decoded(unknown + [control] + Array(#"":1}"#.utf8)).code == "invalid_json")
            #expect(
                EventReading.decoded(unknown + Array(#"":""#.utf8) + [control] + Array(#""}"#.utf8)).code
                    == "invalid_json")
        }
    }

    @Test(
        "half a surrogate pair, a wrong order or an unknown escape is invalid JSON, in known and unknown fields",
        arguments: [
            #"\ud83d"#, #"\ude00"#, #"\ude00\ud83d"#, #"\ud83d\ud83d"#, #"\ud83dx"#, #"\ud83d\n"#,
            #"\ud83d\u0041"#,
            #"\u12"#, #"\u12g4"#, #"\u"#, #"\x41"#, #"\'"#, #"\0"#, #"\U0041"#, #"\"#,
        ])
    func badEscapes(text: String) {
        #expect(EventReading.arrival(#""campaign":"\#(text)""#).code == "invalid_json")
        #expect(EventReading.arrival(#""zz":"\#(text)""#).code == "invalid_json")
        #expect(EventReading.arrival(#""\#(text)":1"#).code == "invalid_json")
    }

    @Test(
        "bytes that are not UTF-8 are invalid JSON: overlong, surrogates, beyond U+10FFFF, truncated",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xE9],
        ] as [[UInt8]])
    func badUTF8(bytes: [UInt8]) {
        #expect(String(validating: bytes, as: UTF8.self) == nil)
        for prefix in ["", "0123456", #"\n"#] {
            #expect(reason(Array(prefix.utf8) + bytes) == .failure(.malformed))
            let unknown = Array(#"{"zz":""#.utf8) + Array(prefix.utf8) + bytes + Array(#""}"#.utf8)
            #expect(throws: ItemRejection.malformed) { try EventReading.posted(unknown) }
        }
    }

    @Test("every character of Unicode is read as it was written")
    func everyScalar() {
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            #expect(reason(Array(text.utf8)) == .success(text))
        }
    }
}
