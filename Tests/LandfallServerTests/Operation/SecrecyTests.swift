import Foundation
import Settings
import Testing

@testable import LandfallServer

@Suite struct SecrecyTests {
    @Test(
        "a connection string is shown without its password",
        arguments: [
            ("postgres://u:s3cret@h/db", "postgres://u:***@h/db"),
            ("postgresql://u:s3@cr/et@h:5/db", "postgresql://u:***@h:5/db"),
            ("postgres://u:s3c?ret@h/db", "postgres://u:***@h/db"),
            ("postgres://u@h/db?sslmode=require", "postgres://u@h/db?sslmode=require"),
            ("postgres:///db?user=u&pass%77ord=s3cret&x=1", "postgres:///db?user=u&pass%77ord=***&x=1"),
            ("postgres://u@h/db?sslpassword=s3cret", "postgres://u@h/db?sslpassword=***"),
            ("host=h password=s3cret dbname=d", "host=h password=*** dbname=d"),
            (#"host=h PASSWORD = 's3 c\'ret' dbname=d"#, "host=h PASSWORD = *** dbname=d"),
            (#"password=s3\ cret user=u"#, "password=*** user=u"),
            ("password='s3cret never closed", "password=***"),
            ("host=/run/landfall", "host=/run/landfall"),
        ])
    func passwords(text: String, shown: String) {
        #expect(ConnectionString.redacted(text) == shown)
        #expect(!ConnectionString.redacted(text).contains("s3"))
    }

    @Test("config shows no secret")
    func shown() throws {
        let key = Data((1...32).map { UInt8($0) }).base64EncodedString()
        let settings = try EffectiveSettings(
            flags: ["database.url": "postgres://u:s3cret@h/db"], environment: ["LANDFALL_TOKEN_KEY": key])
        for text in [settings.table, settings.json] {
            #expect(text.contains("postgres://u:***@h/db"))
            #expect(!text.contains("s3cret"))
            #expect(!text.contains(key))
            #expect(text.contains("environment LANDFALL_TOKEN_KEY"))
        }
    }

    @Test("the error for a wrong token key does not quote it")
    func wrongKey() {
        let error = #expect(throws: SettingsError.self) {
            _ = try EffectiveSettings(environment: ["LANDFALL_TOKEN_KEY": "s3cret"])
        }
        #expect(error?.problems.count == 1)
        #expect(error?.description.contains("token.key must be 32 bytes in base64") == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("config as JSON has numbers, booleans and strings as such, and each origin")
    func json() throws {
        struct Document: Decodable {
            struct Row: Decodable {
                let name: String
                let value: Value
                let origin: String
                let environment: String
            }

            enum Value: Decodable, Equatable {
                case number(Double), truth(Bool), text(String), list

                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if let truth = try? container.decode(Bool.self) {
                        self = .truth(truth)
                    } else if let number = try? container.decode(Double.self) {
                        self = .number(number)
                    } else if let text = try? container.decode(String.self) {
                        self = .text(text)
                    } else {
                        self = .list
                    }
                }
            }

            let settings: [Row]
        }
        let settings = try EffectiveSettings(
            flags: ["port": "81"], environment: ["LANDFALL_LOG_ACCESS": "on"])
        let document = try JSONDecoder().decode(Document.self, from: Data(settings.json.utf8))
        #expect(document.settings.map(\.name) == ServerSetting.all.map(\.name))
        func row(_ name: String) -> Document.Row? { document.settings.first { $0.name == name } }
        #expect(row("port")?.value == .number(81))
        #expect(row("port")?.origin == "flag")
        #expect(row("log.access")?.value == .text("on"))
        #expect(row("database.cells")?.value == .list)
        #expect(row("log.access")?.environment == "LANDFALL_LOG_ACCESS")
        #expect(row("maintenance.enabled")?.value == .truth(true))
        #expect(row("maintenance.enabled")?.origin == "default")
    }
}
