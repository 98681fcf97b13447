import Testing

@testable import LandfallServer

@Suite struct OpenFilesTests {
    @Test("the limit is raised as far as it may be, and stays")
    func raised() {
        let limit = OpenFiles.raiseLimit()
        #expect(limit >= 256)
        #expect(OpenFiles.raiseLimit() == limit)
    }

    @Test(
        "connections fit into the open files, with some to spare",
        arguments: [
            (4_096, 65_536, 4_096), (4_096, 4_096, 3_696), (4_096, 1_024, 624), (100, 1_024, 100),
            (4_096, 256, 128),
        ])
    func fit(wanted: Int, files: Int, connections: Int) {
        #expect(OpenFiles.connections(wanted, ofFiles: files) == connections)
    }
}
