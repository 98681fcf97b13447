public import Foundation
public import Instants

/// The amounts of data that an erasure would remove, or has removed.
public struct ErasureCounts: Hashable, Decodable, Sendable {
    /// Device tokens, including those that had retired before.
    public var tokens: Int64 = 0
    /// Sealed values of these tokens.
    public var tokenValues: Int64 = 0
    /// Periods in which an account was signed in.
    public var accountBindings: Int64 = 0
    /// Periods of permissions.
    public var permissionPeriods: Int64 = 0
    public var tags: Int64 = 0

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
public struct ErasureReceipt: Hashable, Decodable, Sendable {
    public let receiptID: UUID
    public let erasedAt: Instant
    public let counts: ErasureCounts
}

/// The data that an erasure would remove.
public struct ErasurePlan: Hashable, Sendable {
    /// The installations that would be erased, without those that already are.
    public let devices: [UUID]
    public let counts: ErasureCounts
    /// Installations that another account has taken over: only the account's periods would be removed.
    public let sharedDevices: [UUID]
}

/// Whose data is to be erased.
public enum ErasureSubject: Hashable, Sendable {
    /// The installation that registers with this `device_id`.
    case device(UUID)
    /// The account, as the app names it.
    case account(String)
}

/// What an erasure has done.
public struct ErasureResult: Hashable, Sendable {
    public struct Erased: Hashable, Sendable {
        public let device: UUID
        public let receipt: ErasureReceipt
    }

    /// Also those of devices that were erased before.
    public var receipts: [Erased] = []
    /// Periods of the account on installations where another account has signed in since.
    public var forgottenPeriods: Int64 = 0
    public var wasStopped = false

    public var counts: ErasureCounts { receipts.map(\.receipt.counts).reduce(ErasureCounts(), +) }

    public init() {}
}
