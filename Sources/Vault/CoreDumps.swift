#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Core dumps, which would write the token values in this program's memory to a file.
public enum CoreDumps {
    /// The server's setting that keeps the system's setting for core dumps.
    public static let environmentVariable = "LANDFALL_CORE_DUMPS"

    /// Disables core dumps for good, also of children. Lowering a limit needs no privilege and cannot fail.
    public static func switchOff() {
        #if canImport(Glibc)
            // Linux passes dumps to the program in core_pattern whatever the limit is, unless it is 1
            // (core(5), since 2.6.24).
            var none = rlimit(rlim_cur: 1, rlim_max: 1)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
