import Testing

@testable import TokenLifecycle

@Suite struct CSVRecordsTests {
    /// - Parameter size: the size of the pieces in which the text arrives.
    private func records(
        _ text: String, separator: Character = ",", piecesOf size: Int = 4_096
    ) throws -> [CSVRecords.Record] {
        var rest = Array(text.utf8)[...]
        let bytes = try ImportBytes {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            return piece
        }
        var reader = CSVRecords(bytes, separator: separator.asciiValue ?? 0)
        var records: [CSVRecords.Record] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    @Test(
        "fields are read as RFC 4180 defines them",
        arguments: [
            ("a,b,c\n", ["a", "b", "c"]), ("a,b,c", ["a", "b", "c"]), ("a,b,c\r\n", ["a", "b", "c"]),
            ("a,b,c\r", ["a", "b", "c"]), ("a,,c\n", ["a", "", "c"]), (",\n", ["", ""]),
            ("\"a\",\"b,c\"\n", ["a", "b,c"]), ("\"a\"\"b\",c\n", ["a\"b", "c"]), ("\"\",x", ["", "x"]),
            ("\"\"\"\"\n", ["\""]), ("\"a\nb\",c\n", ["a\nb", "c"]), ("\"a\r\nb\"\r\n", ["a\r\nb"]),
            ("\u{FEFF}value,topic\n", ["value", "topic"]), ("grün,日本\n", ["grün", "日本"]),
            (" a , b \n", [" a ", " b "]),
        ])
    func fields(text: String, expected: [String]) throws {
        for size in [1, 2, 3, 4_096] {
            #expect(
                try records(text, piecesOf: size) == [.init(line: 1, fields: expected)], "pieces of \(size)")
        }
    }

    @Test(
        "lines are counted as an editor counts them, blank ones are skipped", arguments: ["\r\n", "\n", "\r"])
    func lines(end: String) throws {
        let mixed = "a,b|c,\"d|e\"||f,g|".replacing("|", with: end)
        #expect(try records(mixed).map(\.line) == [1, 2, 5])
        #expect(try records(mixed, piecesOf: 1).map(\.line) == [1, 2, 5])
        let text = "value,note\r\na,\"two\r\nlines\"\r\n\r\nb,x\n\nc,y"
        #expect(try records(text).map(\.line) == [1, 2, 5, 7])
    }

    @Test(
        "a record with a quote in the wrong place is broken, and later ones are not",
        arguments: ["a\"b,c", "\"a\"b,c", "\"a\" \"b\",c"])
    func broken(text: String) throws {
        #expect(
            try records(text + "\nd,e\n") == [
                .init(line: 1, fields: nil), .init(line: 2, fields: ["d", "e"]),
            ])
    }

    @Test("an unclosed quote breaks the last record, or ends reading if much follows")
    func unclosed() throws {
        #expect(
            try records("a,b\n\"c,d\n") == [.init(line: 1, fields: ["a", "b"]), .init(line: 2, fields: nil)])
        #expect(throws: TokenImportError.endlessRecord(line: 2)) {
            try records("a,b\n\"c,d\n" + String(repeating: "e,f\n", count: 20_000))
        }
    }

    @Test("bytes that are not UTF-8 break their record")
    func encoding() throws {
        var pieces: [[UInt8]] = [Array("a,b\nx,".utf8) + [0xFF, 0x0A] + Array("c,d\n".utf8)]
        var reader = CSVRecords(try ImportBytes { pieces.popLast() ?? [] }, separator: UInt8(ascii: ","))
        var records: [CSVRecords.Record] = []
        while let record = try reader.next() { records.append(record) }
        #expect(
            records == [
                .init(line: 1, fields: ["a", "b"]), .init(line: 2, fields: nil, isText: false),
                .init(line: 3, fields: ["c", "d"]),
            ])
    }

    @Test(
        "the header determines the separator",
        arguments: [
            ("value,topic", ","), ("value;topic", ";"), ("value\ttopic", "\t"), ("value", ","),
            ("value;a,b;c", ";"), ("value|topic", "|"), ("", ","),
        ] as [(String, Character)])
    func separators(header: String, expected: Character) {
        #expect(CSVRecords.separator(of: Array(header.utf8)) == expected.asciiValue)
    }
}
