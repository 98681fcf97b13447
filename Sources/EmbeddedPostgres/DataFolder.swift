public import Foundation

/// The folder for everything that Landfall keeps on this machine.
///
/// `LANDFALL_DATA` names it; the default is `~/.landfall`.
public struct DataFolder: Sendable, Equatable {
    /// The absolute path of the folder, whether or not it exists yet.
    public let url: URL

    /// Creates the folder with mode 0700 if it is absent, and its parents with the usual mode.
    ///
    /// An existing folder keeps its mode, because an administrator may have opened it on purpose.
    /// - Throws: ``EmbeddedPostgresError`` if the folder cannot be created.
    public func create() throws(EmbeddedPostgresError) {
        try Folder(path: url.path).createWithParents()
    }
}

extension DataFolder {
    /// Reads the path from the environment; does not access the disk.
    ///
    /// A relative `LANDFALL_DATA` is relative to the working directory; a leading `~/` means the home folder.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        func variable(_ name: String, else other: String) -> String {
            environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? other
        }
        let home = URL(fileURLWithPath: variable("HOME", else: NSHomeDirectory()), isDirectory: true)
        let path = variable("LANDFALL_DATA", else: "~/.landfall")
        if path == "~" {
            url = home
        } else if path.hasPrefix("~/") {
            url = home.appendingPathComponent(String(path.dropFirst(2)), isDirectory: true)
        } else {
            url = URL(fileURLWithPath: path, isDirectory: true).absoluteURL.standardizedFileURL
        }
    }
}
