import Access
import Foundation
import TestDatabase
import Testing

#if os(Linux)
    /// Callers with a key cannot make the server hold more than its idle memory plus a budget of 64 MiB.
    @Suite(.database, .timeLimit(.minutes(40))) struct MemoryBoundTests {
        private static let line = 64 * 1_024
        private static let callers = 50

        /// A number from `/proc/PID/status`, in KiB.
        private static func status(_ name: String, of server: StartedServer) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(server.processID)/status", encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
            return try #require(
                line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
        }

        private enum Attack: String, CaseIterable {
            /// 64 MiB of blanks in 64 KiB.
            case bombs
            /// 15 MiB of events, packed.
            case packedEvents
            /// Endless chunks.
            case endless
            /// Endless chunks of one byte.
            case tinyChunks
            /// The longest possible body, unpacked.
            case largest

            var head: [String] {
                switch self {
                case .bombs, .packedEvents: ["Content-Encoding: gzip", "Transfer-Encoding: chunked"]
                case .endless, .tinyChunks: ["Transfer-Encoding: chunked"]
                case .largest: ["Content-Length: \(16 << 20)"]
                }
            }

            /// The bytes to send, and how often.
            func pieces() throws -> (bytes: [UInt8], times: Int) {
                switch self {
                case .bombs: (Self.chunk(try Gzip.packed([UInt8](repeating: 0x20, count: 64 << 20))), 1)
                case .packedEvents: (Self.chunk(try Gzip.packed(Self.events)) + Array("0\r\n\r\n".utf8), 1)
                case .endless: (Self.chunk([UInt8](repeating: 0x20, count: 65_536)), 280)
                case .tinyChunks:
                    ([UInt8]([[UInt8]](repeating: Self.chunk([0x20]), count: 10_000).joined()), 30)
                case .largest: ([UInt8](repeating: 0x20, count: 65_536), 256)
                }
            }

            private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
                Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
            }

            /// 9,000 invalid items of 1,700 bytes each.
            private static var events: [UInt8] {
                let item = "{\"type\":\"\(String(repeating: "x", count: 1_690))\"}"
                return Array("[\([String](repeating: item, count: 9_000).joined(separator: ","))]".utf8)
            }
        }

        @Test("fifty callers that send what the server must not hold cost no more than the budget")
        func budget() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "landfall-memory-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (_, keys) = try await TestServer.makeApp("shop")
            let key = try #require(keys[.server])
            let server = try await StartedServer.start(database: TestDatabase.current.url, dataFolder: folder)
            defer { server.kill() }
            // After this the key is known, and everything has been used once.
            let client = PersistentClient(key: key, port: { server.port })
            try await client.post(Array("[]".utf8))
            let idle = try Self.status("VmRSS", of: server)

            for attack in [Attack.bombs, .endless, .tinyChunks, .largest, .packedEvents] {
                let (bytes, times) = try attack.pieces()
                let head =
                    (["POST /v1/events HTTP/1.1", "Host: landfall", "Authorization: Bearer \(key)"]
                    + attack.head).joined(separator: "\r\n") + "\r\n\r\n"
                let responded = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<Self.callers {
                        group.addTask {
                            try await RawConnection.open(port: server.port) { connection in
                                try? await connection.send(head)
                                for _ in 0..<times {
                                    guard (try? await connection.send(bytes)) != nil else { break }
                                }
                                if attack == .tinyChunks { try? await connection.send("0\r\n\r\n") }
                                return (try? await connection.response().status) ?? 0
                            }
                        }
                    }
                    return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
                }
                // 0: the connection ended while the caller was still sending. 408: the machine is slow.
                #expect(
                    responded.keys.allSatisfy { [0, 200, 400, 408, 413, 503].contains($0) }, "\(responded)")
                let peak = try Self.status("VmHWM", of: server)
                #expect(
                    peak - idle <= Self.line,
                    "\(attack): \((peak - idle) / 1_024) MiB on top of \(idle / 1_024), \(responded)")
            }
            try await client.post(Array("[]".utf8))
        }
    }
#endif
