import Foundation

extension Cluster {
    private static let unfinishedPrefix = "cluster.unfinished-"

    /// Creates the cluster next to its final path and moves it there when it is complete, so that a
    /// killed `initdb` leaves nothing that looks like a cluster.
    func createIfAbsent(with settings: ServerSettings) throws(EmbeddedPostgresError) {
        if !isComplete {
            removeUnfinished()
            let unfinished = Folder(path: home.child(Self.unfinishedPrefix + UUID().uuidString))
            do {
                try create(in: unfinished, settings)
            } catch {
                try? FileManager.default.removeItem(atPath: unfinished.path)
                throw error
            }
        }
        try link(from: layout.clusterLink, to: folder)
    }

    /// Creates the database if this cluster has none yet, and notes that it exists.
    func createDatabaseIfAbsent(_ socketFolder: String) throws(EmbeddedPostgresError) {
        let note = folder.child("landfall.database")
        guard access(note, F_OK) != 0 else { return }
        let arguments = [
            "--host=\(socketFolder)", "--port=\(ClusterLayout.port)", "--username=\(Self.role)",
            "--no-password", "--template=template0", "--maintenance-db=postgres", Self.databaseName,
        ]
        let outcome = try account.command(programs.path(of: "createdb"), arguments).run()
        guard outcome.status == 0 || outcome.output.contains("already exists") else {
            throw .creationRefused(program: "createdb", output: outcome.output)
        }
        // The folder belongs to the account: root must not follow a link that the account put there.
        let descriptor = open(note, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refusedCall("open", note) }
        fchown(descriptor, account.userID, account.groupID)
        close(descriptor)
    }

    private var home: Folder {
        Folder(path: URL(fileURLWithPath: folder.path).deletingLastPathComponent().path)
    }

    private func create(in unfinished: Folder, _ settings: ServerSettings) throws(EmbeddedPostgresError) {
        try unfinished.makePrivate(for: account)
        let arguments =
            [
                "--pgdata=\(unfinished.path)", "--username=\(Self.role)", "--encoding=UTF8", "--locale=C",
                "--data-checksums", "--auth-local=trust", "--auth-host=reject",
            ] + (settings.isCrashSafe ? [] : ["--no-sync"])
        let outcome = try account.command(programs.path(of: "initdb"), arguments).run()
        guard outcome.status == 0 else { throw .creationRefused(program: "initdb", output: outcome.output) }
        let probe = ["-D", unfinished.path, "-c", "wal_compression=lz4", "-C", "wal_compression"]
        let hasLZ4 = try account.command(programs.path(of: "postgres"), probe).run().status == 0
        try appendDefaults(hasLZ4: hasLZ4, to: unfinished.child("postgresql.conf"))
        guard rename(unfinished.path, folder.path) == 0 else { throw .refusedCall("rename", unfinished.path) }
    }

    private func appendDefaults(hasLZ4: Bool, to path: String) throws(EmbeddedPostgresError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .refusedCall("open", path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Array(ServerSettings.defaults(hasLZ4: hasLZ4).utf8))
            try file.synchronize()
        } catch {
            throw .systemCallRefused(call: "write", path: path, reason: error.localizedDescription)
        }
    }

    /// Removes what killed runs left. Only the holder of the gate creates such folders.
    private func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
        for name in names where name.hasPrefix(Self.unfinishedPrefix) {
            try? FileManager.default.removeItem(atPath: home.child(name))
        }
    }

    /// Links a folder that is elsewhere into the data folder.
    func link(from link: Folder, to target: Folder) throws(EmbeddedPostgresError) {
        guard link.path != target.path, !link.isLink, !link.exists else { return }
        guard symlink(target.path, link.path) == 0 else { throw .refusedCall("symlink", link.path) }
    }
}
