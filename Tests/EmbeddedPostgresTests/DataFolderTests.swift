import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite("The data folder")
struct DataFolderTests {
    @Test(
        "is named by LANDFALL_DATA; the default is ~/.landfall",
        arguments: [
            (["HOME": "/home/ada"], "/home/ada/.landfall"),
            (["HOME": "/home/ada", "LANDFALL_DATA": ""], "/home/ada/.landfall"),
            (["HOME": "/home/ada", "LANDFALL_DATA": "/srv/landfall"], "/srv/landfall"),
            (["HOME": "/home/ada", "LANDFALL_DATA": "/srv/x/../landfall/"], "/srv/landfall"),
            (["HOME": "/home/ada", "LANDFALL_DATA": "~/pushes"], "/home/ada/pushes"),
            (["HOME": "/home/ada", "LANDFALL_DATA": "~"], "/home/ada"),
        ])
    func location(environment: [String: String], expected: String) {
        #expect(DataFolder(environment: environment).url.path == expected)
    }

    @Test("a relative LANDFALL_DATA counts from the working directory")
    func relative() {
        let expected = FileManager.default.currentDirectoryPath + "/pushes"
        #expect(DataFolder(environment: ["LANDFALL_DATA": "pushes"]).url.path == expected)
    }

    @Test("is created with its parents and closed to other users")
    func creation() throws {
        try ScratchFolder.with("a/b/c") { scratch in
            let folder = DataFolder(url: scratch.dataFolder)
            try folder.create()
            try folder.create()
            #expect(mode(of: scratch.dataFolder.path) == 0o700)
        }
    }

    @Test("is named together with LANDFALL_DATA if it cannot be created")
    func impossible() {
        let error = #expect(throws: EmbeddedPostgresError.self) {
            try DataFolder(environment: ["LANDFALL_DATA": "/dev/null/landfall"]).create()
        }
        #expect(error?.description.contains("/dev/null") == true)
        #expect(error?.description.contains("LANDFALL_DATA") == true)
    }
}
