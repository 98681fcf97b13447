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

    @Test("a quota is spent by its own app, by its own kind, and until the hour is over")
    func spent() {
        var book = QuotaBook()
        book.count(events(9_999), of: 1, at: hour)
        #expect(book.appsWithoutEvents(at: hour) == [])
        book.count(events(1), of: 1, at: hour + .minutes(59))
        book.count(events(5), of: 2, at: hour)
        #expect(book.appsWithoutEvents(at: hour + .minutes(59)) == [1])
        #expect(book.allowsInstallation(of: 1, at: hour))
        #expect(book.appsWithoutEvents(at: hour + .hours(1)) == [])
        var use = QuotaUse()
        use.newInstallations = 10_000
        book.count(use, of: 2, at: hour)
        #expect(book.allowsInstallation(of: 2, at: hour) == false)
        #expect(book.appsWithoutEvents(at: hour) == [1])
    }

    @Test("the quota that was read applies")
    func volume() {
        var book = QuotaBook()
        book.count(events(10_000), of: 1, at: hour)
        book.count(events(7), of: 2, at: hour)
        book.set([1: 50_000, 2: 7])
        #expect(book.appsWithoutEvents(at: hour) == [2])
    }

    @Test("servers that exchange what they counted agree; a failed exchange loses nothing")
    func exchange() {
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
        for index in books.indices { books[index].count(events(6_000), of: 1, at: hour) }
        exchange(0, fails: true)
        books[0].count(events(1), of: 1, at: hour)
        exchange(0)
        #expect(books[0].used(by: 1, at: hour) == events(6_001))
        exchange(1)
        #expect(books[1].used(by: 1, at: hour) == events(12_001))
        #expect(books[1].appsWithoutEvents(at: hour) == [1])
        #expect(books[0].appsWithoutEvents(at: hour) == [])
        exchange(0)
        exchange(0)
        #expect(books[0].used(by: 1, at: hour) == events(12_001))
        #expect(books[0].appsWithUse(at: hour) == [1])
    }

    @Test("hours that are over are forgotten once they are recorded")
    func forgotten() {
        var book = QuotaBook()
        book.count(events(3), of: 1, at: hour)
        _ = book.beginExchange()
        book.endExchange([:], at: hour + .hours(1))
        let late = book.beginExchange()
        #expect(late.map(\.use) == [events(3)])
        book.endExchange([late[0].key: events(3)], at: hour + .hours(1))
        #expect(book.beginExchange().isEmpty)
    }
}
