#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Memory of a program that works with tokens holds their values, and a core dump is that memory in a file.
public enum CoreDumps {
    /// The setting of the server that leaves them as the system has them.
    public static let environmentVariable = "LANDFALL_CORE_DUMPS"

    /// Switches them off for this process and those it starts, for good. Lowering a limit needs no privilege and cannot fail.
    public static func switchOff() {
        #if canImport(Glibc)
            // Linux hands dumps to a program that core_pattern names whatever the limit is, unless it is 1: core(5), since 2.6.24.
            var none = rlimit(rlim_cur: 1, rlim_max: 1)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
