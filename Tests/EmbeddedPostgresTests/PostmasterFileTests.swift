import Testing

@testable import EmbeddedPostgres

@Suite("The server's pid file")
struct PostmasterFileTests {
    @Test("number, socket folder and readiness are read from their lines")
    func complete() throws {
        let file = try #require(PostmasterFile("4711\n/c\n1700000000\n5432\n/run/x\n\n 1 2\nready   \n"))
        #expect(file.serverID == 4711)
        #expect(file.socketFolder == "/run/x")
        #expect(file.isReady)
    }

    @Test(
        "a file that is still being written is not ready",
        arguments: ["4711\n/c\n", "4711\n/c\n1\n5432\n/r\n\n1\nstarting\n"])
    func incomplete(text: String) throws {
        #expect(try #require(PostmasterFile(text)).isReady == false)
    }

    @Test("a file without a number is none", arguments: ["", "\n", "x\n", "0\n", "99999999999999999999\n"])
    func nonsense(text: String) {
        #expect(PostmasterFile(text) == nil)
    }
}
