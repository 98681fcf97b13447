#if canImport(Darwin)
    internal import Darwin
    private let streamType = SOCK_STREAM
#else
    internal import Glibc
    private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// Blocking stream sockets, limited to what the proxy needs.
enum Socket {
    /// Listens on the loopback address; port 0 picks a free one.
    static func listen(port: Int) throws -> (descriptor: Int32, port: Int) {
        let descriptor = try make(AF_INET)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let refused = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) != 0 || Self.systemListen(descriptor) != 0
                    || getsockname(descriptor, address, &length) != 0
            }
        }
        guard !refused else { throw SocketError(call: "bind", number: errno) }
        return (descriptor, Int(in_port_t(bigEndian: address.sin_port)))
    }

    /// Connects to the socket at this path.
    static func connect(path: String) throws -> Int32 {
        let descriptor = try make(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Self.systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw SocketError(call: "connect", number: errno)
        }
        return descriptor
    }

    /// Returns the received bytes, or `nil` at the end of the stream.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Returns `false` if the other side is gone.
    static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, noSignal)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Ends both directions and wakes all readers.
    static func shut(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    /// Wakes readers without telling the other side.
    static func stopReading(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RD)) }
    static func release(_ descriptor: Int32) { close(descriptor) }
    /// Returns `nil` if the listener was shut.
    static func next(of listener: Int32) -> Int32? {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// Makes closing send a reset instead of an orderly end.
    static func resetWhenReleased(_ descriptor: Int32) {
        var none = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
    }

    private static func make(_ family: Int32) throws -> Int32 {
        let descriptor = socket(family, streamType, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", number: errno) }
        // Programs that tests start must not inherit connections and hold them open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    #if canImport(Darwin)
        private static let noSignal: Int32 = 0
        private static let systemListen = { Darwin.listen($0, 64) }
        private static let systemConnect = Darwin.connect
    #else
        private static let noSignal = Int32(MSG_NOSIGNAL)
        private static let systemListen: @Sendable (Int32) -> Int32 = { Glibc.listen($0, 64) }
        private static let systemConnect: @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = {
            Glibc.connect($0, $1, $2)
        }
    #endif
}

struct SocketError: Error {
    let call: String
    let number: Int32
}
