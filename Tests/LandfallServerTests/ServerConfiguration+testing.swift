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
