import DeliveryModel
import Foundation
import Testing

@testable import Ingestion
@testable import LandfallServer

/// Which of the recorded items are kept for the page, and what a stream sends of them.
@Suite struct EventTailTests {
    private let start = Instant(millisecondsSinceEpoch: 1_795_424_400_250)
    private static let token = TokenAddress(
        provider: "apns", environment: .production, topic: "", kind: .alert, value: "secret")
    private let tail = EventTail()

    /// Items whose campaigns are their numbers.
    private func post(_ numbers: Range<Int>, of appID: Int64 = 1, at instant: Instant) {
        let items = numbers.map { number in
            var response = ProviderResponse(provider: "apns", status: 200)
            response.campaign = "\(number)"
            response.target = .token(Self.token)
            let event = Event(notificationID: UUID(), sentAt: nil, content: .response(response))
            return BatchItem(appID: appID, text: [], content: .success(event))
        }
        tail.add(items, items.map { _ in .accepted }, at: instant)
    }

    /// The campaigns of lines, and how many were left out as `+n`, newest first.
    private func shown(of appID: Int64 = 1, after number: Int = 0, at instant: Instant) -> [String] {
        tail.entries(of: appID, after: number, at: instant).map { entry in
            switch entry.content {
            case .line(let line): line.campaign
            case .leftOut(let count): "+\(count)"
            }
        }
    }

    @Test("the newest lines come first, each app's on its own")
    func order() {
        post(1..<3, at: start)
        post(3..<4, of: 2, at: start)
        post(4..<6, at: start + .seconds(1))
        #expect(shown(at: start + .seconds(2)) == ["5", "4", "2", "1"])
        #expect(shown(of: 2, at: start + .seconds(2)) == ["3"])
        #expect(shown(of: 3, at: start + .seconds(2)) == [])
    }

    @Test(
        "a second has at most 20 lines, spread over a large post, and once it is over, the number of all others"
    )
    func sampling() {
        post(0..<100, at: start)
        let first = (0..<20).reversed().map { "\($0 * 5)" }
        #expect(shown(at: start) == first)
        post(100..<110, at: start + Span(milliseconds: 700))
        #expect(shown(at: start + Span(milliseconds: 749)) == first)
        #expect(shown(at: start + Span(milliseconds: 750)) == ["+90"] + first)
        #expect(shown(at: start + .seconds(9)) == ["+90"] + first)
        post(200..<203, at: start + .seconds(9))
        post(203..<300, at: start + .seconds(9))
        let second = shown(at: start + .seconds(10))
        #expect(second.count == 1 + 20 + 21)
        #expect(second[0] == "+80")
        #expect(second[18...20] == ["202", "201", "200"])
    }

    @Test("what was left out stays between its second and the next, also if no one reads in between")
    func leftOutInOrder() {
        post(0..<21, at: start)
        post(30..<31, at: start + .seconds(1))
        #expect(shown(at: start + .seconds(1)).prefix(2) == ["30", "+1"])
        let entries = tail.entries(of: 1, at: start + .seconds(1))
        #expect(entries[1].at.rfc3339.hasSuffix(":00.000Z"))
        #expect(entries.map(\.number) == entries.map(\.number).sorted(by: >))
    }

    @Test("an app keeps its newest 100 lines")
    func most() {
        for second in 0..<30 { post(second * 10..<second * 10 + 10, at: start + .seconds(Int64(second))) }
        #expect(shown(at: start + .minutes(1)) == (200..<300).reversed().map { "\($0)" })
    }

    @Test("of too many apps, the one that posted nothing for the longest time is forgotten")
    func mostApps() {
        for app in 1...EventTail.mostApps {
            post(1..<2, of: Int64(app), at: start + .seconds(Int64(app)))
        }
        let later = start + .hours(1)
        post(2..<3, of: 1, at: later)
        post(1..<2, of: 1_000, at: later)
        #expect(shown(of: 1, at: later) == ["2", "1"])
        #expect(shown(of: 2, at: later) == [])
        #expect(shown(of: 3, at: later) == ["1"])
        // A page that follows a forgotten app gets what comes next.
        let last = tail.entries(of: 1_000, at: later)[0].number
        post(5..<6, of: 2, at: later)
        #expect(shown(of: 2, after: last, at: later) == ["5"])
    }

    @Test("a line says what was posted and what became of it, and nothing of an item that cannot be read")
    func lines() throws {
        var response = ProviderResponse(provider: "fcm", status: 404)
        response.reason = "UNREGISTERED: SECRET"
        response.target = .token(Self.token)
        let id = UUID()
        let events: [Result<Event, ItemRejection>] = [
            .success(Event(notificationID: id, sentAt: nil, content: .response(response))),
            .success(Event(notificationID: id, sentAt: nil, content: .device(DeviceReport(kind: .click)))),
            .success(Event(notificationID: id, sentAt: nil, content: .recall)),
            .failure(ItemRejection(.invalidField, "details")),
        ]
        let items = events.map { BatchItem(appID: 1, text: Array("secret".utf8)[...], content: $0) }
        let verdicts: [Verdict] = [
            .accepted, .duplicate, Verdict(outcome: .overQuota),
            .rejected(ItemRejection(.invalidField, "details")),
        ]
        let lines = zip(items, verdicts).map { TailLine($0, $1) }
        #expect(lines.map(\.type) == ["response", "click", "recall", nil])
        #expect(lines.map(\.outcome) == [.accepted, .duplicate, .overQuota, .rejected(.invalidField)])
        #expect(lines[0].response == .init(provider: "fcm", status: 404, reason: "UNREGISTERED: …"))
        #expect(lines.map { $0.name?.id } == [id, id, id, nil])
        #expect(!String(reflecting: lines).lowercased().contains("secret"))
    }

    @Test("a stream sends all rows at first, then those that are new, and now and then a comment")
    func feed() throws {
        let app = App(appID: 1, slug: "shop")
        post(1..<3, at: start)
        var feed = TailFeed(tail, of: app)
        let opened = feed.next(at: start)
        let first = try #require(opened)
        #expect(first.hasPrefix("event: all\ndata: <tr>\n"))
        #expect(first.hasSuffix("\ndata: </tr>\n\n"))
        #expect(first.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("data: ") })
        #expect(first.contains("<bdi>2</bdi>") && first.contains("<bdi>1</bdi>"))
        #expect(!first.contains("secret"))
        let silent = (0..<10).map { _ in feed.next(at: start) }
        #expect(silent == [nil, nil, nil, nil, ":\n\n", nil, nil, nil, nil, ":\n\n"])
        post(3..<4, at: start)
        let later = feed.next(at: start)
        let next = try #require(later)
        #expect(next.hasPrefix("event: lines\n"))
        #expect(next.contains("<bdi>3</bdi>") && !next.contains("<bdi>2</bdi>"))
        var other = TailFeed(tail, of: App(appID: 2, slug: "bank"))
        let none = other.next(at: start)
        #expect(none?.contains("Nothing yet") == true)
        let stillNone = other.next(at: start)
        #expect(stillNone == nil)
    }

    @Test("there are at most 50 streams, and one that ends makes room")
    func places() throws {
        let streams = TailStreams(tail)
        var places = (0..<TailStreams.most).map { _ in streams.takePlace() }
        #expect(places.count == 50 && places.allSatisfy { $0 != nil })
        #expect(streams.takePlace() == nil)
        places.removeLast()
        #expect(streams.takePlace() != nil)
    }
}
