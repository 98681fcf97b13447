internal import CoreMetrics
internal import Foundation
internal import PostgresClient
internal import PrometheusMetrics
internal import Synchronization

/// Connections to PostgreSQL and their errors.
struct DatabaseMetrics: Sendable {
    let factory: any MetricsFactory

    /// Counts an error. The label is 08001 for a connection that could not be opened and 08006 for one that
    /// broke, as PostgreSQL would say if it could; `unreadable` is a response that this client cannot read.
    func failed(_ error: PostgresError) {
        let state =
            switch error {
            case .server(let sqlState, _, _): sqlState.rawValue
            case .noPartition: SQLState.checkViolation.rawValue
            case .unavailable: "08001"
            case .connectionLost, .timedOut: "08006"
            case .unexpectedResult, .tooManyRows: "unreadable"
            }
        factory.counter(MetricCatalog.databaseErrors, state).increment()
    }

    func observe(_ pool: PostgresPool, named name: String) {
        let usage = pool.usage
        for (state, count) in [("idle", usage.idle), ("busy", usage.busy)] {
            factory.meter(MetricCatalog.databaseConnections, name, state).set(count)
        }
    }
}

/// Start, memory and CPU time of this process, under the names that Prometheus' own clients use.
final class ProcessMetrics: Sendable {
    private let memory: Meter
    private let cpu: FloatingPointCounter
    private let countedSeconds = Mutex(0.0)

    init(_ factory: any MetricsFactory) {
        memory = factory.meter(MetricCatalog.residentMemory)
        cpu = FloatingPointCounter(label: MetricCatalog.cpuSeconds.name, factory: factory)
        factory.meter(MetricCatalog.startTime).set(Double(Instant.now.millisecondsSinceEpoch) / 1_000)
    }

    /// Called before each rendering.
    func observe() {
        if let bytes = Self.residentBytes() { memory.set(bytes) }
        let seconds = Self.cpuSeconds()
        countedSeconds.withLock { counted in
            cpu.increment(by: seconds - counted)
            counted = seconds
        }
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The second number of `statm`, in pages (proc(5)); `nil` if there is no such file.
    private static func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Int(numbers[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
