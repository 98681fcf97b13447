#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Memory of a program that works with tokens holds their values, and a core dump is that memory in a file.
public enum CoreDumps {
    /// The setting of the server that leaves them as the system has them.
    public static let environmentVariable = "LANDFALL_CORE_DUMPS"

    /// Switches them off for this process and those it starts, for good.
    public static func switchOff() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            // Lowering a limit needs no privilege and cannot fail.
            _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
