import DeliveryModel
import Ingestion
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypesHTTP1
import PostgresClient
import SmallPostLane
import Synchronization
import TestDatabase
import Testing

@testable import Access
@testable import LandfallServer

/// A connection without a socket, with the handlers between the wire and the router. Its event loop runs only
/// on request.
struct LaneConnection: Sendable {
    let posts: SmallPostIntake
    let batcher: EventBatcher
    let channel: NIOAsyncTestingChannel
    /// The flow of what it posts.
    let serverFlow: Flow
    private let key: String
    private let notes: WireNotes

    static func run(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LaneConnection) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        configure(&configuration)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        do {
            let connection = try await open(configuration, backend, logger)
            do {
                try await body(connection)
            } catch {
                try await connection.leave()
                throw error
            }
            try await connection.leave()
        } catch {
            try await backend.close()
            throw error
        }
        try await backend.close()
    }

    private static func open(
        _ configuration: ServerConfiguration, _ backend: Backend, _ logger: Logger
    ) async throws -> LaneConnection {
        let (app, texts) = try await TestServer.makeApp("shop")
        let key = texts[.server] ?? ""
        // Known however long a test takes.
        let keys = KeyRing(timeToLive: .seconds(3_600)) { _ in
            Credential(keyID: 1, kind: .server, app: app)
        }
        _ = try await keys.credential(for: key)
        let limits = configuration.limits
        let posts = SmallPostIntake(
            intake: EventIntake(configuration, backend: backend), keys: keys,
            addresses: ClientAddresses(trustedProxies: []),
            observer: RequestObserver(metrics: backend.metrics.http, access: .off, logger: logger),
            logger: logger)
        let notes = WireNotes()
        let channel = try await NIOAsyncTestingChannel { channel in
            let pipeline = channel.pipeline.syncOperations
            let bounds = RequestBounds(limits, observer: posts.observer)
            let decoder = ByteToMessageHandler(HTTPRequestDecoder())
            try pipeline.addHandlers([
                HTTPResponseEncoder(), decoder, HTTP1ToHTTPServerCodec(secure: false), bounds,
            ])
            try pipeline.addHandler(EventLane(posts, bounds: bounds), position: .after(decoder))
            try pipeline.addHandler(notes, position: .first)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return LaneConnection(
            posts: posts, batcher: try backend.home.batcher, channel: channel,
            serverFlow: Flow(appID: app.appID, poster: .server), key: key, notes: notes)
    }

    /// The events on the wire, in order: the statuses of responses, and `read` whenever more was requested.
    var wire: [String] { notes.noted }

    /// A post that takes the lane.
    ///
    /// - Parameter length: the length of the whole body, if `body` is only its beginning.
    func post(_ body: String, length: Int? = nil) -> String {
        "POST /v1/events HTTP/1.1\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Length: \(length ?? body.utf8.count)\r\n\r\n\(body)"
    }

    /// Posts an arrival on another connection. It waits for its commit when this returns.
    func postElsewhere(_ notificationID: String) async throws {
        let event = Array(#"{"type":"arrival","notification_id":"\#(notificationID)"}"#.utf8)
        let credential = try await posts.keys.credential(for: key)
        let post = try posts.intake.read(
            event, contentType: nil, began: .now, credential: try #require(credential),
            ticket: nil)
        posts.intake.record(post) { _ in }
    }

    /// Receives the bytes in one piece, after which the channel requests more.
    func receive(_ text: String) async throws {
        try await onLoop { pipeline in
            pipeline.fireChannelRead(ByteBuffer(string: text))
            pipeline.fireChannelReadComplete()
            pipeline.read()
        }
    }

    /// Sets whether the client reads what is sent.
    func takesResponses(_ takes: Bool) async throws {
        channel.isWritable = takes
        try await onLoop { pipeline in pipeline.fireChannelWritabilityChanged() }
    }

    /// Waits until `count` responses have reached the wire, and the last one is fully handled.
    func waitForResponses(_ count: Int) async throws {
        for _ in 0..<count { _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self) }
        try await onLoop { _ in }
    }

    /// Disconnects the client, if it is still connected.
    func leave() async throws {
        try await onLoop { pipeline in
            try? pipeline.syncOperations.context(handlerType: WireMeter.self).close(promise: nil)
        }
        await channel.testingEventLoop.run()
    }

    /// Runs the body on the loop, after everything that was handed to it before.
    func onLoop(_ body: @escaping @Sendable (ChannelPipeline) throws -> Void) async throws {
        try await channel.testingEventLoop.executeInContext { [channel] in try body(channel.pipeline) }
    }
}

/// Comes before all other handlers and notes what reaches the wire.
private final class WireNotes: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let notes = Mutex<[String]>([])

    var noted: [String] { notes.withLock { $0 } }

    func read(context: ChannelHandlerContext) {
        notes.withLock { $0.append("read") }
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let text = String(buffer: unwrapOutboundIn(data))
        let start = "HTTP/1.1 "
        if text.hasPrefix(start) {
            notes.withLock { $0.append(String(text.dropFirst(start.count).prefix(3))) }
        }
        context.write(data, promise: promise)
    }
}
