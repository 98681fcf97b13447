import DeliveryModel
import Foundation
import Ingestion
import Instants
import Testing

@testable import LandfallServer

/// Quotas per app and hour, decided without a server.
@Suite struct QuotaBookTests {
    private let hour = (Instant.now - .days(1)).startOfHour

    private func events(_ count: Int64) -> QuotaUse {
        var use = QuotaUse()
        use.unmatchedEvents = count
        return use
    }

    private func address(_ host: Int) throws -> IPAddress { try #require(IPAddress("192.0.2.\(host)")) }

    private func isSpent(
        _ book: QuotaBook, _ kind: QuotaKind = .events, of appID: Int64, by host: Int = 99,
        atLeast minimum: Int64 = 10_000, at now: Instant
    ) throws -> Bool {
        book.isSpent(kind, of: appID, atLeast: minimum, from: try address(host), at: now)
    }

    @Test("a quota is spent by its own app, by its own kind, and until the hour is over")
    func spent() throws {
        var book = QuotaBook()
        book.count(events(9_999), of: 1, from: try address(1), at: hour)
        #expect(try !isSpent(book, of: 1, at: hour))
        book.count(events(1), of: 1, from: try address(1), at: hour + .minutes(59))
        book.count(events(5), of: 2, from: try address(1), at: hour)
        #expect(try isSpent(book, of: 1, at: hour + .minutes(59)))
        #expect(try !isSpent(book, of: 2, at: hour))
        #expect(try !isSpent(book, .installations, of: 1, at: hour))
        #expect(try !isSpent(book, of: 1, at: hour + .hours(1)))
        var use = QuotaUse()
        use.newInstallations = 10_000
        book.count(use, of: 2, from: try address(1), at: hour)
        #expect(try isSpent(book, .installations, of: 2, at: hour))
        #expect(try !isSpent(book, of: 2, at: hour))
        #expect(try isSpent(book, of: 3, atLeast: 0, at: hour))
    }

    @Test("the app's responses are its quota if they are more than the setting, which applies at once")
    func volume() throws {
        var book = QuotaBook()
        book.count(events(10_000), of: 1, from: try address(1), at: hour)
        book.count(events(7), of: 2, from: try address(1), at: hour)
        book.set(volumes: [1: 50_000, 2: 5])
        #expect(try !isSpent(book, of: 1, at: hour))
        #expect(try !isSpent(book, of: 2, at: hour))
        #expect(try isSpent(book, of: 2, atLeast: 7, at: hour))
    }

    @Test("one address gets half of a quota at most, and a tenth once half is used")
    func shares() throws {
        var book = QuotaBook()
        book.count(events(4_999), of: 1, from: try address(1), at: hour)
        #expect(try !isSpent(book, of: 1, by: 1, at: hour))
        book.count(events(1), of: 1, from: try address(2), at: hour)
        #expect(try isSpent(book, of: 1, by: 1, at: hour))
        #expect(try !isSpent(book, of: 1, by: 2, at: hour))
        book.count(events(1_000), of: 1, from: try address(2), at: hour)
        #expect(try isSpent(book, of: 1, by: 2, at: hour))
        #expect(try !isSpent(book, of: 1, by: 3, at: hour))
        #expect(try !isSpent(book, .installations, of: 1, by: 1, at: hour))
        #expect(try !isSpent(book, of: 1, by: 1, at: hour + .hours(1)))
    }

    @Test("a site of IPv6 has one share; small quotas are not divided")
    func sites() throws {
        var book = QuotaBook()
        func isSpent(_ text: String, of appID: Int64) throws -> Bool {
            book.isSpent(
                .events, of: appID, atLeast: 10_000, from: try #require(IPAddress(text)), at: hour)
        }
        for network in 0..<6 {
            let address = try #require(IPAddress("2001:db8:1:\(network)::1"))
            book.count(events(900), of: 1, from: address, at: hour)
        }
        #expect(try isSpent("2001:db8:1:77::1", of: 1))
        #expect(try !isSpent("2001:db8:2::1", of: 1))
        book.count(events(100), of: 2, from: try address(1), at: hour)
        #expect(try !self.isSpent(book, of: 2, by: 1, atLeast: 101, at: hour))
    }

    @Test(
        "a client with confirmed events may use as much of a quota that others have spent, today and tomorrow"
    )
    func standing() throws {
        var book = QuotaBook()
        let device = UUID()
        book.confirm(3, of: 1, atLeast: 1_000, from: try address(1), device: device, at: hour)
        for later in [hour, hour + .days(1)] {
            book.count(events(1_000), of: 1, from: try address(2), at: later)
            #expect(try isSpent(book, of: 1, by: 2, atLeast: 1_000, at: later))
            #expect(try !isSpent(book, of: 1, by: 1, atLeast: 1_000, at: later))
            #expect(try !isSpent(book, .installations, of: 1, by: 1, atLeast: 1_000, at: later))
            book.count(events(3), of: 1, from: try address(1), at: later)
            #expect(try isSpent(book, of: 1, by: 1, atLeast: 1_000, at: later))
            // The device is at another address now.
            let elsewhere = try address(3)
            func isKeptOut(_ device: UUID) -> Bool {
                book.isSpent(.events, of: 1, atLeast: 1_000, from: elsewhere, device: device, at: later)
            }
            #expect(!isKeptOut(device))
            #expect(isKeptOut(UUID()))
            book.count(events(3), of: 1, from: elsewhere, device: device, at: later)
            #expect(isKeptOut(device))
        }
        let past = hour + .days(2)
        book.count(events(1_000), of: 1, from: try address(2), at: past)
        #expect(try isSpent(book, of: 1, by: 1, atLeast: 1_000, at: past))
    }

    @Test(
        "the reserve for clients with confirmed events is a quarter of the quota, and nothing is earned once half is used"
    )
    func standingIsBounded() throws {
        var book = QuotaBook()
        book.confirm(9_000, of: 1, atLeast: 1_000, from: try address(1), device: nil, at: hour)
        book.count(events(500), of: 1, from: try address(2), at: hour)
        book.confirm(9_000, of: 1, atLeast: 1_000, from: try address(3), device: nil, at: hour)
        book.count(events(500), of: 1, from: try address(4), at: hour)
        #expect(try isSpent(book, of: 1, by: 3, atLeast: 1_000, at: hour))
        book.count(events(249), of: 1, from: try address(1), at: hour)
        #expect(try !isSpent(book, of: 1, by: 1, atLeast: 1_000, at: hour))
        book.count(events(1), of: 1, from: try address(1), at: hour)
        #expect(try isSpent(book, of: 1, by: 1, atLeast: 1_000, at: hour))
    }

    @Test("events that are confirmed later are given back, but no more than were used")
    func confirmedLate() throws {
        var book = QuotaBook()
        book.count(events(100), of: 1, from: try address(1), at: hour)
        book.confirmLate(40, of: 1, at: hour)
        #expect(book.used(by: 1, at: hour) == events(60))
        book.confirmLate(400, of: 1, at: hour)
        #expect(book.used(by: 1, at: hour) == events(0))
        // It may be another server's response.
        let uses = book.beginExchange()
        #expect(uses.map(\.use) == [events(0)])
        book.confirmLate(1, of: 2, at: hour)
        #expect(book.used(by: 2, at: hour) == events(0))
    }

    @Test("servers that exchange what they counted agree; a failed exchange loses nothing")
    func exchange() throws {
        var database: [AppHour: QuotaUse] = [:]
        var books = [QuotaBook(), QuotaBook()]
        func exchange(_ index: Int, fails: Bool = false) {
            let uses = books[index].beginExchange()
            guard !fails else { return books[index].endExchange([:], at: hour) }
            for (key, use) in uses {
                database[key, default: QuotaUse()] = database[key, default: QuotaUse()] + use
            }
            books[index].endExchange(database, at: hour)
        }
        for index in books.indices {
            books[index].count(events(6_000), of: 1, from: try address(index), at: hour)
        }
        exchange(0, fails: true)
        books[0].count(events(1), of: 1, from: try address(0), at: hour)
        exchange(0)
        #expect(books[0].used(by: 1, at: hour) == events(6_001))
        exchange(1)
        #expect(books[1].used(by: 1, at: hour) == events(12_001))
        #expect(try isSpent(books[1], of: 1, at: hour))
        #expect(try !isSpent(books[0], of: 1, at: hour))
        exchange(0)
        exchange(0)
        #expect(books[0].used(by: 1, at: hour) == events(12_001))
        #expect(books[0].appsToRead(at: hour) == [1])
    }

    @Test("hours that are over are forgotten once they are recorded")
    func forgotten() throws {
        var book = QuotaBook()
        book.count(events(3), of: 1, from: try address(1), at: hour)
        _ = book.beginExchange()
        book.endExchange([:], at: hour + .hours(1))
        let late = book.beginExchange()
        #expect(late.map(\.use) == [events(3)])
        book.endExchange([late[0].key: events(3)], at: hour + .hours(1))
        #expect(book.beginExchange().isEmpty)
    }
}
