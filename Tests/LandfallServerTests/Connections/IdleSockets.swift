import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Connections that send nothing, or a beginning and then nothing more.
final class IdleSockets: Sendable {
    struct NotConnected: Error {
        let errno: Int32
    }

    private let sockets = Mutex<[Int32]>([])

    /// Opens one connection after the other, on a thread that runs no tasks: the server needs those to
    /// accept.
    ///
    /// - Parameter addresses: the client's addresses, in turn.
    static func open(
        _ count: Int, port: Int, from addresses: [String], sending text: String = ""
    ) async throws -> IdleSockets {
        try await NIOThreadPool.singleton.runIfActive {
            try IdleSockets(count, port: port, from: addresses, sending: text)
        }
    }

    private init(_ count: Int, port: Int, from addresses: [String], sending text: String) throws {
        for number in 0..<count {
            try open(port: port, from: addresses[number % addresses.count], sending: text)
        }
    }

    deinit {
        sockets.withLock { for socket in $0 { _ = close(socket) } }
    }

    private func open(port: Int, from address: String, sending text: String) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw NotConnected(errno: errno) }
        sockets.withLock { $0.append(descriptor) }
        guard use(bind, descriptor, address, 0) == 0, use(connect, descriptor, "127.0.0.1", port) == 0 else {
            throw NotConnected(errno: errno)
        }
        // Fails if the server has closed it already.
        if !text.isEmpty { _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }
    }

    private func use(
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ host: String,
        _ port: Int
    ) -> Int32 {
        guard let address = try? SocketAddress(ipAddress: host, port: port) else { return -1 }
        return address.withSockAddr { call(descriptor, $0, socklen_t($1)) }
    }

    /// Those that the server has not closed.
    var openCount: Int {
        sockets.withLock { sockets in
            sockets.count { descriptor in
                var byte: UInt8 = 0
                let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
                return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
            }
        }
    }

    /// Waits until the server has left at most `count` open; at most ten minutes, because a test then says
    /// how many are left.
    func wait(untilOpen count: Int) async throws {
        for _ in 0..<12_000 {
            // Each check costs a system call per socket.
            guard openCount > count else { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
