import Basics
import Foundation
import Testing

@testable import LandfallServer

/// Quotas per app and hour, decided without a server.
@Suite struct AppAccountsTests {
    private let hour = (Instant.now - .days(1)).startOfHour

    private func isSpent(
        _ accounts: AppAccounts, _ subject: Subject = .events, of appID: Int64, by host: Int = 99,
        atLeast minimum: Int64 = 10_000, at now: Instant
    ) -> Bool {
        !accounts.mayAdd(subject, .by(host, of: appID, atLeast: minimum), at: now)
    }

    private func events(_ count: Int64) -> Amounts {
        var amounts = Amounts()
        amounts[.events] = count
        return amounts
    }

    @Test("apps in use are read until their volume is known")
    func unread() {
        var accounts = AppAccounts()
        #expect(accounts.unreadApps.isEmpty)
        accounts.count(1, of: 1, by: 1, at: hour)
        accounts.count(1, of: 2, by: 1, at: hour)
        accounts.set(volumes: [2: 0])
        #expect(accounts.unreadApps == [1])
        accounts.set(volumes: [1: 500])
        #expect(accounts.unreadApps.isEmpty)
    }

    @Test("a quota is spent by its own app, by its own kind, and until the hour is over")
    func spent() {
        var accounts = AppAccounts()
        accounts.count(9_999, of: 1, by: 1, at: hour)
        #expect(!isSpent(accounts, of: 1, at: hour))
        accounts.count(1, of: 1, by: 1, at: hour + .minutes(59))
        accounts.count(5, of: 2, by: 1, at: hour)
        #expect(isSpent(accounts, of: 1, at: hour + .minutes(59)))
        #expect(!isSpent(accounts, of: 2, at: hour))
        #expect(!isSpent(accounts, .installations, of: 1, at: hour))
        #expect(!isSpent(accounts, of: 1, at: hour + .hours(1)))
        accounts.count(10_000, .installations, of: 2, by: 1, at: hour)
        #expect(isSpent(accounts, .installations, of: 2, at: hour))
        #expect(!isSpent(accounts, of: 2, at: hour))
        #expect(isSpent(accounts, of: 3, atLeast: 0, at: hour))
        accounts.count(39_999, .values, of: 4, by: 1, at: hour)
        #expect(!isSpent(accounts, .values, of: 4, at: hour))
        accounts.count(1, .values, of: 4, by: 1, at: hour)
        #expect(isSpent(accounts, .values, of: 4, at: hour))
    }

    @Test("the app's responses are its quota if they are more than the setting, which applies at once")
    func volume() {
        var accounts = AppAccounts()
        accounts.count(10_000, of: 1, by: 1, at: hour)
        accounts.count(7, of: 2, by: 1, at: hour)
        accounts.set(volumes: [1: 50_000, 2: 5])
        #expect(!isSpent(accounts, of: 1, at: hour))
        #expect(!isSpent(accounts, of: 2, at: hour))
        #expect(isSpent(accounts, of: 2, atLeast: 7, at: hour))
    }

    @Test("one address gets half of a quota at most, and a tenth once half is used")
    func shares() {
        var accounts = AppAccounts()
        accounts.count(4_999, of: 1, by: 1, at: hour)
        #expect(!isSpent(accounts, of: 1, by: 1, at: hour))
        accounts.count(1, of: 1, by: 2, at: hour)
        #expect(isSpent(accounts, of: 1, by: 1, at: hour))
        #expect(!isSpent(accounts, of: 1, by: 2, at: hour))
        accounts.count(1_000, of: 1, by: 2, at: hour)
        #expect(isSpent(accounts, of: 1, by: 2, at: hour))
        #expect(!isSpent(accounts, of: 1, by: 3, at: hour))
        #expect(!isSpent(accounts, .installations, of: 1, by: 1, at: hour))
        #expect(!isSpent(accounts, of: 1, by: 1, at: hour + .hours(1)))
    }

