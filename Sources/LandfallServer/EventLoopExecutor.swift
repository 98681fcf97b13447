internal import NIOCore
internal import NIOPosix

/// Runs tasks on the threads that serve HTTP: the one a request came in on, as far as possible.
///
/// Left to itself, Swift runs them on threads of its own, and each request changes threads half a dozen times. For requests of
/// one event that was most of what they cost.
final class EventLoopExecutor: TaskExecutor {
    /// On the threads that Hummingbird serves with.
    static let shared = EventLoopExecutor(.singletonMultiThreadedEventLoopGroup)

    private let group: any EventLoopGroup

    private init(_ group: any EventLoopGroup) {
        self.group = group
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The loop of the calling thread, if it is one.
        group.any().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
