internal import Basics
internal import Crypto
internal import Foundation

/// The id that a sender chose: a UUID, or a text in the form in which texts are compared.
enum MeantID: Hashable, Sendable, CustomStringConvertible {
    case uuid(UUID)
    case text(String)

    var description: String {
        switch self {
        case .uuid(let id): id.uuidString.lowercased()
        case .text(let text): "'\(text)'"
        }
    }

    /// A text that no other notification has.
    static func someText(_ random: inout SeededRandom) -> MeantID {
        let digits = random.hexDigits(10)
        return .text(
            random.pick(
                "order-\(digits)", "47\(1 + random.below(1_000_000_000))", "gr\u{F6}\u{DF}e \(digits)",
                "projects/p/messages/0:\(digits)%31", digits.uppercased() + "0"))
    }

    /// The id of the row, by the definition in decision 63.
    func uuid(inApp appID: Int64) -> UUID? {
        switch self {
        case .uuid(let id): id
        case .text(let text):
            Self.versionFive("7b3e9d52-61c4-4f0a-9c8e-5d1a2f60b7e4", "\(appID)")
                .flatMap { Self.versionFive($0.uuidString, text) }
        }
    }

    private static func versionFive(_ namespace: String, _ name: String) -> UUID? {
        uuid(Insecure.SHA1.hash(data: bytes(namespace) + Array(name.utf8)), version: 5)
    }

    /// The bytes that the digits of ids denote.
    static func bytes(_ ids: String...) -> [UInt8] {
        let digits = ids.joined().filter { $0 != "-" }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits.dropFirst($0).prefix(2), radix: 16) ?? 0
        }
    }

    /// The first 16 bytes of the digest with version and variant of RFC 9562.
    static func uuid(_ digest: some Sequence<UInt8>, version: Int) -> UUID? {
        var hex = digest.prefix(16).map { byte in
            String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
        }
        hex[6] = "\(version)" + hex[6].suffix(1)
        // The variant occupies two of the digit's four bits, so the digit becomes 8 to b.
        let digit = Int(hex[8].prefix(1), radix: 16) ?? 0
        hex[8] = String(8 + digit % 4, radix: 16) + hex[8].suffix(1)
        for position in [10, 8, 6, 4] { hex.insert("-", at: position) }
        return UUID(uuidString: hex.joined())
    }
}
