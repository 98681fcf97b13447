internal import Dispatch
internal import Foundation
internal import Synchronization

/// Processor time that a busy program loses to other programs and, on a virtual machine, to its host.
///
/// Apparently, when gigabytes of files are deleted, the host of a virtual machine takes their memory back, and with it a fifth of
/// the processors, now and then for half a minute. One such second spoils a p99.
enum Interruptions {
    /// The largest share of a second that is lost on a quiet machine.
    private static let quiet = 0.01
    private static let quietSecondsInARow = 2
    /// The system's own work interrupts a busy program for less than this.
    private static let shortest = Duration.milliseconds(1)

    /// Waits until the machine has been quiet for two seconds, but not longer than the limit.
    static func waitUntilQuiet(atMost limit: Duration) {
        let start = ContinuousClock.now
        var inARow = 0
        while inARow < quietSecondsInARow, .now - start < limit {
            inARow = share(during: .seconds(1)) < quiet ? inARow + 1 : 0
        }
    }

    /// The share of the time lost by programs that wanted to run on all processors, from 0 to 1.
    private static func share(during time: Duration) -> Double {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let lost = Mutex(Duration.zero)
        DispatchQueue.concurrentPerform(iterations: processors) { _ in
            let mine = longGaps(during: time)
            lost.withLock { $0 += mine }
        }
        return lost.withLock { $0 / (time * processors) }
    }

    /// Reads the clock in a loop and adds up the gaps during which it could not.
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
