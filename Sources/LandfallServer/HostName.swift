#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// This machine's name for itself.
enum HostName {
    /// Queries the system and no name server, for which `ProcessInfo.hostName` may wait.
    static var current: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
