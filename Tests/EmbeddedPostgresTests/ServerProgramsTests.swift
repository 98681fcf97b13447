import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite("Finding PostgreSQL's programs")
struct ServerProgramsTests {
    @Test("without PostgreSQL, the error says what to install, and that an existing server will do")
    func notInstalled() throws {
        let error = #expect(throws: EmbeddedPostgresError.postgresNotInstalled) {
            try ServerPrograms.find(in: ["PATH": "/nowhere"], places: [], madeBy: nil, cluster: "")
        }
        let message = try #require(error).description
        #expect(message.contains("apt-get install postgresql"))
        #expect(message.contains("brew install postgresql@17"))
        #expect(message.contains("LANDFALL_DATABASE_URL"))
    }

    @Test("names a LANDFALL_PG_BIN without the programs, and tries nothing else")
    func wrongFolder() throws {
        try ScratchFolder.with { scratch in
            let environment = ["PATH": "/usr/bin", "LANDFALL_PG_BIN": "/nowhere"]
            let error = #expect(throws: EmbeddedPostgresError.self) {
                try scratch.startOrFind(environment: environment)
            }
            #expect(error?.description.contains("LANDFALL_PG_BIN is /nowhere") == true)
        }
    }

    @Test("tries nothing but LANDFALL_PG_BIN if it holds the programs")
    func askedFolder() throws {
        let installed = try #require(
            try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment).first)
        let environment = ["LANDFALL_PG_BIN": installed.folder, "PATH": "/usr/bin"]
        #expect(try ServerPrograms.candidates(in: environment) == [installed])
    }

    @Test("follows a link to initdb in the search path to the folder with the other programs")
    func linkedProgram() throws {
        try ScratchFolder.with { scratch in
            let installed = try #require(
                try ServerPrograms.candidates(in: ProcessInfo.processInfo.environment).first)
            try FileManager.default.createSymbolicLink(
                atPath: scratch.root.path + "/initdb", withDestinationPath: installed.path(of: "initdb"))
            #expect(try ServerPrograms.candidates(in: ["PATH": scratch.root.path], []).contains(installed))
        }
    }

    @Test("tries packages newest first, by number and not by letter")
    func newestFirst() throws {
        try ScratchFolder.with { scratch in
            for name in ["pg-9.6", "pg-15", "pg-17", "other", "pg-x"] {
                try FileManager.default.createDirectory(
                    at: scratch.root.appendingPathComponent(name), withIntermediateDirectories: true)
            }
            let place = PackagePlace(parent: scratch.root.path, prefix: "pg-")
            let expected = ["pg-17", "pg-15", "pg-9.6"].map { "\(scratch.root.path)/\($0)/bin" }
            #expect(place.folders == expected)
        }
    }

    @Test("a cluster of another major version is not started with the wrong programs")
    func otherVersion() throws {
        try ScratchFolder.with { scratch in
            try scratch.startOrFind().release()
            let file = try scratch.cluster().folder.child("PG_VERSION")
            try "9.3\n".write(toFile: file, atomically: false, encoding: .utf8)
            let error = #expect(throws: EmbeddedPostgresError.self) { try scratch.startOrFind() }
            #expect(error?.description.contains("was created by PostgreSQL 9.3") == true)
            #expect(error?.description.contains("apt-get install postgresql-9.3") == true)
        }
    }

    @Test(
        "reads the major version from what the server and the cluster state",
        arguments: [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "15"),
            ("postgres (PostgreSQL) 18beta1", "18"),
            ("postgres (PostgreSQL) 9.6.24", "9.6"),
            ("17\n", "17"),
            ("nonsense", ""),
        ])
    func majorVersion(text: String, expected: String) {
        #expect(ServerPrograms.majorVersion(in: text) == expected)
    }
}
