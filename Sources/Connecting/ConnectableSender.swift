public import Access

/// A program, library or service that sends pushes, and how its responses come to Landfall.
public struct ConnectableSender: Hashable, Sendable {
    public enum Way: Hashable, Sendable {
        /// A client library of this project wraps the sender's.
        case library
        /// Code to copy from the sender's page, because a library for it is missing.
        case copy
        /// The sender posts by itself to `POST /v1/intake/{name}`.
        case hook
    }

    /// As in `landfall connect`, and the name of its page.
    public let name: String
    public let title: String
    public let way: Way
    /// What to paste, with `{url}` and `{key}` in it.
    private let template: String
    /// What Landfall does not learn this way; `nil` if it is nothing.
    public let loss: String?
    /// What has to arrive until it counts as connected.
    public let end: ConnectEnd

    init(
        _ name: String, _ title: String, _ way: Way, until end: ConnectEnd = .meeting, loss: String? = nil,
        _ template: String
    ) {
        (self.name, self.title, self.way, self.end) = (name, title, way, end)
        (self.template, self.loss) = (template, loss)
    }

    /// The kind of key that it posts with. Hooks have one of their own, because others may read it.
    public var keyKind: APIKey.Kind { way == .hook ? .hook : .server }

    /// Stands for its key until there is one.
    public var keyPlaceholder: String { "lf_\(keyKind.rawValue)_…" }

    /// Its page among the documents.
    public var page: String { "docs/connect/\(name).md" }

    /// The lines or the configuration to paste.
    ///
    /// - Parameters:
    ///   - url: the address of the server, without a slash at its end.
    ///   - key: a key of its kind, or ``keyPlaceholder``.
    public func setup(url: String, key: String) -> String {
        template.replacing("{url}", with: url).replacing("{key}", with: key)
    }

    public static let all = pythonSenders + nodeSenders + otherLibraries + hooks

    public static func named(_ name: String) -> ConnectableSender? { all.first { $0.name == name } }
}
