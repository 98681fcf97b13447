internal import Foundation
internal import NIOCore

#if canImport(Glibc)
    internal import CMalloc
#endif

/// The limit on open files, each connection being one.
enum OpenFiles {
    /// Files that are no HTTP connections: those to the database, logs, programs.
    private static let others = 400
    /// Some systems allow a billion; programs that close every possible file then take minutes to start.
    private static let most: rlim_t = 1 << 20

    /// Raises this process's limit as far as it may, and returns the limit.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return .max }
        let raised = max(limit.rlim_cur, min(limit.rlim_max, most))
        if raised > limit.rlim_cur {
            limit.rlim_cur = raised
            if setrlimit(resource, &limit) != 0 { getrlimit(resource, &limit) }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of connections for which there are files, at most `wanted`.
    static func connections(_ wanted: Int, ofFiles limit: Int) -> Int {
        min(wanted, max(limit - others, limit / 2))
    }
}

/// Returns unused memory to the system.
enum Allocator {
    /// Blocks of at least this size are mapped individually, and unmapped when they are freed.
    private static let mappedBytes: Int32 = 128 * 1_024

    /// Call it before there are threads.
    ///
    /// By default, glibc raises the size from which blocks are mapped to that of the largest block freed so
    /// far, up to 32 MiB. After one large body, all others would come from arenas, where a single block still
    /// in use keeps everything below it. There are up to eight arenas per core, and each keeps the memory of
    /// its busiest moment; this limits them to one per core.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, mappedBytes)
            _ = mallopt(M_ARENA_MAX, Int32(clamping: max(2, System.coreCount)))
        #endif
    }
}
