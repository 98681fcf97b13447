import Testing

@testable import Ingestion

struct EventStructureTests {
    private func nested(_ depth: Int, _ open: String, _ close: String, _ core: String = "") -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    @Test("white space is allowed wherever RFC 8259 allows it")
    func whiteSpace() {
        let item =
            " \r\n\t{ \"type\" :\t\"recall\"\n,\r\"notification_id\" : \"\(EventReading.id)\" , \"zz\" : [ ] , "
            + "\"yy\" : { \"a\" : [ 1 , { } ] } } \n"
        #expect(EventReading.decoded(item).isEvent)
    }

    @Test(
        "anything but one complete JSON object is invalid JSON",
        arguments: [
            "", " ", "{", "}", "{}}", "{} {}", "{},", "[]", "[{}]", "7", "null", #""text""#, "{,}", "{1:2}",
            "{type:1}", #"{'type':"arrival"}"#, #"{"type":'arrival'}"#, #"{"type"}"#, #"{"type":}"#,
            #"{"type":,}"#,
            #"{"type":"arrival",}"#, #"{"type":"arrival" "zz":1}"#, #"{"type" "arrival"}"#, #"{"type"::1}"#,
            #"{"type":"arrival"} x"#, #"{"type":"arrival"}"# + "\0", #"{"type":"arrival"/* no */}"#,
            "{\"type\":\"arrival\"// no\n}", "#\n{}", #"{"status":200 201}"#, #"{"status":200"#,
            #"{"type":"arri"#,
            #"{"type":"arrival\"}"#, "\u{FEFF}{}", "\u{A0}{}", "{\u{B}}",
            #"{"zz":[1,]}"#, #"{"zz":[,1]}"#, #"{"zz":[1 2]}"#, #"{"zz":[1}}"#, #"{"zz":{]}}"#,
            #"{"zz":{"a":1]}"#,
            #"{"zz":{"a":1,}}"#, #"{"zz":{"a"}}"#, #"{"zz":{1:1}}"#, #"{"zz":[[]}"#, #"{"zz":[}"#,
            #"{"zz":}"#,
            #"{"zz":{"a":1"b":2}}"#, #"{"zz":[1:2]}"#,
            // The same after a field that is itself wrong: the item is malformed first.
            #"{"status":"x","zz":[1,]}"#, #"{"status":[1,]}"#, #"{"type":{"a":}}"#,
        ])
    func malformed(item: String) {
        #expect(EventReading.decoded(item).rejection == .malformed)
    }

    @Test("unknown fields are skipped, whatever they hold, and may repeat")
    func unknownFields() {
        for value in ["{}", "[]", "[[],[{}],{\"a\":{},\"type\":5}]", "null", "\"\"", "-1.5e-3", "true"] {
            #expect(EventReading.arrival(#""zz":\#(value),"zz":\#(value)"#).isEvent, "\(value)")
        }
    }

    @Test("an unknown field is skipped up to 64 levels deep", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(open: String, close: String) {
        let deepest = JSONReader.deepestNesting
        #expect(EventReading.arrival(#""zz":\#(nested(deepest, open, close, "1"))"#).isEvent)
        for deeper in [deepest + 1, 5_000] {
            #expect(EventReading.arrival(#""zz":\#(nested(deeper, open, close, "1"))"#).rejection == .tooDeep)
        }
        #expect(EventReading.arrival(#""zz":\#(nested(deepest, "[", "]"))"#).isEvent)
        #expect(EventReading.arrival(#""zz":\#(nested(deepest + 1, "[", "]"))"#).rejection == .tooDeep)
        #expect(EventReading.arrival(#""type":\#(nested(5_000, "[", "]"))"#).code == "invalid_json")
    }

    @Test("every proper prefix of an item is malformed, and nothing past its end is read")
    func beginnings() {
        let item = Array(
            #"{"type":"click","zz":[{"a":"\ud83d\ude00é"},-1.5e+3,null],"status":200,"priority":1e1}"#.utf8)
        for end in item.indices {
            // The rest of the item directly follows the slice, so reading on would find it.
            let slice = EventValidator(appID: 1, poster: .server, now: EventReading.now).decode(
                item[..<end])
            #expect(slice.rejection == .malformed)
        }
        #expect(EventReading.decoded(item).code == "missing_notification_id")
    }

    @Test("an item of more than 64 KiB is not read")
    func longItems() {
        let longest = 64 << 10
        let frame = "\(EventReading.arrival),\"zz\":\"\"}".utf8.count
        func item(_ count: Int) -> String {
            "\(EventReading.arrival),\"zz\":\"\(String(repeating: "x", count: count - frame))\"}"
        }
        #expect(EventReading.decoded(item(longest)).isEvent)
        #expect(EventReading.decoded(item(longest + 1)).code == "too_long")
        #expect(EventReading.decoded([UInt8](repeating: 0, count: longest + 1)).code == "too_long")
    }
}
