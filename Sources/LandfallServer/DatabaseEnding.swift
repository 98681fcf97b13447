internal import ServiceLifecycle

/// Bounds what requests may still wait for once a signal has come: a database that answers nothing would hold the program up for
/// longer than whoever ends it is ready to wait.
///
/// Stands last in the service group: the last service hears of the end first.
struct DatabaseEnding: Service {
    let backend: Backend
    let patience: Duration

    func run() async throws {
        try? await gracefulShutdown()
        backend.beginToEnd(within: patience)
    }
}
