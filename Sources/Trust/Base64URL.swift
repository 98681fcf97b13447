public import Foundation

extension Data {
    /// Base64 with `-` and `_`, without padding (RFC 4648, 5): it fits into headers, query strings and JSON.
    public var base64URL: String {
        base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Returns `nil` if the text is not base64url. Padding is optional, and `+` and `/` are read, too.
    public init?(base64URL text: String) {
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        self.init(base64Encoded: base64)
    }
}
