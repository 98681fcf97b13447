internal import NIOPosix

/// Runs the console's tasks on threads of their own: however long it takes to draw pages, the threads that serve posts do not wait
/// for it.
final class ConsoleExecutor: TaskExecutor {
    static let shared = ConsoleExecutor()
    static let size = 2

    private let threads = NIOThreadPool(numberOfThreads: ConsoleExecutor.size)

    private init() { threads.start() }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
