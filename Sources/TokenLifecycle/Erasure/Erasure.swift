public import DeliveryModel
public import Foundation
public import PostgresClient

/// Erases personal data on request (docs/decisions/0017).
///
/// A tombstone of the installation remains: its ids, its dates, its receipt, and the fingerprints of its
/// tokens, which identify late responses and events. Counters stay.
public struct Erasure: Sendable {
    private let appID: Int64

    public init(appID: Int64) {
        self.appID = appID
    }

    /// Erases one installation, in the running transaction. If it was erased before, returns that receipt.
    ///
    /// - Returns: `nil` if the app has no such device.
    public func erase(
        _ deviceID: UUID, now: Instant, on connection: PostgresConnection
    ) throws -> ErasureReceipt? {
        try connection.fence([appID])
        let found = try connection.query(.Tokens.findInstallation, [.value(appID), .value(deviceID)])
        guard let row = found.first else { return nil }
        let installationID = try row.get("installation_id", as: Int64.self)
        if try row.getOptional("erased_at", as: Instant.self) != nil {
            return try connection.query(.Tokens.readReceipt, [.value(appID), .value(installationID)])
                .first?.decode(ErasureReceipt.self)
        }
        return try connection.query(
            .Tokens.eraseInstallation,
            [.value(appID), .value(installationID), .value(now), .value(UUID())]
        ).first?.decode(ErasureReceipt.self)
    }

    /// Deletes an account's periods on an installation that another took over, in the running transaction.
    ///
    /// - Returns: the number of periods.
    public func forget(
        _ account: String, on deviceID: UUID, on connection: PostgresConnection
    ) throws -> Int64 {
        try connection.fence([appID])
        let found = try connection.query(.Tokens.findInstallation, [.value(appID), .value(deviceID)])
        guard let installationID = try found.first?.get("installation_id", as: Int64.self) else { return 0 }
        let deleted = try connection.query(
            .Tokens.forgetAccount, [.value(appID), .value(installationID), .value(account.canonicalName)])
        return Int64(deleted.count)
    }

    /// The data that the erasure would remove: of an account, the installations on which it was the last to
    /// sign in, and only its periods on those that another account has taken over. Only reads.
    public func plan(_ subject: ErasureSubject, on connection: PostgresConnection) throws -> ErasurePlan {
        var (erased, shared): ([UUID], [UUID]) = ([], [])
        switch subject {
        case .device(let deviceID): erased = [deviceID]
        case .account(let account):
            for row in try connection.query(
                .Tokens.findAccountDevices, [.value(appID), .value(account.canonicalName)])
            {
                let device: UUID = try row.get("device_id")
                if try row.get("is_last") { erased.append(device) } else { shared.append(device) }
            }
        }
        let rows = try connection.query(.Tokens.planErasure, [.value(appID), .array(erased)])
        return ErasurePlan(
            devices: try rows.map { try $0.get("device_id") },
            counts: try rows.decode(ErasureCounts.self).reduce(ErasureCounts(), +),
            sharedDevices: shared)
    }

    /// Carries out a plan, one transaction per installation. It can be stopped between them and repeated.
    public func carryOut(
        _ plan: ErasurePlan, for subject: ErasureSubject, now: Instant,
        isStopped: () -> Bool = { Task.isCancelled }, on connection: PostgresConnection
    ) throws -> ErasureResult {
        var result = ErasureResult()
        // A device that was already erased is not in the plan; its receipt is returned again.
        let devices = if case .device(let deviceID) = subject { [deviceID] } else { plan.devices }
        for device in devices where !isStopped() {
            let receipt = try connection.transaction { try erase(device, now: now, on: connection) }
            if let receipt { result.receipts.append(.init(device: device, receipt: receipt)) }
        }
        if case .account(let account) = subject {
            for device in plan.sharedDevices where !isStopped() {
                result.forgottenPeriods += try connection.transaction {
                    try forget(account, on: device, on: connection)
                }
            }
        }
        result.wasStopped = isStopped()
        return result
    }
}

/// The amounts of data that an erasure would remove, or has removed.
public struct ErasureCounts: Hashable, Decodable, Sendable {
    /// Device tokens, including those that had retired before.
    public var tokens: Int64 = 0
    /// Sealed values of these tokens.
    public var tokenValues: Int64 = 0
    /// Periods in which an account was signed in.
    public var accountBindings: Int64 = 0
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
