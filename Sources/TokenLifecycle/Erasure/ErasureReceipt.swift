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

    /// Reads the columns of `plan_erasure` and of a receipt from the given position on.
    init(_ row: PostgresRow, from column: Int) throws {
        tokens = try row.get(column)
        tokenValues = try row.get(column + 1)
        accountBindings = try row.get(column + 2)
        permissionPeriods = try row.get(column + 3)
        tags = try row.get(column + 4)
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
        receiptID = try row.get(0)
        erasedAt = try row.get(1)
        counts = try ErasureCounts(row, from: 2)
    }
}
