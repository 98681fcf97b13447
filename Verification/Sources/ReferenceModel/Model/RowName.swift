internal import Crypto
internal import Foundation

/// The row of `delivery` that events belong to.
enum RowName: Hashable, Sendable {
    case notification(UUID)
    case message(UUID, deviceID: UUID)
    /// Responses about a message to a token that no app has registered. Its id depends on the database's
    /// number of the token, so histories distinguish such rows by their collapse ids.
    case waiting(UUID, collapseID: String)

    /// By the definition in decision 20; `nil` for a row that waits.
    var notificationID: UUID? {
        switch self {
        case .notification(let id): id
        case .message(let id, let deviceID): Self.hash("landfall/message-device", id, deviceID)
        case .waiting: nil
        }
    }

    private static func hash(_ kind: String, _ first: UUID, _ second: UUID) -> UUID? {
        let digits = [first, second].map { $0.uuidString.replacing("-", with: "") }.joined()
        var bytes = Array(kind.utf8)
        for start in stride(from: 0, to: digits.count, by: 2) {
            bytes.append(UInt8(digits.dropFirst(start).prefix(2), radix: 16) ?? 0)
        }
        var hex = SHA256.hash(data: bytes).prefix(16).map { byte in
            String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
        }
        hex[6] = "8" + hex[6].suffix(1)
        // The variant occupies two of the digit's four bits, so the digit becomes 8 to b.
        let digit = Int(hex[8].prefix(1), radix: 16) ?? 0
        hex[8] = String(8 + digit % 4, radix: 16) + hex[8].suffix(1)
        for position in [10, 8, 6, 4] { hex.insert("-", at: position) }
        return UUID(uuidString: hex.joined())
    }
}
