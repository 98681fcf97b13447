public import Foundation
public import Instants
public import PostgresClient

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

extension Erasure {
    /// Carries out a plan, one transaction per installation. It can be stopped between two of them and repeated.
    public func carryOut(
        _ plan: ErasurePlan, for subject: ErasureSubject, now: Instant,
        isStopped: () -> Bool = { Task.isCancelled }, on connection: PostgresConnection
    ) throws -> ErasureResult {
        var result = ErasureResult()
        for device in devices(plan, subject) where !isStopped() {
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

    /// A device that was already erased is not in the plan; its receipt is returned again.
    private func devices(_ plan: ErasurePlan, _ subject: ErasureSubject) -> [UUID] {
        guard case .device(let deviceID) = subject else { return plan.devices }
        return [deviceID]
    }
}
