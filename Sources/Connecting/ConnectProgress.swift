public import DeliveryModel
internal import Foundation
public import Ingestion
public import Reports

/// How far a sender and an app are connected, from what was recorded and rejected since the start.
public struct ConnectProgress: Hashable, Sendable {
    public enum Stage: Hashable, Sendable {
        /// Nothing has been recorded yet.
        case waiting
        /// Device events only: no response has the same id.
        case waitingForResponse
        /// Responses only: no device event has the same id.
        case waitingForDevice
        /// What the sender can show has arrived, about this push.
        case connected(PushRecord)
    }

    /// Why items were rejected.
    public struct Rejection: Hashable, Sendable {
        public let code: String
        public let detail: String
        public let poster: EventValidator.Poster
    }

    let end: ConnectEnd
    /// The newest pushes that have changed since the start, the newest first. The last may be an earlier one
    /// that reaches the end.
    public let pushes: [NewestPush]
    public let rejections: [Rejection]
    /// The pushes whose response has words that are in no list.
    let unlisted: Set<UUID>

    public var stage: Stage {
        if let met = pushes.first(where: { end.isReached(by: $0.state) }) { return .connected(met.record) }
        if pushes.contains(where: { $0.hasResponse }) { return .waitingForDevice }
        return pushes.contains { $0.lacksResponse } ? .waitingForResponse : .waiting
    }

    /// What has been seen so far, and what is missing.
    public var summary: String {
        switch stage {
        case .waiting where rejections.isEmpty:
            "Nothing has arrived: check that the sender reaches this address, and that its key is this app's."
        case .waiting: "All that has arrived was rejected."
        case .waitingForResponse:
            "Device events have arrived, but no response of the sender about the same notification."
        case .waitingForDevice where end == .rejection:
            "Responses have arrived, but no failure, and the hook posts nothing else: send a push to a token of "
                + "an app that was removed."
        case .waitingForDevice where end == .receipt:
            "Responses have arrived, but no receipt: send a push to a device that is online."
        case .waitingForDevice:
            "Responses have arrived, but no device event of the same notification: open the app on a device, "
                + "send it a push, and see docs/kit.md if nothing follows."
        case .connected(let push):
            "Connected: \(end.words) of \(push.notificationID.uuidString.lowercased()) "
                + (end == .meeting ? "have met." : "is recorded. \(end.limit ?? "")")
        }
    }

    /// The stages of a funnel of one notification, each 1 or 0.
    public static func funnel(of push: PushRecord) -> [(measure: Measure, count: Int64)] {
        [.attempted, .accepted, .reportable, .arrived, .confirmed, .clicked].map { measure in
            (measure, measure.value(of: push.state))
        }
    }
}

extension NewestPush {
    var state: DeliveryState { record.state }
    var hasResponse: Bool { state.contains(.attempted) }
    /// Device events, without a response that must be on its way: the app did not show it by itself.
    var lacksResponse: Bool { !hasResponse && !state.contains(.local) }
    var isSeen: Bool { !state.isDisjoint(with: .seenOnDevice) }
    var hasMet: Bool { hasResponse && isSeen }
}
