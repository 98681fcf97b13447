internal import Doctor
internal import EmbeddedPostgres
internal import Logging
internal import NIOPosix
internal import PostgresClient
internal import ServiceLifecycle

/// Restarts the private cluster if PostgreSQL's programs were replaced while it ran, as a package upgrade
/// does: the running server is the old one, and the libraries that its new sessions load are the new ones,
/// which may be incompatible.
///
/// It checks every five seconds, and twice before a restart, because an upgrade takes a while. The restart is
/// shown in the log, in `/readyz` and by the doctor. A cluster whose server is gone after a failed restart is
/// started again. If the versions still differ after a restart (two servers of one data folder may have
/// different programs), the cluster is not restarted again for the same versions.
struct ClusterWatch: Service {
    let cluster: EmbeddedPostgres
    let backend: Backend
    let logger: Logger

    private var health: WriteHealth { backend.front.writeHealth }

    /// A server to be restarted.
    struct Replaced: Hashable {
        let server: EmbeddedPostgres.Server
        let versions: ClusterRestart
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            var seen: Replaced?
            var inVain: Set<ClusterRestart> = []
            while !Task.isCancelled {
                // If canceled, the loop ends.
                try? await Task.sleep(for: .seconds(5))
                let replaced = await look()
                if let replaced, inVain.contains(replaced.versions) { continue }
                if let replaced, replaced == seen {
                    // If the restart fails, `seen` is kept, so the next check tries again.
                    guard await restart(replaced) else { continue }
                    seen = nil
                    inVain.insert(replaced.versions)
                } else if seen == nil || replaced != nil || cluster.server != nil {
                    seen = replaced
                } else if let lost = seen {
                    _ = await restart(lost)
                }
            }
        }
    }

    /// Returns `nil` if the running server is the one on disk, or as long as that is unknown.
    private func look() async -> Replaced? {
        guard let server = cluster.server else { return nil }
        let runs = await logger.attempt("the private cluster's version could not be read yet") {
            try await backend.front.pool.withConnection { connection in
                try connection.query(.Administration.condition).single()
                    .get("server_version", as: String.self)
            }
        }
        guard let runs,
            let lies = try? await NIOThreadPool.singleton.runIfActive({ try cluster.programVersion() })
        else { return nil }
        let cannotLoad = health.trouble == .fileMissing && cluster.hasOlderStart(server)
        guard runs != lies || cannotLoad else { return nil }
        return Replaced(server: server, versions: ClusterRestart(from: runs, to: lies))
    }

    /// Returns whether the cluster now runs the programs on disk, even if another program restarted it.
    private func restart(_ replaced: Replaced) async -> Bool {
        let versions = replaced.versions
        let reason = "its programs were replaced while it was running, \(versions.from) by \(versions.to)"
        health.restart = reason
        defer { health.restart = nil }
        do {
            logger.warning("restarting the private PostgreSQL: \(reason)")
            let isOurs = try await NIOThreadPool.singleton.runIfActive {
                try cluster.restart(insteadOf: replaced.server)
            }
            logger.warning(
                isOurs
                    ? "the private PostgreSQL was restarted"
                    : "another program has restarted the private PostgreSQL")
            guard isOurs else { return true }
        } catch {
            logger.error(
                "the private PostgreSQL could not be restarted; trying again in some seconds",
                metadata: ["error": "\(error)"])
            return false
        }
        await logger.attempt("the restart could not be recorded") {
            try await backend.front.pool.withConnection(attempts: 5) { [backend] connection in
                try connection.note(.clusterRestarted, from: backend.name, versions)
            }
        }
        return true
    }
}
