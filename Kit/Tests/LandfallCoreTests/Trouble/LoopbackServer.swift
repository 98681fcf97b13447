#if os(Linux)
    import Foundation
    import Glibc

    @testable import LandfallCore

    /// An HTTP server on 127.0.0.1 that responds as a test says: what `Network` leaves out are real
    /// connections.
    final class LoopbackServer: Sendable {
        struct Received: Sendable {
            var method: String
            var path: String
            /// By lowercase name.
            var headers: [String: String]
            var body: Data
        }

        struct Reply: Sendable {
            var response: Response
            var headers: [String: String] = [:]
            /// The connection ends within the response. (If it ended before, curl would repeat the request by
            /// itself.)
            var isLost = false
        }

        let url: URL
        private let listener: Int32
        private let requests = Locked<[Received]>([])
        private let respond: @Sendable (Received) -> Reply

        init(_ respond: @escaping @Sendable (Received) -> Reply) throws {
            self.respond = respond
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = listener
            let isListening = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(listener, address, size) == 0 && listen(listener, 64) == 0
                        && getsockname(listener, address, &size) == 0
                }
            }
            guard isListening,
                let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
            else { throw POSIXError(.EADDRNOTAVAIL) }
            self.url = url
            Thread.detachNewThread { [weak self] in
                while true {
                    let connection = accept(listener, nil, nil)
                    guard connection >= 0, let self else { break }
                    Thread.detachNewThread { self.serve(connection) }
                }
                close(listener)
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        var received: [Received] { requests.use { $0 } }

        private func serve(_ connection: Int32) {
            var bytes = Data()
            while let request = Self.next(&bytes, from: connection) {
                requests.use { $0.append(request) }
                let reply = respond(request)
                guard Self.send(reply, to: connection), !reply.isLost else { break }
            }
            close(connection)
        }

        private static func next(_ bytes: inout Data, from connection: Int32) -> Received? {
            let end = Data("\r\n\r\n".utf8)
            while bytes.range(of: end) == nil { guard receive(&bytes, from: connection) else { return nil } }
            guard let head = bytes.range(of: end) else { return nil }
            var request = parse(String(decoding: bytes[..<head.lowerBound], as: UTF8.self))
            bytes = Data(bytes[head.upperBound...])
            let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
            if request.headers["expect"] != nil {
                _ = send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: connection)
            }
            while bytes.count < length { guard receive(&bytes, from: connection) else { return nil } }
            request.body = Data(bytes.prefix(length))
            bytes = Data(bytes.dropFirst(length))
            return request
        }

        private static func parse(_ head: String) -> Received {
            let lines = head.components(separatedBy: "\r\n")
            let words = (lines.first ?? "").split(separator: " ").map(String.init)
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
            return Received(
                method: words.first ?? "", path: words.count > 1 ? words[1] : "", headers: headers,
                body: Data())
        }

        private static func receive(_ bytes: inout Data, from connection: Int32) -> Bool {
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return false }
            bytes.append(contentsOf: part.prefix(count))
            return true
        }

        private static func send(_ reply: Reply, to connection: Int32) -> Bool {
            var headers = reply.headers
            headers["Content-Length"] = "\(reply.response.body.count)"
            headers["Retry-After"] = reply.response.retryAfter.map { "\($0)" }
            let lines = headers.map { "\($0): \($1)\r\n" }.joined()
            let body = reply.isLost ? reply.response.body.prefix(1) : reply.response.body
            return send(Data("HTTP/1.1 \(reply.response.status) -\r\n\(lines)\r\n".utf8), to: connection)
                && send(Data(body), to: connection)
        }

        private static func send(_ bytes: Data, to connection: Int32) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = Data(rest.dropFirst(count))
            }
            return true
        }
    }
#endif
