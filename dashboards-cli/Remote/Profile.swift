internal import Access
internal import Foundation

/// A server to ask for reports, and the key to ask with.
struct Profile: Codable, Equatable, Sendable {
    /// `https://push.example.com`, with no slash at its end.
    let server: String
    /// A key of kind report, which belongs to one app.
    let key: String
    /// The address of the console, if it has one of its own (`web.port`).
    let console: String?

    /// - Throws: ``ProfileProblem`` for an address or a key that no report can be asked with.
    init(server: String, key: String, console: String? = nil) throws(ProfileProblem) {
        self.server = try Self.address(server)
        self.key = try Self.reportKey(key)
        self.console = try console.map { text throws(ProfileProblem) in try Self.address(text) }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            server: values.decode(String.self, forKey: .server),
            key: values.decode(String.self, forKey: .key),
            console: values.decodeIfPresent(String.self, forKey: .console))
    }

    /// Where its pages are.
    var pages: String { console ?? server }

    /// The key's first characters.
    var keyPrefix: String { APIKey.prefix(of: key) }

    /// Whether the key can be read on its way to the server.
    var isUnencrypted: Bool { server.hasPrefix("http://") && !isOnThisMachine }

    private var isOnThisMachine: Bool {
        let host = URL(string: server)?.host() ?? ""
        let isAddress = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        return host == "localhost" || host == "::1" || isAddress && host.hasPrefix("127.")
    }

    /// The address of a server, with no slash at its end.
    static func address(_ text: String) throws(ProfileProblem) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), !(parts.host ?? "").isEmpty
        else { throw .notAnAddress(text) }
        guard parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil else {
            throw .moreThanAnAddress(text)
        }
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        return address
    }

    private static func reportKey(_ text: String) throws(ProfileProblem) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        if let other = APIKey.Kind.allCases.first(where: { text.hasPrefix("lf_\($0.rawValue)_") }),
            other != .report
        {
            throw .otherKind(other.rawValue)
        }
        guard isPlain, text.hasPrefix("lf_report_") else { throw .notAKey }
        return text
    }
}
