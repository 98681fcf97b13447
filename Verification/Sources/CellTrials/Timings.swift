internal import Foundation
internal import Synchronization

/// What is wrong while a request is served.
enum Phase: Hashable, Sendable {
    case quiet
    /// The database of this cell is down.
    case down(Int)
    /// A server or a database starts.
    case changing
}

/// How long requests took, by the phase in which they began and ended.
final class Timings: Sendable {
    private struct Key: Hashable {
        let phase: Phase
        let cell: Int
        let isServed: Bool
    }

    private struct State {
        var phase = Phase.changing
        /// Counts the phases.
        var number = 0
        var milliseconds: [Key: [Double]] = [:]
    }

    struct Mark: Sendable {
        fileprivate let number: Int
        fileprivate let at: ContinuousClock.Instant
    }

    private let state = Mutex(State())

    func enter(_ phase: Phase) {
        state.withLock {
            $0.phase = phase
            $0.number += 1
        }
    }

    /// The beginning of a request.
    func mark() -> Mark { Mark(number: state.withLock { $0.number }, at: .now) }

    /// The end of a request, which does not count if another phase has begun meanwhile.
    func note(_ mark: Mark, cell: Int, isServed: Bool) {
        let milliseconds = mark.at.duration(to: .now) / .milliseconds(1)
        state.withLock { state in
            guard state.number == mark.number else { return }
            let key = Key(phase: state.phase, cell: cell, isServed: isServed)
            state.milliseconds[key, default: []].append(milliseconds)
        }
    }

    private func sorted(_ phase: Phase, _ cell: Int, isServed: Bool) -> [Double] {
        let key = Key(phase: phase, cell: cell, isServed: isServed)
        return state.withLock { $0.milliseconds[key] ?? [] }.sorted()
    }

    /// The times of a cell in quiet phases, while the other one was down, and while it was down itself.
    func lines(ofCell cell: Int, other: Int) -> [String] {
        let quiet = sorted(.quiet, cell, isServed: true)
        let down = sorted(.down(other), cell, isServed: true)
        let refused = sorted(.down(cell), cell, isServed: false)
        let isCompared = !quiet.isEmpty && !down.isEmpty
        let ratio = isCompared ? rounded(percentile(99, down) / percentile(99, quiet)) : "–"
        return [
            "cell \(cell), quiet: \(words(quiet))",
            "cell \(cell), while the database of cell \(other) was down: \(words(down)), p99 \(ratio) x",
            "cell \(cell), refused while its own database was down: \(words(refused))",
        ]
    }

    private func words(_ milliseconds: [Double]) -> String {
        guard let longest = milliseconds.last else { return "no request" }
        return "\(milliseconds.count) requests, p50 \(rounded(percentile(50, milliseconds))) ms, "
            + "p99 \(rounded(percentile(99, milliseconds))) ms, longest \(rounded(longest)) ms"
    }

    private func percentile(_ percent: Int, _ sorted: [Double]) -> Double {
        sorted[max((sorted.count * percent + 99) / 100, 1) - 1]
    }

    private func rounded(_ number: Double) -> String { String(format: "%.2f", number) }
}
