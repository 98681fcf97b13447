internal import NIOCore
internal import NIOPosix

/// Runs tasks on the threads that serve HTTP: on the request's own thread, if possible.
///
/// By default, Swift runs them on threads of its own, and each request changes threads half a dozen times. For requests of one
/// event, that was most of their cost.
final class EventLoopExecutor: TaskExecutor {
    /// Runs on the threads that Hummingbird serves with.
    static let shared = EventLoopExecutor(.singletonMultiThreadedEventLoopGroup)

    private let group: any EventLoopGroup

    private init(_ group: any EventLoopGroup) {
        self.group = group
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The calling thread's loop, if it has one.
        group.any().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
