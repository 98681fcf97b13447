internal import Foundation

/// Settings for one start of the server, checked and quoted for `pg_ctl -o`.
struct ServerSettings: Sendable {
    /// The settings that keep the cluster private and findable; a caller must not override them.
    private static let fixedNames: Set<String> = [
        "listen_addresses", "port", "unix_socket_directories", "unix_socket_permissions", "unix_socket_group",
        "data_directory", "hba_file", "ident_file", "external_pid_file", "logging_collector",
    ]

    private let extras: [String: String]

    init(_ extras: [String: String]) throws(EmbeddedPostgresError) {
        for name in extras.keys.sorted() {
            guard Self.isWellFormed(name) else {
                throw .settingRefused(name: name, reason: "is not a valid name of a setting")
            }
            guard !Self.fixedNames.contains(name.lowercased()) else {
                throw .settingRefused(name: name, reason: "is fixed for the embedded cluster")
            }
        }
        self.extras = extras
    }

    /// Whether written data must survive a crash of the machine; tests do without.
    var isCrashSafe: Bool { extras["fsync"] != "off" }

    /// The options for postgres in one string. `pg_ctl` passes it to a shell, hence the quotes.
    func options(socketFolder: String) -> String {
        let fixed = [
            ("listen_addresses", ""),
            ("port", String(ClusterLayout.port)),
            ("unix_socket_directories", socketFolder),
            ("unix_socket_permissions", "0700"),
        ]
        return (extras.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + fixed)
            .map { name, value in "-c " + Self.quotedForShell("\(name)=\(value)") }
            .joined(separator: " ")
    }

    static func quotedForShell(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static func isWellFormed(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
    }

    /// Written into `postgresql.conf` when the cluster is created, where a person may change it.
    ///
    /// Sized for a machine that also runs the analytics server. `jit` costs more than it saves on short
    /// queries. `terse` keeps values that a DETAIL line would quote out of the log. PostgreSQL's own
    /// compression of the write-ahead log took an eighth of its time under load; LZ4, if it was built in,
    /// does not. With checksums, autovacuum logs every page that it marks as clean; if it is slower, it
    /// leaves more of the disk to commits.
    static func defaults(hasLZ4: Bool, memory: MachineMemory = MachineMemory()) -> String {
        """

        # Chosen by Landfall for the memory of this machine. Changes made here take effect at the next start.
        max_connections = 100
        shared_buffers = \(memory.sharedBufferMegabytes)MB
        effective_cache_size = \(memory.cacheMegabytes)MB
        work_mem = 16MB
        maintenance_work_mem = 128MB
        max_wal_size = 2GB
        checkpoint_timeout = 15min
        wal_compression = \(hasLZ4 ? "lz4" : "off")
        random_page_cost = 1.1
        autovacuum_vacuum_cost_delay = 10ms
        jit = off
        timezone = 'UTC'
        log_timezone = 'UTC'
        log_line_prefix = '%m [%p] '
        log_error_verbosity = terse

        """
    }
}

/// The memory available to everything that runs here: the machine's, or less if a container has a limit.
struct MachineMemory: Equatable, Sendable {
    let megabytes: Int

    /// PostgreSQL's own cache, an eighth: the server, and often more, shares the machine. Tokens, their
    /// indexes and the latest day are looked up often; beyond 2 GB, the system's cache does as well.
    var sharedBufferMegabytes: Int { min(max(megabytes / 8, 128), 2_048) }

    /// The cache of PostgreSQL and the system together that the planner may assume.
    var cacheMegabytes: Int { max(megabytes / 2, 256) }
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
}
