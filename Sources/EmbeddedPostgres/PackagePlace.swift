import Foundation

/// A place where packages install the programs of several versions side by side, such as `/usr/lib/postgresql/15/bin`.
struct PackagePlace: Sendable {
    let parent: String
    let prefix: String

    static let usual = [
        PackagePlace(parent: "/usr/lib/postgresql", prefix: ""),
        PackagePlace(parent: "/usr", prefix: "pgsql-"),
        PackagePlace(parent: "/opt/homebrew/opt", prefix: "postgresql@"),
        PackagePlace(parent: "/usr/local/opt", prefix: "postgresql@"),
    ]

    /// The folders with programs, newest version first.
    var folders: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .compactMap { name in Double(name.dropFirst(prefix.count)).map { (version: $0, name: name) } }
            .sorted { $0.version > $1.version }
            .map { "\(parent)/\($0.name)/bin" }
    }
}
