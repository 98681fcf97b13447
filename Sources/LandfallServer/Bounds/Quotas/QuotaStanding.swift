internal import Foundation
internal import Instants

/// The number of confirmed events that each address and device of an app posted today and yesterday (UTC). A value with the time
/// passed in.
///
/// A high number is expensive: only a few events can change a push, so confirmed events need pushes to devices that the client
/// really has.
struct QuotaStanding: Sendable {
    /// The number of clients that are remembered per day, about 80 bytes each. Further ones have no standing.
    private static let mostClients = 50_000

    private var day = Instant(millisecondsSinceEpoch: 0)
    private var today: [QuotaClient: Int64] = [:]
    private var yesterday: [QuotaClient: Int64] = [:]

    mutating func add(_ count: Int64, to clients: [QuotaClient], at now: Instant) {
        turnOver(at: now)
        for client in clients where today[client] != nil || today.count < Self.mostClients {
            today[client, default: 0] += count
        }
    }

    func count(of client: QuotaClient, at now: Instant) -> Int64 {
        let age = (now.startOfUTCDay - day).milliseconds / Span.days(1).milliseconds
        return switch age {
        case ...0: today[client, default: 0] + yesterday[client, default: 0]
        case 1: today[client, default: 0]
        default: 0
        }
    }

    private mutating func turnOver(at now: Instant) {
        let current = now.startOfUTCDay
        guard current > day else { return }
        yesterday = current - day == .days(1) ? today : [:]
        (today, day) = ([:], current)
    }
}

/// An address or device of an app, as quotas distinguish clients.
struct QuotaClient: Hashable, Sendable {
    enum Name: Hashable, Sendable {
        /// An IPv4 address, or the site of an IPv6 address.
        case site(IPAddress)
        /// The device that the events of a request name.
        case device(UUID)
    }

    let appID: Int64
    let name: Name
}
