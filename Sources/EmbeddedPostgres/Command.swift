import Foundation

/// A program that is run to its end. Its output cannot block, because it goes to a file without a name.
///
/// It runs in `/`, because the user it runs as may not be able to enter our working folder.
struct Command: Sendable {
    let program: String
    let arguments: [String]
    var environment = Command.passedOn(from: ProcessInfo.processInfo.environment)

    struct Outcome: Sendable {
        /// The exit status, or 128 + the number of the signal that ended the program.
        let status: Int32
        /// The program's standard output and standard error, trimmed; at most the first 64 KiB.
        let output: String
    }

    /// Blocks until the program ends.
    func run() throws(EmbeddedPostgresError) -> Outcome {
        let path = FileManager.default.temporaryDirectory.path + "/landfall-output-" + UUID().uuidString
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refusedCall("open", path) }
        defer { close(descriptor) }
        unlink(path)
        let status = try Self.wait(for: try spawn(writingTo: descriptor), program)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let output = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return Outcome(status: status, output: output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Environment variables that a server may get: no secrets and no `PG…` variable that would redirect it.
    static func passedOn(from environment: [String: String]) -> [String: String] {
        let kept: Set<String> = ["PATH", "HOME", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
        return environment.filter { kept.contains($0.key) }
            .merging(["LC_ALL": "C"]) { _, new in new }
    }

    private func spawn(writingTo descriptor: Int32) throws(EmbeddedPostgresError) -> pid_t {
        let words = ["/bin/sh", "-c", #"cd / && exec "$0" "$@""#, program] + arguments
        let child = Spawner.spawn(words, environment: environment, output: descriptor)
        guard child.error == 0 else {
            throw .systemCallRefused(
                call: "exec", path: program, reason: String(cString: strerror(child.error)))
        }
        return child.pid
    }

    private static func wait(for child: pid_t, _ program: String) throws(EmbeddedPostgresError) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw .refusedCall("waitpid", program) }
        }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
