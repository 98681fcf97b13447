import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite("The machine's memory") struct MachineMemoryTests {
    @Test(
        "PostgreSQL's cache is an eighth of the memory, within bounds",
        arguments: [(512, 128), (2_048, 256), (8_192, 1_024), (65_536, 2_048)])
    func sharedBuffers(megabytes: Int, expected: Int) {
        #expect(MachineMemory(megabytes: megabytes).sharedBufferMegabytes == expected)
    }

    @Test(
        "the limit of a container counts if it is lower than the machine's memory",
        arguments: [("1073741824\n", 1_024), ("max\n", 4_096), ("9223372036854771712\n", 4_096)])
    func limit(text: String, expected: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let memory = MachineMemory(physicalBytes: 4 << 30, limits: ["/nowhere/at/all", file.path])
        #expect(memory == MachineMemory(megabytes: expected))
    }

    @Test("the configuration contains the computed size")
    func configuration() {
        let text = ServerSettings.defaults(hasLZ4: false, memory: MachineMemory(megabytes: 4_096))
        #expect(text.contains("\nshared_buffers = 512MB\n"))
        #expect(text.contains("\neffective_cache_size = 2048MB\n"))
    }
}
