internal import NIOCore

#if canImport(Glibc)
    internal import CMalloc
#endif

/// How memory that is not needed any more gets back to the system.
enum Allocator {
    /// Blocks of this size and more are mapped one by one, and unmapped when they are given back.
    private static let mappedBytes: Int32 = 128 * 1_024
    /// To be called before there are threads.
    ///
    /// glibc raises the size from which blocks are mapped to that of the largest one it has seen given back, up to 32 MiB: after one great
    /// body all others are cut from arenas, where the least block that is still used keeps everything below it. There is an arena
    /// for each thread, up to eight for each core, and each keeps what its busiest moment needed: here, one for each core.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, mappedBytes)
            _ = mallopt(M_ARENA_MAX, Int32(clamping: max(2, System.coreCount)))
        #endif
    }
}
