import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import LandfallServer

@Suite struct ClientDepartureTests {
    private final class Departures: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func note() { number.add(1, ordering: .relaxed) }
    }

    private static func connected() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(WireMeter(bounds: nil))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private static func watch(_ channel: EmbeddedChannel, _ departures: Departures) throws {
        try channel.pipeline.syncOperations.addHandler(
            ClientDeparture { departures.note() }, position: .first)
    }

    @Test("a client that closes its half of the connection is noticed, before it is watched and while it is")
    func half() throws {
        for isWatched in [false, true] {
            let (channel, departures) = (try Self.connected(), Departures())
            if isWatched { try Self.watch(channel, departures) }
            #expect(departures.count == 0)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            if !isWatched { try Self.watch(channel, departures) }
            #expect(departures.count == 1)
            _ = try channel.finish()
        }
    }

    @Test("a client that stays is not said to have left")
    func stays() throws {
        let (channel, departures) = (try Self.connected(), Departures())
        try Self.watch(channel, departures)
        #expect(departures.count == 0)
        try channel.close().wait()
        #expect(departures.count == 1)
    }
}
