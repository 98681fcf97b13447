internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the file system knows about a file.
struct FileFacts {
    let inode: UInt64
    let size: Int64
    /// In nanoseconds since 1970.
    let changed: Int

    /// Returns `nil` if there is no such file, or it is not a regular one.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(facts)
    }

    init(of descriptor: Int32) {
        var facts = stat()
        // It fails for no open file.
        _ = fstat(descriptor, &facts)
        self.init(facts)
    }

    private init(_ facts: stat) {
        #if canImport(Glibc)
            let time = facts.st_mtim
        #else
            let time = facts.st_mtimespec
        #endif
        inode = UInt64(facts.st_ino)
        size = Int64(facts.st_size)
        changed = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
