/// A page of `GET /v1/tokens`: `{"tokens":[…],"changes_after":17,"proof":"…","next_cursor":"…"}`.
struct TokenPage: Decodable {
    let tokens: [FedToken]
    let changesAfter: Int64
    /// The proof of the row with that number; `nil` after the first page, or if there is no row.
    let proof: String?
    /// `nil` on the last page.
    let nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case tokens, proof
        case changesAfter = "changes_after"
        case nextCursor = "next_cursor"
    }
}

/// A page of `GET /v1/token-changes`: `{"changes":[…],"next_after":18,"proof":"…","has_more":false}`.
struct ChangePage: Decodable {
    let changes: [FedChange]
    let nextAfter: Int64
    /// The proof of the row with that number.
    let proof: String?
    /// Whether the page is full. It may have fewer changes than were asked for, because some are left out.
    let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case changes, proof
        case nextAfter = "next_after"
        case hasMore = "has_more"
    }
}

/// What both feeds say of a token.
struct FedFields: Decodable {
    let tokenID: Int64
    /// `nil` once it was swept or erased.
    let value: String?
    let provider: String
    let kind: String
    let environment: String
    let topic: String
    let deviceID: String?
    let p256dh: String?
    let auth: String?

    private enum CodingKeys: String, CodingKey {
        case tokenID = "token_id"
        case value, provider, kind, environment, topic
        case deviceID = "device_id"
        case p256dh, auth
    }

    /// The row for the token; `nil` if its value is gone.
    func mirrored(state: String, changedAt: String?) -> MirroredToken? {
        value.map { value in
            MirroredToken(
                tokenID: tokenID, value: value, provider: provider, kind: kind, environment: environment,
                topic: topic, state: state, deviceID: deviceID, p256dh: p256dh, auth: auth,
                changedAt: changedAt)
        }
    }
}

struct FedToken: Decodable {
    let fields: FedFields
    let state: String

    private enum CodingKeys: CodingKey { case state }

    init(from decoder: any Decoder) throws {
        fields = try FedFields(from: decoder)
        state = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .state)
    }
}

struct FedChange: Decodable {
    let fields: FedFields
    let at: String
    /// The present one, not the one that this change led to.
    let state: String

    private enum CodingKeys: CodingKey { case at, state }

    init(from decoder: any Decoder) throws {
        fields = try FedFields(from: decoder)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        at = try values.decode(String.self, forKey: .at)
        state = try values.decode(String.self, forKey: .state)
    }
}

extension TokenPage {
    /// What the page does to a table in which the tokens up to an id were read before.
    func batch(above filledTo: Int64, deletesRetired: Bool) -> MirrorBatch {
        let put = tokens.filter { !deletesRetired || $0.state != "retired" }
            .compactMap { $0.fields.mirrored(state: $0.state, changedAt: nil) }
        let through = reaches(from: filledTo)
        return MirrorBatch(
            put: put, replaced: through > filledTo ? (above: filledTo, through: through) : nil)
    }

    /// The greatest id of the tokens that are read after this page. Pages are in the order of ids.
    func reaches(from filledTo: Int64) -> Int64 {
        nextCursor == nil ? .max : tokens.last?.fields.tokenID ?? filledTo
    }
}

extension ChangePage {
    /// What the page does to the table. Of a token that changes more than once, only the last change counts:
    /// each row says what is known of its token now.
    func batch(deletesRetired: Bool) -> MirrorBatch {
        var last: [Int64: FedChange] = [:]
        for change in changes { last[change.fields.tokenID] = change }
        var batch = MirrorBatch()
        for (tokenID, change) in last.sorted(by: { $0.key < $1.key }) {
            let isDeleted = deletesRetired && change.state == "retired"
            if !isDeleted, let token = change.fields.mirrored(state: change.state, changedAt: change.at) {
                batch.put.append(token)
            } else {
                batch.removed.append(tokenID)
            }
        }
        return batch
    }
}
