internal import Crypto
internal import Foundation

/// Which row of `delivery` events belong to.
enum RowName: Hashable, Sendable {
    case notification(UUID)
    case message(UUID, deviceID: UUID)
    /// Answers about a message to a token that nobody has registered. Its id hangs on the database's number of the token, so that
    /// histories tell such rows apart by what their answers say.
    case waiting(UUID, collapseID: String)

    /// By the definition in docs/decisions/0020; nil for a row that waits.
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
        // The variant takes two bits of the digit: 0 to 3 become 8 to b, and so do the others.
        let digit = Int(hex[8].prefix(1), radix: 16) ?? 0
        hex[8] = String(8 + digit % 4, radix: 16) + hex[8].suffix(1)
        for position in [10, 8, 6, 4] { hex.insert("-", at: position) }
        return UUID(uuidString: hex.joined())
    }
}
