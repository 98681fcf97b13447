internal import Foundation

/// The memory available to everything that runs here: the machine's, or less if a container has a limit.
struct MachineMemory: Equatable, Sendable {
    let megabytes: Int
}

extension MachineMemory {
    /// - Parameter limits: files in which Linux states the limit of a control group, in bytes. If there
    ///   is no limit, version 2 says `max` and version 1 a huge number. Missing files are skipped.
    init(
        physicalBytes: UInt64 = ProcessInfo.processInfo.physicalMemory,
        limits: [String] = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    ) {
        let bytes = limits.compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).flatMap {
                UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        megabytes = Int((bytes + [physicalBytes]).reduce(physicalBytes, min) >> 20)
    }

    /// PostgreSQL's own cache: an eighth, because the server, and often much else, runs on the same machine.
    /// Tokens, their indexes and the latest day are looked up again and again; beyond 2 GB, the system's
    /// cache does as well.
    var sharedBufferMegabytes: Int { min(max(megabytes / 8, 128), 2_048) }

    /// The cache of PostgreSQL and the system together that the planner may assume.
    var cacheMegabytes: Int { max(megabytes / 2, 256) }
}
