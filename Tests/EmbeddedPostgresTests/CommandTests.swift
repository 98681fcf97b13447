import Testing

@testable import EmbeddedPostgres

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite("Running a program to its end")
struct CommandTests {
    @Test("returns its status and what it wrote to both outputs")
    func outcome() throws {
        let outcome = try shell("echo out; echo err >&2; exit 3")
        #expect(outcome.output == "out\nerr")
        #expect(outcome.status == 3)
    }

    @Test("a signal counts as 128 plus its number")
    func endedBySignal() throws {
        #expect(try shell("kill -9 $$").status == 137)
    }

    @Test("a program that does not exist ends with 127")
    func absent() throws {
        #expect(try Command(program: "/nowhere/postgres", arguments: []).run().status == 127)
    }

    @Test("arguments arrive unchanged")
    func arguments() throws {
        let outcome = try Command(program: "/usr/bin/printf", arguments: ["%s|", "a b", "$HOME", "", "'"])
            .run()
        #expect(outcome.output == "a b|$HOME||'|")
    }

    @Test("does not wait for a descendant in the background", .timeLimit(.minutes(40)))
    func background() throws {
        let start = ContinuousClock.now
        #expect(try shell("sleep 20 & echo started").output == "started")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("the program inherits none of our open files", .enabled(if: access("/proc/self/fd", F_OK) == 0))
    func descriptors() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let links = try shell("ls -l /proc/$$/fd").output
        #expect(!links.contains("pipe:"))
        #expect(!links.contains("socket:"))
    }

    @Test("the program sees no secret and no PostgreSQL variable of our environment")
    func environment() throws {
        let ours = [
            "PATH": "/bin:/usr/bin", "PGPORT": "1", "LANDFALL_TOKEN_KEY": "secret", "LC_ALL": "de_DE",
        ]
        let passedOn = Command.passedOn(from: ours)
        #expect(passedOn == ["PATH": "/bin:/usr/bin", "LC_ALL": "C"])
        let command = Command(program: "/usr/bin/env", arguments: [], environment: passedOn)
        #expect(try command.run().output.split(separator: "\n").contains("LC_ALL=C"))
    }

    @Test("a signal that we ignore is not ignored by the program")
    func ignoredSignal() throws {
        // Tests run in parallel: no other test uses this signal.
        let before = signal(SIGQUIT, SIG_IGN)
        defer { _ = signal(SIGQUIT, before) }
        #expect(try shell("ulimit -c 0; kill -QUIT $$; exit 0").status == 128 + SIGQUIT)
    }

    private func shell(_ script: String) throws -> Command.Outcome {
        try Command(program: "/bin/sh", arguments: ["-c", script]).run()
    }
}
