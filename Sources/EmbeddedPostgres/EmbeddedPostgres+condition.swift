public import Foundation

extension EmbeddedPostgres {
    /// The state of the cluster in a data folder.
    public enum Condition: Hashable, Sendable {
        /// There is no cluster; ``startOrFind(dataFolder:settings:environment:)`` would create one.
        case absent
        /// There is a cluster, but no server is running.
        case stopped
        case running
        /// There may be one, but only this user, and root, may enter the data folder.
        case closed(owner: String)
    }

    /// Reads the condition and changes nothing. Another program may change it the moment after.
    public static func condition(of dataFolder: URL) -> Condition {
        if access(dataFolder.path, X_OK) != 0, errno == EACCES {
            return .closed(owner: ownerName(of: dataFolder))
        }
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
    private static func ownerName(of folder: URL) -> String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
        return attributes?[.ownerAccountName] as? String ?? "another user"
    }
}
