internal import NIOCore

#if canImport(Glibc)
    internal import CMalloc
#endif

/// Returns unused memory to the system.
enum Allocator {
    /// Blocks of at least this size are mapped individually, and unmapped when they are freed.
    private static let mappedBytes: Int32 = 128 * 1_024
    /// Call it before there are threads.
    ///
    /// By default, glibc raises the size from which blocks are mapped to that of the largest block freed so far, up to 32 MiB.
    /// After one large body, all others would come from arenas, where a single block still in use keeps everything below it.
    /// There are up to eight arenas per core, and each keeps the memory of its busiest moment; this limits them to one per core.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, mappedBytes)
            _ = mallopt(M_ARENA_MAX, Int32(clamping: max(2, System.coreCount)))
        #endif
    }
}
