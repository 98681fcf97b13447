internal import ChildPrograms
internal import Foundation
internal import PostgresClient

/// The processor time and the write-ahead log that a server and its PostgreSQL have used so far.
struct Cost {
    /// `nil` if the system does not report it.
    let processorSeconds: Double?
    let logBytes: Int64

    private init(processorSeconds: Double?, logBytes: Int64) {
        self.processorSeconds = processorSeconds
        self.logBytes = logBytes
    }

    init(of server: ServerProgram, on connection: PostgresConnection) throws {
        let row = try connection.query(.Bench.costSoFar).single()
        processorSeconds = Self.seconds(server: server.pid, backend: try row.get("pid", as: Int32.self))
        logBytes = try row.get("log_bytes", as: Int64.self)
    }

    static func - (later: Cost, earlier: Cost) -> Cost {
        let seconds = later.processorSeconds.flatMap { later in
            earlier.processorSeconds.map { later - $0 }
        }
        return Cost(processorSeconds: seconds, logBytes: later.logBytes - earlier.logBytes)
    }

    /// - Parameter backend: one of PostgreSQL's processes, which all have the same parent.
    private static func seconds(server: pid_t, backend: pid_t) -> Double? {
        guard let served = ProcessTimes(of: server), let parent = ProcessTimes(of: backend)?.parent,
            let postmaster = ProcessTimes(of: parent),
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
        else { return nil }
        let children = names.compactMap { pid_t($0) }.compactMap { ProcessTimes(of: $0) }
            .filter { $0.parent == parent }
        let ticks = children.reduce(served.ticks + postmaster.ticks + postmaster.ticksOfEnded) {
            $0 + $1.ticks
        }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// The processor time of one process, in clock ticks.
struct ProcessTimes: Equatable {
    let parent: pid_t
    let ticks: Int
    /// That of its children that have ended.
    let ticksOfEnded: Int

    /// `nil` if the system does not report it.
    init?(of pid: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return nil }
        self.init(text)
    }

    /// - Parameter text: the content of `/proc/<pid>/stat`, see proc(5). The second field, the name of the
    ///   program, is in parentheses and may contain spaces.
    init?(_ text: String) {
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 14, let parent = pid_t(fields[1]) else { return nil }
        let times = fields[11...14].compactMap { Int($0) }
        guard times.count == 4 else { return nil }
        self.parent = parent
        ticks = times[0] + times[1]
        ticksOfEnded = times[2] + times[3]
    }
}
