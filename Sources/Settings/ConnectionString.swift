internal import Foundation

/// Makes a libpq connection string safe to show: a URL (`postgres://…`) or `key=value` pairs.
public enum ConnectionString {
    private static let hidden = "***"

    /// The text with each password replaced. If in doubt, hides more than necessary.
    public static func redacted(_ text: String) -> String {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
            ? redactedURL(text) : redactedPairs(text)
    }

    /// `postgres://user:password@host/db?password=…`. An unescaped password may contain `/`, `?` and `@`.
    private static func redactedURL(_ text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        // An unescaped question mark in the password would hide its end in the query.
        guard parts.count == 1 || !parts[1].contains("@") else { return redactedAuthority(text) }
        let query = parts.dropFirst().map { query in
            query.split(separator: "&", omittingEmptySubsequences: false).map(redactedParameter)
                .joined(separator: "&")
        }
        return ([redactedAuthority(parts[0])] + query).joined(separator: "?")
    }

    private static func redactedAuthority(_ text: String) -> String {
        text.replacing(/^(postgres(?:ql)?:\/\/[^:@\/]*):.*@/) { "\($0.1):\(hidden)@" }
    }

    private static func redactedParameter(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        let isSecret = String(name).removingPercentEncoding.map(holdsSecret) ?? true
        return isSecret ? "\(name)=\(hidden)" : String(pair)
    }

    /// Values may be in quotes; a backslash escapes.
    private static func redactedPairs(_ text: String) -> String {
        text.replacing(/([A-Za-z_]+)(\s*=\s*)('(?:[^'\\]|\\.)*(?:'|$)|(?:\\.|[^\s\\])*)/) { match in
            holdsSecret(String(match.1)) ? "\(match.1)\(match.2)\(hidden)" : String(match.0)
        }
    }

    /// `password`, `sslpassword`
    private static func holdsSecret(_ name: String) -> Bool { name.lowercased().hasSuffix("password") }
}
