internal import NIOPosix

/// Runs the console's tasks on dedicated threads, so that the threads that serve posts never wait for a page to be rendered.
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
