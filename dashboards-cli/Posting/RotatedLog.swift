internal import Foundation

/// A file that a log was rotated to.
struct RotatedLog {
    let path: String
    let facts: FileFacts

    var isCompressed: Bool { path.contains(#/\.(?:gz|bz2|xz|zst|Z)$/#) }

    /// Files that are named like the log with a number or date after it (`access.log.1`,
    /// `access.log-20261127`, `access.log.2.gz`), the oldest first.
    static func files(of log: String) -> [RotatedLog] {
        let url = URL(fileURLWithPath: log)
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let files = names.compactMap { name -> RotatedLog? in
            guard name.hasPrefix(url.lastPathComponent),
                name.dropFirst(url.lastPathComponent.count)
                    .wholeMatch(of: #/[.\-_][0-9][0-9.\-_:T]*(?:\.?(?:gz|bz2|xz|zst|Z))?/#) != nil
            else { return nil }
            let path = folder.appendingPathComponent(name).path
            return FileFacts(path).map { RotatedLog(path: path, facts: $0) }
        }
        return files.sorted { ($0.facts.changed, $1.path) < ($1.facts.changed, $0.path) }
    }

    /// Whether it has lines written after this time. A compressed file has the time of its original.
    func isNewer(than time: Int) -> Bool { isCompressed ? facts.changed > time : facts.changed >= time }
}
