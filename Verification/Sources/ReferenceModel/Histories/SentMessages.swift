internal import Foundation

/// The rows that responses about messages belong to. The first response decides for each token. A row that
/// waits for the token's registration moves once, when that registration comes.
struct SentMessages {
    struct Move {
        let from: RowName
        let to: RowName
        let deviceID: UUID
    }

    private struct Recipient: Hashable {
        let app: Int
        let messageID: MeantID
        let provider: String
        let target: MeantResponse.Target
    }

    private let devices: [HistoryDevice]
    private var rows: [Recipient: RowName] = [:]

    init(_ devices: [HistoryDevice]) {
        self.devices = devices
    }

    /// - Parameter holder: the device that has registered the token of a response by now.
    mutating func row(of event: MeantEvent, app: Int, holder: (MeantResponse) -> UUID?) -> RowName {
        switch event.name {
        case .notification(let id): return .notification(id)
        case .message(let id, let device):
            guard let response = event.response, response.target != .device(device) else {
                return .message(id, deviceID: devices[device].deviceID)
            }
            let recipient = Recipient(
                app: app, messageID: id, provider: response.words.provider, target: response.target)
            let row =
                rows[recipient] ?? holder(response).map { RowName.message(id, deviceID: $0) }
                ?? .waiting(id, collapseID: response.collapseID ?? "")
            rows[recipient] = row
            return row
        }
    }

    /// Moves the rows that waited for this device's token.
    mutating func claim(device: Int, app: Int) -> [Move] {
        var moves: [Move] = []
        for (recipient, row) in rows where recipient.app == app && recipient.target == .deviceToken(device) {
            guard case .waiting(let id, _) = row else { continue }
            let deviceID = devices[device].deviceID
            let move = Move(from: row, to: .message(id, deviceID: deviceID), deviceID: deviceID)
            rows[recipient] = move.to
            moves.append(move)
        }
        return moves
    }
}
