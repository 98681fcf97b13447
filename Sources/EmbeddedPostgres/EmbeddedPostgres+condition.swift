public import Foundation

extension EmbeddedPostgres {
    /// The state of the cluster in a data folder.
    public enum Condition: Hashable, Sendable {
        /// There is no cluster; ``startOrFind(dataFolder:settings:environment:)`` would create one.
        case absent
        /// There is a cluster, but no server is running.
        case stopped
        case running
    }

    /// Reads the condition and changes nothing. Another program may change it the moment after.
    public static func condition(of dataFolder: URL) -> Condition {
        let link = Folder(path: Folder(path: dataFolder.path).child("cluster"))
        // A dangling link names a cluster that is not mounted: starting it reports that.
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
