internal import DeliveryModel
internal import Foundation
internal import Ingestion

/// What is shown of one posted item. It contains no token, no account, and nothing of a rejected item but the code.
struct TailLine: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case accepted
        case duplicate
        case rejected(ItemRejection.Code)
        case overQuota
    }

    /// What a push provider returned.
    struct Response: Hashable, Sendable {
        let provider: String
        let status: Int
        let reason: String?
    }

    /// As in the item's `type`; `nil` if the item could not be read.
    private(set) var type: String?
    let outcome: Outcome
    private(set) var response: Response?
    /// Empty without a campaign; device events name none.
    private(set) var campaign = ""
    private(set) var name: NotificationName?

    init(_ item: BatchItem, _ verdict: Verdict) {
        outcome = Outcome(verdict.outcome)
        guard case .success(let event) = item.content else { return }
        name = event.name
        switch event.content {
        case .response(let posted):
            type = "response"
            response = Response(
                provider: posted.provider, status: posted.status, reason: posted.reasonWithoutToken)
            campaign = posted.campaign
        case .device(let report): type = report.kind.rawValue
        case .recall: type = "recall"
        }
    }
}

extension TailLine.Outcome {
    fileprivate init(_ outcome: Verdict.Outcome) {
        self =
            switch outcome {
            case .accepted: .accepted
            case .duplicate: .duplicate
            case .rejected(let rejection): .rejected(rejection.code)
            case .overQuota: .overQuota
            }
    }
}

extension ProviderResponse {
    /// The messages of some providers quote the token, and a sender may post such a message as the reason.
    fileprivate var reasonWithoutToken: String? {
        guard case .token(let address) = target else { return reason }
        return reason?.replacingOccurrences(of: address.value, with: "…", options: .caseInsensitive)
    }
}
