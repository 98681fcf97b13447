import Foundation
import Testing

@testable import Ingestion

/// A packed body, unpacked piece by piece. `GzipCheck` checks the same for any bytes.
struct GunzipTests {
    /// `printf '[{"type":"click"}]' | gzip -n`
    private let packed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x8B, 0xAE, 0x56, 0x2A, 0xA9, 0x2C, 0x48,
        0x55,
        0xB2, 0x52, 0x4A, 0xCE, 0xC9, 0x4C, 0xCE, 0x56, 0xAA, 0x8D, 0x05, 0x00, 0x00, 0x14, 0xC7, 0x3B, 0x12,
        0x00,
        0x00, 0x00,
    ]

    private func unpack(_ parts: [ArraySlice<UInt8>]) throws -> [UInt8] {
        let gunzip = try Gunzip()
        var unpacked: [UInt8] = []
        for part in parts { try part.withUnsafeBytes { try gunzip.unpack($0) { unpacked += $0 } } }
        try gunzip.finish()
        return unpacked
    }

    @Test("gzip unpacks to the same bytes in any parts", arguments: [1, 2, 7, 100])
    func parts(length: Int) throws {
        let parts = stride(from: 0, to: packed.count, by: length).map {
            packed[$0..<min($0 + length, packed.count)]
        }
        #expect(try unpack(parts) == Array(#"[{"type":"click"}]"#.utf8))
    }

    @Test("gzip that is truncated, continues past its end or is not gzip unpacks to nothing")
    func broken() throws {
        let cases: [[UInt8]] = [
            [], Array(packed.dropLast()), packed + [0], packed + packed, Array("[]".utf8),
            Array(packed.dropFirst(10)),
        ]
        for bytes in cases { #expect(throws: GunzipError.invalid) { try unpack([bytes[...]]) } }
    }

    @Test("gzip is unpacked no further than requested")
    func noFurther() throws {
        struct Enough: Error {}
        // 1 MiB of zeros, compressed to repeating deflate blocks.
        let bomb = try Self.gzip([UInt8](repeating: 0, count: 1 << 20))
        let gunzip = try Gunzip()
        var largest = 0
        var pieces = 0
        #expect(throws: Enough.self) {
            try bomb.withUnsafeBytes {
                try gunzip.unpack($0) { piece in
                    largest = max(largest, piece.count)
                    pieces += 1
                    if pieces == 3 { throw Enough() }
                }
            }
        }
        #expect(pieces == 3 && largest <= 32 * 1_024)
    }

    private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try Data(bytes).write(to: file)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-f", file.path]
        try gzip.run()
        gzip.waitUntilExit()
        let packed = file.appendingPathExtension("gz")
        defer { try? FileManager.default.removeItem(at: packed) }
        return try Array(Data(contentsOf: packed))
    }
}
