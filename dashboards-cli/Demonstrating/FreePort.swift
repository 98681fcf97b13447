#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A port on 127.0.0.1 that nothing listens on.
enum FreePort {
    /// Asks the kernel for one and gives it back at once. It hands out others for a while, so that nobody
    /// else gets it before we use it.
    static func find() throws(DemoProblem) -> UInt16 {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw .noPort(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        guard outcome == 0 else { throw .noPort(reason: String(cString: strerror(errno))) }
        return UInt16(bigEndian: address.sin_port)
    }
}
