import Testing

@testable import EmbeddedPostgres

@Suite("Settings of a private cluster")
struct ServerSettingsTests {
    @Test("reach the server character by character, whatever a shell would make of them")
    func literalValue() throws {
        try ScratchFolder.with { scratch in
            let value = #"it's $HOME `date` "x" \ "#
            let postgres = try scratch.startOrFind(["log_line_prefix": value])
            let response = try scratch.ask(
                "SELECT '<' || current_setting('log_line_prefix') || '>'", of: postgres)
            #expect(response == "<\(value)>")
            try postgres.release()
        }
    }

    @Test("a setting that the server rejects ends in an error that quotes the log")
    func refusedValue() throws {
        try ScratchFolder.with { scratch in
            let error = #expect(throws: EmbeddedPostgresError.self) {
                try scratch.startOrFind(["shared_buffers": "plenty"])
            }
            #expect(
                error?.description.contains(#"invalid value for parameter "shared_buffers": "plenty""#)
                    == true)
            #expect(error?.description.contains("server.log") == true)
            let postgres = try scratch.startOrFind()
            #expect(try scratch.ask("SELECT 1", of: postgres) == "1")
            try postgres.release()
        }
    }

    @Test(
        "that keep the cluster private and findable cannot be changed",
        arguments: ["listen_addresses", "port", "Unix_Socket_Directories", "hba_file"])
    func fixedSetting(name: String) {
        #expect(
            throws: EmbeddedPostgresError.settingRefused(
                name: name, reason: "is fixed for the embedded cluster")
        ) {
            try ServerSettings([name: "x"])
        }
    }

    @Test(
        "an impossible name is rejected", arguments: ["", "a b", "x=y", "1x", "a'b", "-c", "ä"])
    func malformedName(name: String) {
        #expect(throws: EmbeddedPostgresError.self) { try ServerSettings([name: "x"]) }
    }
}
