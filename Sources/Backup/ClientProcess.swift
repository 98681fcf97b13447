internal import EmbeddedPostgres
internal import Foundation
internal import PostgresClient

/// `pg_dump` or `pg_restore`, running on the database of a connection.
///
/// The connection's options are passed in a service file that only this user can read, and the
/// password in the environment, because arguments are visible to every user of the machine.
final class ClientProcess {
    private let program: ClientProgram
    private let process = Process()
    private let pipe = Pipe()
    private let folder: URL
    private let complaints: URL
    private let schema: SchemaName

    enum Direction { case reading, writing }

    init(
        _ program: ClientProgram, _ arguments: [String], _ direction: Direction,
        on connection: PostgresConnection, environment: [String: String]
    ) throws {
        self.program = program
        schema = connection.schema
        process.executableURL = program.url
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-client-\(UUID())")
        guard mkdir(folder.path, 0o700) == 0 else {
            throw BackupError.notWritten(path: folder.path, reason: String(cString: strerror(errno)))
        }
        complaints = folder.appendingPathComponent("complaints")
        var options = connection.connectionOptions
        let password = options.removeValue(forKey: "password")
        // If `service` were set, libpq would look for that service; pg_dump sets the other two itself.
        for name in ["service", "fallback_application_name", "client_encoding"] { options[name] = nil }
        let lines = options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }
        let service = folder.appendingPathComponent("service")
        for (file, text) in [(service, "[landfall]\n" + lines.joined()), (complaints, "")] {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        }
        var variables = environment
        variables["PGSERVICEFILE"] = service.path
        variables["PGSERVICE"] = nil
        variables["LC_ALL"] = "C"
        if let password { variables["PGPASSWORD"] = password }
        process.environment = variables.filter { !$0.key.hasPrefix("LANDFALL_") }
        process.arguments = arguments + ["--dbname=service=landfall"]
        process.standardError = try FileHandle(forWritingTo: complaints)
        process.standardOutput = direction == .reading ? pipe : FileHandle.nullDevice
        process.standardInput = direction == .reading ? FileHandle.nullDevice : pipe
        // If the child ends early, writing to it must not end this program.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
    }

    /// Kills a program that has not ended. SIGTERM would have no effect: Foundation starts programs
    /// with the signal mask of our threads, and the program blocks on a pipe that is no longer
    /// read. `pg_dump` only reads, and `pg_restore` works in one transaction.
    deinit {
        try? pipe.fileHandleForReading.close()
        try? pipe.fileHandleForWriting.close()
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Passes the program's output to `take`, piece by piece, until the program ends.
    func read(isStopped: () -> Bool, _ take: (Data) throws -> Void) throws {
        let source = pipe.fileHandleForReading.fileDescriptor
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try wait(for: source, POLLIN, isStopped)
            let count = Foundation.read(source, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            try take(Data(bytes.prefix(count)))
        }
        try finish(isStopped)
    }

    func write(_ bytes: Data, isStopped: () -> Bool) throws {
        let sink = pipe.fileHandleForWriting.fileDescriptor
        var rest = bytes
        while !rest.isEmpty {
            try wait(for: sink, POLLOUT, isStopped)
            // poll guarantees that PIPE_BUF bytes (4,096 on Linux) can be written without blocking.
            let count = rest.prefix(4_096).withUnsafeBytes {
                Foundation.write(sink, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            // The program ended before it received everything: its error output says why.
            guard count > 0 else { return try finish(isStopped) }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the program's input and waits until the program ends.
    func finish(_ isStopped: () -> Bool) throws {
        try? pipe.fileHandleForWriting.close()
        while process.isRunning {
            guard !isStopped() else { throw BackupError.stopped }
            usleep(20_000)
        }
        guard process.terminationStatus == 0 else {
            let output = (try? String(contentsOf: complaints, encoding: .utf8)) ?? ""
            let advice =
                output.contains("permission denied")
                ? "\nBackup and restore require the owner of the schema \(schema) (docs/operations.md, Privileges)."
                : ""
            throw BackupError.programFailed(
                program: program.url.lastPathComponent,
                output: output.trimmingCharacters(in: .whitespacesAndNewlines) + advice)
        }
    }

    private func wait(for descriptor: Int32, _ events: Int32, _ isStopped: () -> Bool) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        repeat {
            guard !isStopped() else { throw BackupError.stopped }
        } while poll(&entry, 1, 200) == 0
    }
}
