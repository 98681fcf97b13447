internal import Crypto
internal import Foundation

/// The row of `delivery` that events belong to.
enum RowName: Hashable, Sendable {
    case notification(MeantID)
    case message(MeantID, deviceID: UUID)
    /// Responses about a message to a token that no app has registered. Its id depends on the database's
    /// number of the token, so histories distinguish such rows by their collapse ids.
    case waiting(MeantID, collapseID: String)

    /// By the definition in decision 20; `nil` for a row that waits.
    func notificationID(inApp appID: Int64) -> UUID? {
        guard let id = id.uuid(inApp: appID) else { return nil }
        switch self {
        case .notification: return id
        case .message(_, let deviceID):
            let ids = MeantID.bytes(id.uuidString, deviceID.uuidString)
            return MeantID.uuid(SHA256.hash(data: Array("landfall/message-device".utf8) + ids), version: 8)
        case .waiting: return nil
        }
    }

    /// The id that the sender chose.
    var id: MeantID {
        switch self {
        case .notification(let id), .message(let id, _), .waiting(let id, _): id
        }
    }
}
