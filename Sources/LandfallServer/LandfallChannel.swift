internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Hummingbird's HTTP/1 channel with the `EventLane` behind its other handlers, right before the requests become tasks.
struct LandfallChannel: ServerChildChannel {
    let http: HTTP1Channel
    let posts: SmallPosts

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let connection = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            try pipeline.addHandler(EventLane(posts), position: .after(connection))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
