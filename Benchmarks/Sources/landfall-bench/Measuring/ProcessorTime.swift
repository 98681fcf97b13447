internal import Foundation

/// The use of this machine's processors since it started.
struct ProcessorTime {
    private let total: Int
    /// Time that this virtual machine wanted and its host gave to others.
    private let stolen: Int

    /// `nil` if the system does not report it.
    static var now: ProcessorTime? {
        (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(ProcessorTime.init)
    }

    /// - Parameter text: the content of `/proc/stat`, see proc(5). The first line has user, nice, system, idle, iowait, irq,
    ///   softirq and steal of all processors; the fields after them are part of user and nice.
    init?(_ text: String) {
        let times = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap {
            Int($0)
        }
        guard text.hasPrefix("cpu "), times.count == 8 else { return nil }
        total = times.reduce(0, +)
        stolen = times[7]
    }

    /// The stolen share of the time between the two, from 0 to 1; `nil` if no time has passed.
    func stolenShare(since start: ProcessorTime) -> Double? {
        total > start.total ? Double(stolen - start.stolen) / Double(total - start.total) : nil
    }
}