    @Test("a site of IPv6 has one share; small quotas are not divided")
    func sites() throws {
        var accounts = AppAccounts()
        func claim(_ text: String) throws -> Claim {
            Claim(appID: 1, minimum: 10_000, address: try #require(IPAddress(text)))
        }
        for network in 0..<6 {
            accounts.settle(try claim("2001:db8:1:\(network)::1"), .using(900), at: hour)
        }
        #expect(!accounts.mayAdd(.events, try claim("2001:db8:1:77::1"), at: hour))
        #expect(accounts.mayAdd(.events, try claim("2001:db8:2::1"), at: hour))
        accounts.count(100, of: 2, by: 1, at: hour)
        #expect(!isSpent(accounts, of: 2, by: 1, atLeast: 101, at: hour))
    }

    @Test(
        "a client with confirmed events may use as much of a quota that others have spent, today and tomorrow"
    )
    func standing() {
        var accounts = AppAccounts()
        let device = UUID()
        accounts.settle(.by(1, device, atLeast: 1_000), Charge(confirmed: 3), at: hour)
        for later in [hour, hour + .days(1)] {
            accounts.count(1_000, of: 1, by: 2, at: later)
            #expect(isSpent(accounts, of: 1, by: 2, atLeast: 1_000, at: later))
            #expect(!isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: later))
            #expect(!isSpent(accounts, .installations, of: 1, by: 1, atLeast: 1_000, at: later))
            // Four values for each.
            accounts.count(4_000, .values, of: 1, by: 2, at: later)
            accounts.count(11, .values, of: 1, by: 1, at: later)
            #expect(!isSpent(accounts, .values, of: 1, by: 1, atLeast: 1_000, at: later))
            accounts.count(1, .values, of: 1, by: 1, at: later)
            #expect(isSpent(accounts, .values, of: 1, by: 1, atLeast: 1_000, at: later))
            accounts.count(3, of: 1, by: 1, at: later)
            #expect(isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: later))
            // The device is at another address now.
            let elsewhere = Claim.by(3, device, atLeast: 1_000)
            #expect(accounts.mayAdd(.events, elsewhere, at: later))
            #expect(!accounts.mayAdd(.events, .by(3, UUID(), atLeast: 1_000), at: later))
            accounts.settle(elsewhere, .using(3), at: later)
            #expect(!accounts.mayAdd(.events, elsewhere, at: later))
        }
        let past = hour + .days(2)
        accounts.count(1_000, of: 1, by: 2, at: past)
        #expect(isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: past))
        // What is confirmed later does not bring back what is forgotten.
        accounts.settle(.by(5, atLeast: 1_000), Charge(confirmed: 1), at: past + .hours(1))
        accounts.count(1_000, of: 1, by: 2, at: past + .hours(1))
        #expect(isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: past + .hours(1)))
        #expect(!isSpent(accounts, of: 1, by: 5, atLeast: 1_000, at: past + .hours(1)))
    }

    @Test(
        "the reserve for clients with confirmed events is a quarter of the quota, and nothing is earned once half is used"
    )
    func standingIsBounded() {
        var accounts = AppAccounts()
        accounts.settle(.by(1, atLeast: 1_000), Charge(confirmed: 9_000), at: hour)
        accounts.count(500, of: 1, by: 2, at: hour)
        accounts.settle(.by(3, atLeast: 1_000), Charge(confirmed: 9_000), at: hour)
        accounts.count(500, of: 1, by: 4, at: hour)
        #expect(isSpent(accounts, of: 1, by: 3, atLeast: 1_000, at: hour))
        accounts.count(249, of: 1, by: 1, at: hour)
        #expect(!isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: hour))
        accounts.count(1, of: 1, by: 1, at: hour)
        #expect(isSpent(accounts, of: 1, by: 1, atLeast: 1_000, at: hour))
    }

    @Test("more strangers than are remembered leave a client with confirmed events its part")
    func strangers() {
        var accounts = AppAccounts()
        accounts.settle(.by(1, atLeast: 20_500), Charge(confirmed: 10), at: hour)
        for stranger in 2..<20_502 { accounts.count(1, of: 1, by: stranger, at: hour) }
        #expect(isSpent(accounts, of: 1, by: 2, atLeast: 20_500, at: hour))
        #expect(isSpent(accounts, of: 1, by: 30_000, atLeast: 20_500, at: hour))
        #expect(!isSpent(accounts, of: 1, by: 1, atLeast: 20_500, at: hour))
    }

    @Test("events that wait count as used, for their app, address and device")
    func waiting() {
        var accounts = AppAccounts()
        func begin(_ count: Int, _ claim: inout Claim) -> Bool { accounts.begin(count, &claim, at: hour) }
        var (first, second) = (Claim.by(1, atLeast: 100), Claim.by(2, atLeast: 100))
        let granted = [begin(100, &first), begin(1, &second)]
        #expect(granted == [true, false])
        #expect(second.ofQuota == 0)
        accounts.settle(first, .using(10), at: hour)
        #expect(accounts.recorded(by: 1, at: hour) == events(10))
        let isGranted = begin(1, &second)
        #expect(isGranted)

        // Another app, whose quota strangers have used up. One device is at many addresses at once.
        let device = UUID()
        accounts.settle(.by(1, device, of: 2, atLeast: 1_000), Charge(confirmed: 1), at: hour)
        accounts.count(1_000, of: 2, by: 2, at: hour)
        var claims = (10..<20).map { Claim.by($0, device, of: 2, atLeast: 1_000) }
        let passed = claims.indices.count { begin(1, &claims[$0]) }
        #expect(passed == 1)
        for claim in claims { accounts.settle(claim, .none, at: hour) }
        let passesLater = begin(1, &claims[9])
        #expect(passesLater)
    }

    @Test("events that are confirmed later are given back, but no more than were used")
    func confirmedLate() {
        var accounts = AppAccounts()
        accounts.count(100, of: 1, by: 1, at: hour)
        accounts.confirmLate(40, of: 1, at: hour)
        #expect(accounts.recorded(by: 1, at: hour) == events(60))
        accounts.confirmLate(400, of: 1, at: hour)
        #expect(accounts.recorded(by: 1, at: hour) == events(0))
        // It may be another server's response.
        let uses = accounts.beginExchange()
        #expect(uses.map(\.use.recorded) == [events(0)])
        accounts.confirmLate(1, of: 2, at: hour)
        #expect(accounts.recorded(by: 2, at: hour) == events(0))
    }

    @Test("servers that exchange what they counted agree; a failed exchange loses nothing")
    func exchange() {
        var database: [AppHour: Use] = [:]
        var servers = [AppAccounts(), AppAccounts()]
        func exchange(_ index: Int, fails: Bool = false) {
            let uses = servers[index].beginExchange()
            guard !fails else { return }
            for (key, use) in uses { database[key] = (database[key] ?? Use()) + use }
            servers[index].endExchange(database, at: hour)
        }
        for index in servers.indices { servers[index].count(6_000, of: 1, by: index, at: hour) }
        exchange(0, fails: true)
        servers[0].count(1, of: 1, by: 0, at: hour)
        exchange(0)
        #expect(servers[0].recorded(by: 1, at: hour) == events(6_001))
        exchange(1)
        #expect(servers[1].recorded(by: 1, at: hour) == events(12_001))
        #expect(isSpent(servers[1], of: 1, at: hour))
        #expect(!isSpent(servers[0], of: 1, at: hour))
        exchange(0)
        exchange(0)
        #expect(servers[0].recorded(by: 1, at: hour) == events(12_001))
        #expect(servers[0].appsToRead(at: hour) == [1])
    }

    @Test("hours that are over are forgotten once they are recorded")
    func forgotten() {
        var accounts = AppAccounts()
        accounts.count(3, of: 1, by: 1, at: hour)
        // This exchange fails.
        _ = accounts.beginExchange()
        let late = accounts.beginExchange()
        #expect(late.map(\.use.recorded) == [events(3)])
        accounts.endExchange([late[0].key: late[0].use], at: hour + .hours(1))
        #expect(accounts.beginExchange().isEmpty)
    }

    @Test("hours of an app that moves are kept while they last, because the move may be aborted")
    func moving() {
        var accounts = AppAccounts()
        accounts.count(3, of: 1, by: 1, at: hour)
        _ = accounts.beginExchange()
        accounts.endExchange([:], at: hour + .minutes(59))
        #expect(accounts.recorded(by: 1, at: hour) == events(3))
        #expect(accounts.unreadApps == [1])
        let again = accounts.beginExchange()
        #expect(again.map(\.use.recorded) == [events(3)])
        accounts.count(1, of: 1, by: 1, at: hour)
        accounts.endExchange([:], at: hour + .hours(1))
        // What was counted meanwhile is sent once.
        let late = accounts.beginExchange()
        #expect(late.map(\.use.recorded) == [events(4)])
        accounts.endExchange([:], at: hour + .hours(1))
        #expect(accounts.beginExchange().isEmpty)
        #expect(accounts.unreadApps.isEmpty)
    }
}

extension Claim {
    fileprivate static func by(
        _ host: Int, _ device: UUID? = nil, of appID: Int64 = 1, atLeast minimum: Int64 = 10_000
    ) -> Claim {
        let address = IPAddress(high: 0, low: IPAddress.v4Prefix | UInt64(host))
        return Claim(appID: appID, minimum: minimum, address: address, device: device)
    }
}

extension Charge {
    fileprivate static func using(_ count: Int64, _ subject: Subject = .events) -> Charge {
        var charge = Charge()
        charge.use.recorded[subject] = count
        return charge
    }
}

extension AppAccounts {
    fileprivate mutating func count(
        _ count: Int64, _ subject: Subject = .events, of appID: Int64, by host: Int, at now: Instant
    ) {
        settle(.by(host, of: appID), .using(count, subject), at: now)
    }
}
