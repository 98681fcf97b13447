public import Foundation

extension EmbeddedPostgres {
    /// What a look at a data folder tells.
    public enum Condition: Hashable, Sendable {
        /// There is no cluster; ``startOrFind(dataFolder:settings:environment:)`` would make one.
        case absent
        /// There is one, and no server runs it.
        case stopped
        case running
    }

    /// Looks, and touches nothing. Somebody else may change it the moment after.
    public static func condition(of dataFolder: URL) -> Condition {
        let link = Folder(path: Folder(path: dataFolder.path).child("cluster"))
        // A link that leads nowhere names a cluster that is not mounted: starting it says so.
        guard link.resolved != nil || !link.isLink else { return .stopped }
        guard let cluster = link.resolved, access(cluster.child("PG_VERSION"), F_OK) == 0 else {
            return .absent
        }
        switch PostmasterFile.server(of: cluster) {
        case .ready, .changing: return .running
        case .absent, .mistaken: return .stopped
        }
    }
}
