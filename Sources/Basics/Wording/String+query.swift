internal import Foundation

extension String {
    /// As a name or value in a query, or a segment of a path: everything but unreserved characters (RFC 3986,
    /// section 2.3) is percent-encoded.
    public var queryEncoded: String { addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "" }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
