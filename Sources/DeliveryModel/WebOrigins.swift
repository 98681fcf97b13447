/// The origins whose pages may use an app's device keys (`landfall app set cors_origins`).
public struct WebOrigins: Hashable, Sendable {
    /// Stands for every origin.
    public static let everyOrigin = "*"

    private let names: Set<String>

    public init(_ names: [String] = []) {
        self.names = Set(names)
    }

    public func contains(_ origin: String) -> Bool {
        names.contains(origin) || names.contains(Self.everyOrigin)
    }

    /// Whether the text is an origin as browsers send it: `scheme://host` in lowercase, with a port only if
    /// it is not the scheme's own.
    package static func isOrigin(_ text: String) -> Bool {
        guard text.utf8.count <= FieldLimits.origin,
            let match = text.wholeMatch(of: #/([a-z][a-z0-9+.-]*)://([^:/]+)(?::([0-9]+))?/#)
        else { return false }
        let (scheme, host) = (match.output.1, match.output.2)
        guard host.wholeMatch(of: #/[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?/#) != nil else { return false }
        guard let digits = match.output.3 else { return true }
        guard digits.first != "0", let port = Int(digits), port <= 65_535 else { return false }
        return !((scheme == "http" && port == 80) || (scheme == "https" && port == 443))
    }
}
