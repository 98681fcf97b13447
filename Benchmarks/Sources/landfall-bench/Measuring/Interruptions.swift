internal import Dispatch
internal import Foundation
internal import Synchronization

/// What a machine takes away from programs that never rest: for other programs, and where it is a virtual one, for its host.
///
/// By all signs the host of one takes back the memory of gigabytes of files that went, and a fifth of the processors with it, now and
/// then for half a minute. Such a second leaves nothing of a p99.
enum Interruptions {
    /// The share of a second that is lost on a quiet machine at most.
    private static let quiet = 0.01
    private static let quietSecondsInARow = 2
    /// Who never rests is not held up so long by what the system itself has to do.
    private static let shortest = Duration.milliseconds(1)

    /// Waits for a quiet machine: for two seconds if it is one, and not longer than until the limit has passed.
    static func waitUntilQuiet(atMost limit: Duration) {
        let start = ContinuousClock.now
        var inARow = 0
        while inARow < quietSecondsInARow, .now - start < limit {
            inARow = share(during: .seconds(1)) < quiet ? inARow + 1 : 0
        }
    }

    /// The share of the time that programs lost which wanted to run on all processors, from 0 to 1.
    private static func share(during time: Duration) -> Double {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let lost = Mutex(Duration.zero)
        DispatchQueue.concurrentPerform(iterations: processors) { _ in
            let mine = longGaps(during: time)
            lost.withLock { $0 += mine }
        }
        return lost.withLock { $0 / (time * processors) }
    }

    /// Looks at the clock without end, and adds up how long it could not.
    private static func longGaps(during time: Duration) -> Duration {
        let start = ContinuousClock.now
        var last = start
        var lost = Duration.zero
        while last - start < time {
            let now = ContinuousClock.now
            if now - last > shortest { lost += now - last }
            last = now
        }
        return lost
    }
}
