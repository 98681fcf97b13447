import Foundation

/// `vectors.json`, which was computed with Python's `hmac`, not with this code. Other languages test theirs
/// with it.
struct TrustVectors: Decodable {
    struct SignedID: Decodable {
        let id: String
        let receipt: String
    }

    struct SignedAccount: Decodable {
        let account: String
        let tags: [String]
        let deviceID: UUID
        let expires: Int64
        let accountProof: String
    }

    let receiptKey: String
    let receipts: [SignedID]
    let accountKey: String
    let accountProofs: [SignedAccount]

    static func read() throws -> TrustVectors {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "vectors.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            Key(path.last?.stringValue.replacing("_id", with: "ID") ?? "")
        }
        return try decoder.decode(TrustVectors.self, from: Data(contentsOf: file))
    }
}

/// A name in snake case as a property in camel case.
private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(_ name: String) {
        stringValue = name.split(separator: "_").enumerated()
            .map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }
}
