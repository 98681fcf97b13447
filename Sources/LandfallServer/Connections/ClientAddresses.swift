internal import HTTPTypes
internal import NIOCore

/// Determines a request's client by address.
///
/// That is the socket's address, unless it is a trusted proxy's. Then it is the address nearest to the server
/// in `X-Forwarded-For` or `Forwarded` (RFC 7239) that is not a trusted proxy's; any client may have forged
/// the entries to the left of it. If the two fields name different clients, the proxy wrote only one of them,
/// and neither is trusted.
struct ClientAddresses: Sendable {
    let trustedProxies: [AddressRange]

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    private static let forwarded = HTTPField.Name("Forwarded")

    func client(_ headers: HTTPFields, socket: SocketAddress?) -> IPAddress {
        client(socket.flatMap { IPAddress($0) }) { headers[values: $0] }
    }

    /// - Parameter values: returns the values of the header fields with a name.
    func client(_ socket: IPAddress?, values: (HTTPField.Name) -> [String]) -> IPAddress {
        guard let socket else { return .absent }
        guard isTrusted(socket) else { return socket }
        let named = [
            nearest(entries(of: Self.forwardedFor, values)),
            nearest(entries(of: Self.forwarded, values).map(Self.forwardedNode)),
        ].compactMap { $0 }
        guard let client = named.first, named.allSatisfy({ $0 == client }) else { return socket }
        return client
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    private func entries(
        of name: HTTPField.Name?, _ values: (HTTPField.Name) -> [String]
    ) -> [Substring] {
        guard let name else { return [] }
        return values(name).flatMap { $0.split(separator: ",") }
    }

    /// The rightmost address that is not trusted. The search ends at an entry that cannot be parsed.
    private func nearest(_ entries: [Substring]) -> IPAddress? {
        var nearest: IPAddress?
        for entry in entries.reversed() {
            guard let address = Self.address(entry) else { break }
            nearest = address
            guard isTrusted(address) else { break }
        }
        return nearest
    }

    /// The node of `for=192.0.2.60;proto=https`; empty if there is none.
    private static func forwardedNode(_ element: Substring) -> Substring {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
            return parts[1]
        }
        return ""
    }

    /// `192.0.2.60`, `192.0.2.60:1234`, `2001:db8::1` or `"[2001:db8::1]:1234"`.
    private static func address(_ entry: Substring) -> IPAddress? {
        let node = trimmed(entry)
        if node.first == "[" { return IPAddress(node.dropFirst().prefix { $0 != "]" }) }
        let parts = node.split(separator: ":", omittingEmptySubsequences: false)
        return IPAddress(parts.count == 2 ? parts[0] : node)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, " \t\"".contains(first) { text.removeFirst() }
        while let last = text.last, " \t\"".contains(last) { text.removeLast() }
        return text
    }
}
