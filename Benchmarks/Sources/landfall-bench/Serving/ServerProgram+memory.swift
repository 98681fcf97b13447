internal import ChildPrograms
internal import Foundation

extension ServerProgram {
    /// Restarts ``peakMemory`` from the memory in use now. If the system does not support that, the peak
    /// counts from the start.
    func resetPeakMemory() {
        // proc(5): 5 resets VmHWM to the current size.
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(pid)/clear_refs"))
    }

    /// The server's peak memory since the last reset, in bytes; `nil` if the system does not report it.
    var peakMemory: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let match = status.firstMatch(of: /VmHWM:\s*(\d+) kB/), let kilobytes = Int(match.1)
        else { return nil }
        return kilobytes * 1_024
    }
}
