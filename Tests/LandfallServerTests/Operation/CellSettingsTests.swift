import DeliveryModel
import Foundation
import PostgresClient
import Settings
import Testing

@testable import LandfallServer

/// `database.cells`.
@Suite struct CellSettingsTests {
    private static let two =
        #"[{"cell":3,"url":"postgres://u:s3cret@b/l","schema":"landfall_3"},{"cell":0,"url":"postgres://u:s3cret@a/l"}]"#

    private func settings(
        _ cells: String, flags: [String: String] = [:], _ more: [String: String] = [:]
    ) throws(SettingsError) -> EffectiveSettings {
        try EffectiveSettings(
            flags: flags, environment: more.merging(["LANDFALL_DATABASE_CELLS": cells]) { $1 })
    }

    private func problems(_ cells: String, flags: [String: String] = [:], _ more: [String: String] = [:])
        -> [String]
    {
        do {
            _ = try settings(cells, flags: flags, more)
            return []
        } catch {
            return error.problems
        }
    }

    private func places(_ values: some DatabaseSettings) -> [String] {
        values.cells.map { "\($0.cell) \($0.url) \($0.schema)" }
    }

    @Test("without the setting, there is one cell 0, in database.url, or in the private database")
    func one() throws {
        #expect(places(ServerConfiguration(databaseURL: "host=h")) == ["0 host=h landfall"])
        #expect(!ServerConfiguration(databaseURL: "host=h").usesPrivateDatabase)
        #expect(places(ServerConfiguration()) == ["0  landfall"])
        #expect(ServerConfiguration().usesPrivateDatabase)
    }

    @Test("cells are ordered by number, and have the schema landfall unless another is named")
    func several() throws {
        let values = try settings(Self.two).values
        #expect(
            places(values) == ["0 postgres://u:s3cret@a/l landfall", "3 postgres://u:s3cret@b/l landfall_3"])
        #expect(!values.usesPrivateDatabase)
    }

    @Test("a configuration file and a credential have the list as well")
    func sources() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("landfall.json")
        try Data(#"{"database": {"cells": \#(Self.two)}}"#.utf8).write(to: file)
        let fromFile = try EffectiveSettings(file: file.path, environment: [:])
        #expect(places(fromFile.values).count == 2)
        #expect(fromFile.warnings.isEmpty)
        try Data((Self.two + "\n").utf8).write(to: folder.appendingPathComponent("database.cells"))
        let credential = try EffectiveSettings(environment: ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(places(credential.values).count == 2)
    }

    @Test("what is read can be written again")
    func roundTrip() throws {
        let setting = try #require(ServerSetting.named("database.cells"))
        let values = try settings(Self.two).values
        var others = ServerConfiguration()
        #expect(setting.write(setting.read(values), &others))
        #expect(places(others) == places(values))
        #expect(setting.read(others) == setting.read(values))
    }

    @Test("the password of each URL is hidden, and nothing of a wrong value is shown")
    func secrecy() throws {
        let settings = try settings(Self.two)
        for text in [settings.table, settings.json] {
            #expect(text.contains("postgres://u:***@a/l") && text.contains("postgres://u:***@b/l"))
            #expect(text.contains("landfall_3"))
            #expect(!text.contains("s3cret"))
        }
        for wrong in ["postgres://u:s3cret@a/l", #"[{"cell":1,"url":"postgres://u:s3cret@a/l"}]"#] {
            #expect(!problems(wrong).isEmpty)
            #expect(!problems(wrong).joined().contains("s3cret"))
        }
    }

    @Test("every mistake in the list is reported at once")
    func mistakes() {
        let problems = problems(
            #"""
            [{"cell":1,"url":"a"},{"cell":1,"url":"b"},{"cell":256,"url":"c"},{"url":"c"},{"cell":2},
             {"cell":3,"url":"d","schema":"Three"},{"cell":4,"url":"d","schema":"pg_4"},{"cell":5,"url":"d","schema":5},
             {"cell":7,"url":"d","schema":"user"},{"cell":6,"url":"a"}]
            """#)
        let schema =
            "must be a lowercase letter and up to 40 lowercase letters, digits and _, with at least one digit or _, such as landfall_"
        let rest = ", and no name that PostgreSQL uses"
        #expect(
            problems
                == [
                    "cell 1 is listed twice: each cell has one database and one schema",
                    "each entry needs a \"cell\" from 0 to 255", "each entry needs a \"cell\" from 0 to 255",
                    "cell 2 needs a \"url\": a private database has no cells",
                    "the \"schema\" of cell 3 \(schema)3\(rest)",
                    "the \"schema\" of cell 4 \(schema)4\(rest)",
                    "the \"schema\" of cell 5 \(schema)5\(rest)",
                    "the \"schema\" of cell 7 \(schema)7\(rest)",
                    "cells 1 and 6 have the same url and schema: give one of them a \"schema\" such as landfall_6",
                    "there is no cell 0, which has the people and the directory of all apps",
                ].map { "environment LANDFALL_DATABASE_CELLS: database.cells: \($0)" })
    }

    @Test(
        "what is not a list of cells is rejected with an example",
        arguments: ["host=h", "{}", #"{"cell":0,"url":"a"}"#, "[1]", "[", #"["a"]"#])
    func shape(text: String) {
        let problems = problems(text)
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix(
                #"environment LANDFALL_DATABASE_CELLS: database.cells must be a JSON array such as [{"cell":0,"#
            )
                == true)
    }

    @Test("database.url cannot be set next to database.cells, wherever the two come from")
    func twoSettings() {
        let environment = "environment LANDFALL_DATABASE_CELLS"
        #expect(
            problems(Self.two, flags: ["database.url": "host=h"]) == [
                "flag --database: database.url cannot be set next to database.cells (\(environment)): leave one of them out"
            ])
        #expect(
            problems("[]", ["LANDFALL_DATABASE_URL": "host=h"]) == [
                "\(environment): database.cells: there is no cell 0, which has the people and the directory of all apps",
                "environment LANDFALL_DATABASE_URL: database.url cannot be set next to database.cells (\(environment)): leave one of them out",
            ])
        #expect(problems(Self.two, ["LANDFALL_DATABASE_URL": ""]).isEmpty)
    }
}
