import Settings
import TestDatabase

@testable import LandfallServer

extension ServerConfiguration {
    /// The configuration of a server on a test's database.
    ///
    /// - Parameter url: as for `TestDatabase.connect(to:)`.
    init(testing url: String) {
        self.init()
        use(url)
    }

    /// The limit of a server of which the test's cell gets this much: of several, one alone has two thirds.
    static func limit(ofCell share: Int) -> Int {
        TestDatabase.hasSeveralCells ? (share * 3 + 1) / 2 : share
    }

    /// Names the database.
    ///
    /// - Parameter url: as for `TestDatabase.connect(to:)`.
    mutating func use(_ url: String) {
        guard TestDatabase.needsCellSetting else {
            databaseURL = url
            return
        }
        let setting = ServerSetting.all.first { $0.name == "database.cells" }
        let isSet = setting?.write(TestDatabase.cells(naming: url), &self) ?? false
        precondition(isSet, "this server has no other schema than landfall")
    }
}
