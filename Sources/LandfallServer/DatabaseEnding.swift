internal import ServiceLifecycle

/// Bounds the time that requests may wait for the database after a signal. Otherwise a database that does not respond would keep
/// the program alive longer than the service manager waits.
///
/// Last in the service group: the last service is the first to shut down.
struct DatabaseEnding: Service {
    let backend: Backend
    let patience: Duration

    func run() async throws {
        try? await gracefulShutdown()
        backend.beginToEnd(within: patience)
    }
}
