public import Foundation

/// Records device events: on disk when ``record(_:)`` returns, on the server after the next ``upload(within:isNetworkNew:)`` that
/// reaches it.
public final class Recorder: Sendable {
    public let spool: Spool
    /// The object in the payload that names the notification.
    public let payloadKey: String
    private let uploader: Uploader?
    private let identity: Identity
    private let appVersion: String?
    private let clock: WallClock
    private let log: Log
    /// Events that the disk did not accept.
    private let unwritten = Locked<[Data]>([])
    private static let mostUnwritten = 100

    /// - Parameter configuration: `nil` if it is not valid. Events are kept until it is.
    public init(
        _ configuration: Configuration?, spool: Spool, identity: Identity, transport: any Transport,
        appVersion: String? = Recorder.appVersion, bounds: Uploader.Bounds = Uploader.Bounds(),
        clock: @escaping WallClock = systemClock, log: @escaping Log = { _ in }
    ) {
        self.spool = spool
        self.identity = identity
        self.appVersion = appVersion
        self.clock = clock
        self.log = log
        payloadKey = configuration?.payloadKey ?? Configuration.usualPayloadKey
        uploader = configuration.map {
            Uploader($0, spool: spool, transport: transport, bounds: bounds, clock: clock, log: log) {
                item, now in
                item["reported_at"] = now
                guard let id = identity.deviceID else { return item["message_id"] == nil }
                item["device_id"] = id.uuidString.lowercased()
                return true
            }
        }
    }

    /// `CFBundleShortVersionString` of the running program.
    public static var appVersion: String? {
        Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    }

    /// Writes an event to the spool, or keeps it in memory if the disk is full or may not be written to.
    ///
    /// - Returns: `true` if it is on disk.
    @discardableResult
    public func record(_ event: DeviceEvent) -> Bool {
        var item = event.item
        item["kit"] = KitVersion.current
        item["app_version"] = appVersion
        if !spool.isShared { item["shared"] = false }
        guard let bytes = try? JSONSerialization.data(withJSONObject: item) else { return false }
        do {
            try spool.write(bytes, identity: event.identity, at: event.occurredAt)
            return true
        } catch {
            log("an event cannot be written to \(spool.folder.path): \(error)")
            unwritten.use { $0 = $0.suffix(Self.mostUnwritten - 1) + [bytes] }
            return false
        }
    }

    /// Uploads what is waiting. It tries once.
    ///
    /// - Parameters:
    ///   - seconds: gives up after this time.
    ///   - isNetworkNew: something shows that the network is there: a push arrived, a person opened the app.
    @discardableResult
    public func upload(within seconds: TimeInterval, isNetworkNew: Bool = true) async -> Uploader.Outcome {
        guard let uploader else { return .waiting }
        let kept = unwritten.use { unwritten in
            defer { unwritten = [] }
            return unwritten
        }
        let outcome = await uploader.upload(within: seconds, isNetworkNew: isNetworkNew, unwritten: kept)
        if outcome == .waiting { unwritten.use { $0 = (kept + $0).suffix(Self.mostUnwritten) } }
        if outcome == .erased { identity.forget() }
        return outcome
    }

    /// An event about the notification of a payload, now.
    ///
    /// - Returns: `nil` if the payload names none, as those of other senders do.
    public func event(_ kind: DeviceEvent.Kind, of userInfo: [AnyHashable: Any]) -> DeviceEvent? {
        NotificationPayload(userInfo, key: payloadKey).map { DeviceEvent(kind, $0, at: clock()) }
    }
}
