import DeliveryModel
import HTTPTypes
import Testing

@testable import LandfallServer

@Suite struct FeedPlacesTests {
    private static let apps = (1...6).map { App(appID: Int64($0), slug: "app-\($0)") }

    @Test(
        "an app has a quarter of the places, at least one",
        arguments: [(1, 1), (7, 1), (8, 2), (1_000, 250)])
    func share(limit: Int, share: Int) {
        var places = FeedPlaces(limit: limit)
        for _ in 0..<share { #expect(places.take(Self.apps[0]) == nil) }
        #expect(places.take(Self.apps[0])?.status == .tooManyRequests)
        places.leave(Self.apps[0])
        #expect(places.take(Self.apps[0]) == nil)
    }

    @Test("five apps cannot take more than all places, and one that leaves makes room")
    func all() {
        var places = FeedPlaces(limit: 4)
        for app in Self.apps.prefix(4) { #expect(places.take(app) == nil) }
        #expect(places.take(Self.apps[4])?.status == .serviceUnavailable)
        places.leave(Self.apps[1])
        #expect(places.take(Self.apps[4]) == nil)
        #expect(places.take(Self.apps[5])?.code == "too_many_waits")
    }
}
