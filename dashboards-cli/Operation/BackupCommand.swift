internal import ArgumentParser
internal import Backup
internal import DeliveryModel
internal import Foundation
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports
internal import TokenLifecycle
internal import Vault

struct BackupCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up database and token key to one sealed file.",
        discussion: """
            Runs pg_dump, so servers can keep writing: the file holds the database at one moment. An \
            existing file is never replaced. Without the passphrase, no one can open the file: keep the \
            passphrase apart from the backups. docs/durability.md has the crontab line. With several cells, a \
            backup contains one: back up each.

              landfall backup landfall-2026-03-01.backup
              landfall backup /backup/landfall-$(date +%F).backup --passphrase-file /etc/landfall.passphrase
            """)

    @Argument(help: "The file to write.") var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Database") var cell: CellOption

    func work() throws {
        let settings = try database.settings()
        try database.withDatabase { front in
            let chosen = try cell.database(of: database, front)
            let connection = try chosen.connect()
            guard
                let key = try TokenKey.find(
                    dataFolder: settings.dataFolder, environment: settings.environment)
            else { throw CommandProblem.noTokenKey }
            let vault = TokenVault(key)
            try vault.claim(connection)
            try vault.hold(connection)
            try recordWriting(on: connection)
            let progress = ProgressLine()
            let manifest = try DatabaseBackup.write(
                to: file, passphrase: try passphrase.read(isNew: true), tokenKey: key,
                createdAt: Instant.now.rfc3339, on: connection, environment: settings.environment,
                isStopped: { Task.isCancelled },
                progress: { progress.show("backing up  \(grouped(Int64($0 >> 20))) MiB") })
            progress.clear()
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int64 ?? 0
            try Stdout.write(lines: [
                "\(printable(file))  \(grouped(size)) bytes, as of \(manifest.createdAt), "
                    + "PostgreSQL \(manifest.postgresVersion), of \(chosen.cell.map { "cell \($0)" } ?? settings.databaseName)"
            ])
        }
    }

    /// Records the backup in the audit. A standby can be backed up, but has no audit of its own.
    private func recordWriting(on connection: PostgresConnection) throws {
        do {
            try Audit.recordCommand("backup_written", subject: file, on: connection)
        } catch let error where WritingTrouble(error) == .readOnly {
            note("The database is read-only, so its audit has no entry of this backup.")
        }
    }
}

struct BackupRestoreCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a backup into an empty database.",
        discussion: """
            Reads the whole file first: if the passphrase is wrong, or the file is damaged or truncated, \
            nothing is changed. Restores in one transaction, into a database that does not have Landfall's \
            schemas; any other database is refused. If no database is named and no private one exists, a \
            private one is created. Writes the token key to the data folder, unless it is already there or \
            in LANDFALL_TOKEN_KEY. Finally recounts all counters, as landfall verify does, and exits with 1 \
            if a number differs. A backup of a cell is restored as that cell: --cell names its place in \
            database.cells. New rows then get ids that no cell has given since the backup.

              landfall restore landfall-2026-03-01.backup
              landfall restore landfall-2026-03-01.backup --database postgres://landfall@db.example.com/restored
            """)

    @Argument(help: "The file written by landfall backup.") var file: String
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup(title: "Database") var cell: CellOption

    func work() throws {
        let settings = try database.settings()
        let passphrase = try passphrase.read(isNew: false)
        let manifest = try WaitingLine.whileWaiting("reading the file") {
            try DatabaseBackup.check(file, passphrase: passphrase, isStopped: { Task.isCancelled })
        }
        let (verification, place) = try database.withDatabase(creates: true) { front in
            let chosen = try cell.database(of: database, front)
            let connection = try chosen.unmigratedConnection()
            // It gives the restored cell a new range of ids.
            if let cell = chosen.cell, cell != .front {
                do { _ = try front.connect() } catch {
                    throw CommandProblem("cell 0 is needed, too: restore it before cell \(cell): \(error)")
                }
            }
            try WaitingLine.whileWaiting("restoring") {
                try DatabaseBackup.restore(
                    file, passphrase: passphrase, dataFolder: settings.dataFolder,
                    of: chosen.cell?.number ?? 0, on: connection, environment: settings.environment,
                    isStopped: { Task.isCancelled })
                try ChangeFeed.adopt(on: connection)
            }
            // Each cell lets cell 0 know its ids.
            if chosen.cell == .front { try? database.withEachCell { home, _ in _ = try home.connect() } }
            try chosen.renewRange(on: connection, isRestored: true)
            _ = try TokenVault.ofServer(connection, settings)
            try Audit.recordCommand("restored", subject: file, on: connection)
            let verification = try WaitingLine.whileWaiting("recounting the notifications") {
                try Verification.run(on: connection)
            }
            return (verification, chosen.cell.map { "cell \($0)" } ?? settings.databaseName)
        }
        try Stdout.write(lines: [
            "Restored the data recorded until \(manifest.createdAt) into \(place): "
                + "\(grouped(verification.notifications)) notifications, \(grouped(verification.counters)) counters recounted, "
                + "\(grouped(verification.differenceCount)) differences."
        ])
        guard verification.differenceCount == 0 else { throw ExitCode.failure }
    }
}

/// The passphrase of a backup. It is never an argument, because every user of the machine can read those.
struct PassphraseOptions: ParsableArguments {
    static let environmentVariable = "LANDFALL_BACKUP_PASSPHRASE"
    private static let shortest = 8

    @Option(
        help: .value(
            "The file whose first line is the passphrase. Default: LANDFALL_BACKUP_PASSPHRASE, otherwise a prompt.",
            "file"))
    var passphraseFile: String?

    /// - Parameter isNew: requires a minimum length, and prompts twice.
    func read(isNew: Bool) throws -> String {
        let passphrase = try given() ?? prompted(isNew: isNew)
        guard !isNew || passphrase.count >= Self.shortest else {
            throw CommandProblem(
                "the passphrase is shorter than \(Self.shortest) characters: choose a longer one")
        }
        return passphrase
    }

    private func given() throws -> String? {
        if let passphraseFile {
            guard let text = try? String(contentsOfFile: passphraseFile, encoding: .utf8),
                let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first,
                !line.isEmpty
            else {
                throw CommandProblem(
                    "\(passphraseFile) has no passphrase in its first line, or cannot be read")
            }
            return String(line)
        }
        let text = ProcessInfo.processInfo.environment[Self.environmentVariable] ?? ""
        return text.isEmpty ? nil : text
    }

    private func prompted(isNew: Bool) throws -> String {
        guard isatty(STDIN_FILENO) == 1, let first = ask("Passphrase: ") else {
            throw CommandProblem(
                "a backup is sealed with a passphrase, and there is none: use --passphrase-file FILE or set "
                    + Self.environmentVariable)
        }
        guard !isNew || ask("Again: ") == first else {
            throw CommandProblem("the passphrases do not match: nothing was written")
        }
        return first
    }

    private func ask(_ prompt: String) -> String? { getpass(prompt).map { String(cString: $0) } }
}
