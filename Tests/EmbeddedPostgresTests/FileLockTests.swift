import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite("File locks")
struct FileLockTests {
    @Test("several holders share a lock, and none has it exclusively until all have dropped it")
    func sharing() throws {
        try ScratchFolder.with { scratch in
            let path = scratch.root.path + "/lock"
            let first = try FileLock.shared(at: path)
            let second = try FileLock.shared(at: path)
            #expect(try FileLock.exclusiveIfFree(at: path) == nil)
            first.drop()
            first.drop()
            #expect(try FileLock.exclusiveIfFree(at: path) == nil)
            second.drop()
            let alone = try #require(try FileLock.exclusiveIfFree(at: path))
            #expect(try FileLock.exclusiveIfFree(at: path) == nil)
            alone.drop()
        }
    }

    @Test("waiting for a lock that is not dropped ends with an error that names the file")
    func patience() throws {
        try ScratchFolder.with { scratch in
            let path = scratch.root.path + "/lock"
            let held = try FileLock.shared(at: path)
            defer { held.drop() }
            #expect(throws: EmbeddedPostgresError.busy(lockFile: path, seconds: 0)) {
                try FileLock.exclusive(at: path, within: 0)
            }
        }
    }

    @Test("are not inherited by programs started meanwhile")
    func notInherited() throws {
        try ScratchFolder.with { scratch in
            let path = scratch.root.path + "/lock"
            let lock = try #require(try FileLock.exclusiveIfFree(at: path))
            let inBackground = ["-c", "sleep 5 >/dev/null 2>&1 & exit 0"]
            #expect(try Command(program: "/bin/sh", arguments: inBackground).run().status == 0)
            lock.drop()
            let again = try #require(try FileLock.exclusiveIfFree(at: path))
            again.drop()
        }
    }
}
