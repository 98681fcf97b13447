import Basics
import Foundation
import Ingestion
import Testing

@testable import DeliveryArchive

@Suite struct ParquetTests {
    @Test("varints are those of Thrift's specification")
    func varints() {
        #expect([UInt8].varint(50_399) == [0xDF, 0x89, 0x03])
        #expect([UInt8].varint(0) == [0])
        #expect([UInt8].varint(127) == [0x7F])
        #expect([UInt8].varint(128) == [0x80, 0x01])
    }

    @Test("integers are zigzag, fields have the distance of their ids, lists have their length")
    func thrift() {
        #expect([0, -1, 1, -2].map { Thrift.int32($0).bytes } == [[0], [1], [2], [3]])
        #expect(Thrift.int64(50_399).bytes == [0xBE, 0x93, 0x06])
        #expect(Thrift.text("ab").bytes == [2, 0x61, 0x62])
        #expect(Thrift.list([.int32(1), .int32(2)]).bytes == [0x25, 2, 4])
        #expect(
            Thrift.list((0..<15).map { _ in .record([]) }).bytes
                == [0xFC, 15] + [UInt8](repeating: 0, count: 15))
        let record = Thrift.record([
            (1, .int32(0)), (5, .text("a")), (6, .yes), (10, .record([(14, .record([]))])), (11, .int64(-1)),
        ])
        #expect(record.bytes == [0x15, 0, 0x48, 1, 0x61, 0x11, 0x4C, 0xEC, 0, 0, 0x16, 1, 0])
    }

    private static let columns = [
        ArchivedColumn(name: "n", kind: .integer), ArchivedColumn(name: "t", kind: .text),
        ArchivedColumn(name: "f", kind: .flag), ArchivedColumn(name: "i", kind: .instant),
    ]

    private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        var unpacked: [UInt8] = []
        let gunzip = try Gunzip()
        try bytes.withUnsafeBytes { try gunzip.unpack($0) { unpacked += Array($0) } }
        try gunzip.finish()
        return unpacked
    }

    private func footer(of file: [UInt8]) -> ThriftReader.Value {
        #expect(Array(file.prefix(4)) == Array("PAR1".utf8))
        #expect(Array(file.suffix(4)) == Array("PAR1".utf8))
        let length = file.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var reader = ThriftReader(file, at: file.count - 8 - length)
        let footer = reader.record()
        #expect(reader.position == file.count - 8)
        return footer
    }

    @Test("pages have the levels and values that the format asks for, and the footer leads to them")
    func file() throws {
        var rows = ParquetRows(Self.columns)
        var file: [UInt8] = []
        file += try rows.append([
            .integer(1), .text("a"), .flag(true), .instant(Instant(millisecondsSinceEpoch: 258)),
        ])
        file += try rows.append([nil, .text("bc"), .flag(false), nil])
        file += try rows.append([.integer(-2), nil, .flag(true), nil])
        file += try rows.finish()

        let footer = footer(of: file)
        #expect(footer[1] == .number(1))
        #expect(footer[3] == .number(3))
        #expect(footer[4]?.count == 1)
        #expect(footer[4, 0, 3] == .number(3))
        let schema = (1...4).map { footer[2, $0] }
        #expect(footer[2, 0] == .record([4: .text("notification"), 5: .number(4)]))
        #expect(schema[0] == .record([1: .number(2), 3: .number(1), 4: .text("n")]))
        #expect(
            schema[1]
                == .record([
                    1: .number(6), 3: .number(1), 4: .text("t"), 6: .number(0),
                    10: .record([1: .record([:])]),
                ]))
        #expect(schema[2] == .record([1: .number(0), 3: .number(1), 4: .text("f")]))
        let timestamp = ThriftReader.Value.record([1: .flag(true), 2: .record([1: .record([:])])])
        #expect(
            schema[3]
                == .record([
                    1: .number(2), 3: .number(1), 4: .text("i"), 6: .number(9), 10: .record([8: timestamp]),
                ]))
        let expected: [[UInt8]] = [
            [
                6, 0, 0, 0, 2, 1, 2, 0, 2, 1,  // present, missing, present
                1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            ],
            [4, 0, 0, 0, 4, 1, 2, 0, 1, 0, 0, 0, 0x61, 2, 0, 0, 0, 0x62, 0x63],
            [2, 0, 0, 0, 6, 1, 0b101],
            [4, 0, 0, 0, 2, 1, 4, 0, 2, 1, 0, 0, 0, 0, 0, 0],
        ]
        var end = 4
        for (position, page) in expected.enumerated() {
            let chunk = try #require(footer[4, 0, 1, position])
            #expect(chunk[2] == .number(0))
            let metadata = try #require(chunk[3])
            #expect(metadata[1] == schema[position]?[1])
            #expect(metadata[2] == .list([.number(3), .number(0)]))
            #expect(metadata[3] == .list([.text(Self.columns[position].name)]))
            #expect(metadata[4] == .number(2))
            #expect(metadata[5] == .number(3))
            let offset = try #require(metadata[9]?.number)
            #expect(offset == end)
            var reader = ThriftReader(file, at: offset)
            let header = reader.record()
            let packed = try #require(header[3]?.number)
            #expect(
                header
                    == .record([
                        1: .number(0), 2: .number(page.count), 3: .number(packed),
                        5: .record([1: .number(3), 2: .number(0), 3: .number(3), 4: .number(3)]),
                    ]))
            end = reader.position + packed
            #expect(try unpacked(Array(file[reader.position..<end])) == page)
            #expect(metadata[6] == .number(reader.position - offset + page.count))
            #expect(metadata[7] == .number(end - offset))
        }
        let sizes = (0..<4).compactMap { footer[4, 0, 1, $0, 3, 6]?.number }
        #expect(footer[4, 0, 2] == .number(sizes.reduce(0, +)))
    }

    @Test("nine flags are two bytes, the lowest bit first")
    func flags() throws {
        var rows = ParquetRows([ArchivedColumn(name: "f", kind: .flag)])
        var file: [UInt8] = []
        for number in 0..<9 { file += try rows.append([.flag(number % 8 == 0)]) }
        file += try rows.finish()
        var reader = ThriftReader(file, at: 4)
        let header = reader.record()
        let packed = try #require(header[3]?.number)
        let page = try unpacked(Array(file[reader.position..<reader.position + packed]))
        #expect(page == [2, 0, 0, 0, 18, 1, 0b1, 0b1])
    }

    @Test("rows begin another group after the limit, and none is empty", arguments: [0, 1])
    func groups(more: Int) throws {
        var rows = ParquetRows([ArchivedColumn(name: "n", kind: .integer)])
        var file: [UInt8] = []
        let count = ParquetRows.rowsPerGroup + more
        for number in 0..<count { file += try rows.append([.integer(Int64(number))]) }
        file += try rows.finish()
        let footer = footer(of: file)
        #expect(footer[3] == .number(count))
        #expect(footer[4]?.count == 1 + more)
        #expect(footer[4, 0, 3] == .number(ParquetRows.rowsPerGroup))
        if more > 0 { #expect(footer[4, 1, 3] == .number(more)) }
    }

    @Test("lines of JSON leave out what is missing or false")
    func lines() throws {
        var rows = NDJSONRows(Self.columns)
        var file: [UInt8] = []
        file += try rows.append([
            .integer(1), .text("a\"b"), .flag(true), .instant(Instant(millisecondsSinceEpoch: 0)),
        ])
        file += try rows.append([.integer(2), nil, .flag(false), nil])
        file += try rows.finish()
        let text = String(decoding: try unpacked(file), as: UTF8.self)
        let lines = text.split(separator: "\n").map { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
        }
        #expect(lines.count == 2)
        #expect(Set(lines[0].keys) == ["n", "t", "f", "i"])
        #expect(lines[0]["t"] as? String == "a\"b")
        #expect(lines[0]["i"] as? String == "1970-01-01T00:00:00.000Z")
        #expect(Array(lines[1].keys) == ["n"])
    }
}
