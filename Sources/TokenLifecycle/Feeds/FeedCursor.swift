internal import DeliveryModel
internal import Foundation
internal import Trust

/// The position of a reader in the token feed.
///
/// Its text is opaque and bound to the app and the filter: the cursor of another query is invalid.
public struct FeedCursor: Hashable, Sendable {
    /// The last token that was read.
    public let tokenID: Int64
    /// The newest row of the ledger when the first page was read.
    public let changesAfter: Int64
}

extension FeedCursor {
    /// The first byte; a later format gets another.
    private static let version: UInt8 = 1
    private static let sealBytes = 16

    private var content: [UInt8] {
        var content = [Self.version]
        for number in [tokenID, changesAfter] {
            withUnsafeBytes(of: number.bigEndian) { content.append(contentsOf: $0) }
        }
        return content
    }

    /// Base64 that can be used in a query string without escaping.
    public func text(of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) -> String {
        Data(content + seal(of: appID, filter, vault)).base64URL
    }

    /// Returns `nil` unless the text is a cursor of this app and filter.
    public init?(_ text: String, of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) {
        guard let bytes = Data(base64URL: text), bytes.count == 17 + Self.sealBytes else { return nil }
        func number(at position: Int) -> Int64 {
            bytes.dropFirst(position).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        }
        self.init(tokenID: number(at: 1), changesAfter: number(at: 9))
        guard Array(bytes) == content + seal(of: appID, filter, vault) else { return nil }
    }

    private func seal(of appID: Int64, _ filter: FeedFilter, _ vault: TokenVault) -> [UInt8] {
        // No field can contain a NUL, so the fields stay distinct.
        let owner = [
            String(appID), filter.states.map(\.rawValue).joined(separator: ","),
            filter.account.map { "=\($0)" } ?? "",
            filter.tag.map { "=\($0)" } ?? "",
        ].joined(separator: "\0")
        let mark = vault.fingerprint(of: Data(content + Array(owner.utf8)), purpose: "token feed cursor")
        return Array(mark.prefix(Self.sealBytes))
    }
}
