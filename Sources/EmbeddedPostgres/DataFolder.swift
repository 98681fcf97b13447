public import Foundation

/// The folder in which Landfall keeps what it needs on this machine.
///
/// `LANDFALL_DATA` names it; without that it is `~/.landfall`.
public struct DataFolder: Sendable, Equatable {
    /// Where the folder is, whether it exists yet or not. An absolute path.
    public let url: URL

    /// Names the folder that the environment asks for; touches nothing on disk.
    ///
    /// A relative `LANDFALL_DATA` counts from the working directory; `~/` at its start means the home folder.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let asked = environment["LANDFALL_DATA"] ?? ""
        self.init(path: asked.isEmpty ? "~/.landfall" : asked, home: Self.home(in: environment))
    }

    init(url: URL) {
        self.url = url
    }

    private init(path: String, home: URL) {
        if path == "~" {
            url = home
        } else if path.hasPrefix("~/") {
            url = home.appendingPathComponent(String(path.dropFirst(2)), isDirectory: true)
        } else {
            url = URL(fileURLWithPath: path, isDirectory: true).absoluteURL.standardizedFileURL
        }
    }

    private static func home(in environment: [String: String]) -> URL {
        let home = environment["HOME"] ?? ""
        return URL(fileURLWithPath: home.isEmpty ? NSHomeDirectory() : home, isDirectory: true)
    }

    /// Creates the folder with mode 0700 when it is absent, and its parents with the usual mode.
    ///
    /// A folder that exists keeps its mode: an administrator may have opened it on purpose.
    /// - Throws: ``EmbeddedPostgresError`` when the folder cannot be created.
    public func create() throws(EmbeddedPostgresError) {
        try Folder(path: url.path).createWithParents()
    }
}
