/// What an app demands of requests with a device key, which is public: it is in every copy of the app.
public struct TrustRules: Hashable, Sendable {
    /// Whether accounts and tags from devices count.
    public enum Accounts: String, CaseIterable, Sendable {
        /// Only with a proof by the app's backend (``AccountProof``); otherwise they are kept as claimed.
        case verified
        case trusted
    }

    /// Whether something has to be shown.
    public enum Demand: String, CaseIterable, Sendable {
        case off
        /// It is checked and counted, and nothing is rejected.
        case observe
        case required
    }

    public var accounts = Accounts.verified
    /// Whether requests about an installation must carry its credential.
    public var credentials = Demand.required
    /// Whether device events must carry a receipt (``Receipt``).
    public var receipts = Demand.off
    /// Unmatched events and new installations devices may post per hour if the app has fewer responses a day.
    public var deviceQuota: Int64 = 10_000
    public var accountKeys: [SigningKey] = []
    public var receiptKeys: [SigningKey] = []
    /// The secrets with which other senders sign what they post to `/v1/intake/{preset}`, by preset, newest
    /// first. An empty list: there are secrets, and this server can open none, so it accepts no post.
    public var intakeSecrets: [String: [String]] = [:]

    public init() {}
}
