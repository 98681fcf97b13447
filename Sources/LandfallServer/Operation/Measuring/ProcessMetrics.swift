internal import CoreMetrics
internal import Foundation
internal import Instants
internal import PrometheusMetrics
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Start, memory and CPU time of this process, under the names that Prometheus' own clients use.
final class ProcessMetrics: Sendable {
    private let memory: Meter
    private let cpu: FloatingPointCounter
    private let countedSeconds = Mutex(0.0)

    init(_ factory: any MetricsFactory) {
        memory = Meter(label: MetricCatalog.residentMemory.name, factory: factory)
        cpu = FloatingPointCounter(label: MetricCatalog.cpuSeconds.name, factory: factory)
        Meter(label: MetricCatalog.startTime.name, factory: factory)
            .set(Double(Instant.now.millisecondsSinceEpoch) / 1_000)
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
