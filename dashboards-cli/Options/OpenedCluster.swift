internal import Dispatch
internal import EmbeddedPostgres
internal import Synchronization

/// The private cluster that a command uses, so that it is released if a signal ends the command.
final class OpenedCluster: Sendable {
    private let cluster = Mutex<EmbeddedPostgres?>(nil)
    /// Signaled once it is known whether there is a cluster.
    private let isKnown = DispatchSemaphore(value: 0)

    func opening(
        _ open: () throws -> (ChosenDatabase, EmbeddedPostgres?)
    ) rethrows -> (ChosenDatabase, EmbeddedPostgres?) {
        defer { isKnown.signal() }
        let opened = try open()
        cluster.withLock { $0 = opened.1 }
        return opened
    }

    /// Waits until the cluster has started, because nothing else would stop it.
    func release() {
        isKnown.wait()
        // The program ends anyway. If the cluster cannot be stopped now, the next command finds it.
        try? cluster.withLock { $0 }?.release()
    }
}
