public import Foundation
public import Instants
internal import PostgresClient

/// The amounts of data that an erasure would remove, or has removed.
public struct ErasureCounts: Hashable, Sendable {
    /// Device tokens, including those that had retired before.
    public var tokens: Int64 = 0
    /// Sealed values of these tokens.
    public var tokenValues: Int64 = 0
    /// Periods in which an account was signed in.
    public var accountBindings: Int64 = 0
    /// Periods of permissions.
    public var permissionPeriods: Int64 = 0
    public var tags: Int64 = 0

    public init() {}

    /// Reads the columns of `plan_erasure` or of a receipt.
    init(_ row: PostgresRow) throws {
        tokens = try row.get("token_count")
        tokenValues = try row.get("value_count")
        accountBindings = try row.get("account_binding_count")
        permissionPeriods = try row.get("permission_period_count")
        tags = try row.get("tag_count")
    }

    public static func + (left: ErasureCounts, right: ErasureCounts) -> ErasureCounts {
        var sum = left
        sum.tokens += right.tokens
        sum.tokenValues += right.tokenValues
        sum.accountBindings += right.accountBindings
        sum.permissionPeriods += right.permissionPeriods
        sum.tags += right.tags
        return sum
    }
}

/// Proof that an installation was erased. It contains nothing of what was erased.
public struct ErasureReceipt: Hashable, Sendable {
    public let receiptID: UUID
    public let erasedAt: Instant
    public let counts: ErasureCounts

    init(_ row: PostgresRow) throws {
        receiptID = try row.get("receipt_id")
        erasedAt = try row.get("erased_at")
        counts = try ErasureCounts(row)
    }
}
