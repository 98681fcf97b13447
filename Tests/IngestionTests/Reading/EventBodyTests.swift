import Basics
import Ingestion
import Testing

struct EventBodyTests {
    private func items(_ text: String, isNDJSON: Bool = false) throws -> [String] {
        try EventBody(Array(text.utf8), isNDJSON: isNDJSON).items.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "an array is cut only at its own commas",
        arguments: [
            ("[]", []),
            (" [ ] ", []),
            ("[1]", ["1"]),
            (#"[{"a":"],["},{"b":[1,{"c":2}]}]"#, [#"{"a":"],["}"#, #"{"b":[1,{"c":2}]}"#]),
            (#"[ {"a":"\\\""} , {"b":"\\"} ]"#, [#"{"a":"\\\""}"#, #"{"b":"\\"}"#]),
            ("[1,,2]", ["1", "", "2"]),
            (#"[{bad},"text",{}]"#, ["{bad}", #""text""#, "{}"]),
        ] as [(String, [String])])
    func arrays(text: String, expected: [String]) throws {
        #expect(try items(text) == expected)
    }

    @Test("one object is one item; several in a row are not a body")
    func objects() throws {
        #expect(try EventBody(Array(#"{"a":1}"#.utf8), isNDJSON: false).isSingleObject)
        #expect(try EventBody(Array("{\n \"a\": {}\n}\n".utf8), isNDJSON: false).isSingleObject)
        #expect(try EventBody(Array("{}\n{}".utf8), isNDJSON: false).isSingleObject == false)
        #expect(try items("{}\n{\"a\":1}\n") == ["{}", #"{"a":1}"#])
    }

    @Test("each line is an item, blank lines are none, and a broken line affects no other")
    func lines() throws {
        #expect(try items("{}\r\n\n  \n{broken\n{}", isNDJSON: true) == ["{}\r", "{broken", "{}"])
        #expect(try EventBody(Array("{}".utf8), isNDJSON: true).isSingleObject == false)
    }

    @Test("the last line needs no end, and its carriage return is white space")
    func lastLine() throws {
        #expect(try items("{}\n{}", isNDJSON: true) == ["{}", "{}"])
        #expect(try items("\r\n{}\r\n", isNDJSON: true) == ["{}\r"])
        #expect(throws: EventBodyError.empty) { try items("\r\n \t\n", isNDJSON: true) }
    }

    @Test("a byte order mark is allowed once, at the very beginning", arguments: [false, true])
    func byteOrderMark(isNDJSON: Bool) throws {
        #expect(try items("\u{FEFF}{}", isNDJSON: isNDJSON) == ["{}"])
        #expect(try items("\u{FEFF} {}\n{}", isNDJSON: isNDJSON) == ["{}", "{}"])
        #expect(throws: EventBodyError.empty) { try items("\u{FEFF}\n", isNDJSON: isNDJSON) }
        #expect(try items("\u{FEFF}[1, 2]", isNDJSON: false) == ["1", "2"])
        #expect(throws: EventBodyError.notJSON) { try items("\u{FEFF}\u{FEFF}{}") }
        #expect(throws: EventBodyError.notJSON) { try items(" \u{FEFF}{}") }
        #expect(try items("{}\n\u{FEFF}{}", isNDJSON: true) == ["{}", "\u{FEFF}{}"])
    }

    @Test("a body in UTF-16 is not JSON, in either byte order")
    func utf16() {
        let units = #"{"type":"arrival"}"#.utf16
        let littleEndian = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let bigEndian = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for body in [littleEndian, bigEndian, [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian] {
            #expect(throws: EventBodyError.notJSON) { try EventBody(body, isNDJSON: false) }
        }
    }

    @Test("reading stops at the first item beyond the limit, in every form")
    func limits() throws {
        for (text, isNDJSON) in [("[1,2,[", false), ("{}{}{}x", false), ("1\n2\n3\n", true)] {
            #expect(throws: EventBodyError.tooMany) {
                try EventBody(Array(text.utf8), isNDJSON: isNDJSON, limit: text.hasPrefix("[") ? 1 : 2)
            }
        }
        #expect(try EventBody(Array("[1,2]".utf8), isNDJSON: false, limit: 2).items.count == 2)
    }

    @Test(
        "a body that is not JSON as a whole is rejected",
        arguments: [
            ("", EventBodyError.empty), (" \n ", .empty), ("hello", .notJSON), ("7", .notJSON),
            ("[1", .unfinished),
            ("{", .unfinished), (#"["a]"#, .unfinished), ("[] 1", .notJSON), ("{} 1", .notJSON),
            (#"{"a":"\"#, .unfinished), (#"["\"#, .unfinished), ("[1,", .unfinished), ("[", .unfinished),
            ("\0", .notJSON), ("[]\0", .notJSON), ("[\0", .unfinished), ("{}]", .notJSON), ("]", .notJSON),
        ])
    func rejected(text: String, error: EventBodyError) {
        #expect(throws: error) { try EventBody(Array(text.utf8), isNDJSON: false) }
    }

    @Test("cutting never crashes and loses no byte of an item, whatever is posted")
    func anyBytes() {
        var random = SeededRandom(seed: 7)
        let alphabet = Array(#"[]{}",\ 1a:"#.utf8)
        for _ in 0..<20_000 {
            let length = Int(random.next() % 12)
            let bytes = (0..<length).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            guard let body = try? EventBody(bytes, isNDJSON: false) else { continue }
            #expect(body.items.reduce(0) { $0 + $1.count } <= bytes.count)
        }
    }
}
