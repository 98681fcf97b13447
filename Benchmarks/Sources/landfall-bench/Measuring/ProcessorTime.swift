internal import Foundation

/// What the processors of this machine have spent their time on since it started.
struct ProcessorTime {
    private let total: Int
    /// What a virtual machine wanted of it and its host gave to others.
    private let stolen: Int

    /// Nil where the system does not tell.
    static var now: ProcessorTime? {
        (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(ProcessorTime.init)
    }

    /// - Parameter text: as in `/proc/stat`, see proc(5): user, nice, system, idle, iowait, irq, softirq and steal of all processors
    ///   stand in the first line; what follows there is part of user and nice.
    init?(_ text: String) {
        let times = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap {
            Int($0)
        }
        guard text.hasPrefix("cpu "), times.count == 8 else { return nil }
        total = times.reduce(0, +)
        stolen = times[7]
    }

    /// The share of the time between, from 0 to 1; nil when none went by.
    func stolenShare(since start: ProcessorTime) -> Double? {
        total > start.total ? Double(stolen - start.stolen) / Double(total - start.total) : nil
    }
}
