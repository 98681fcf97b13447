public import Foundation

/// Records device events: on disk when ``record(_:)`` returns, on the server after the next
/// ``upload(within:isNetworkNew:)`` that reaches it.
public final class Recorder: Sendable {
    public let spool: Spool
    /// The object in the payload that names the notification.
    public let payloadKey: String
    private let uploader: Uploader?
    private let identity: Identity
    private let appVersion: String?
    private let clock: WallClock
    private let log: Log
    private let unwritten: Unwritten

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
        let unwritten = Unwritten()
        self.unwritten = unwritten
        payloadKey = configuration?.payloadKey ?? Configuration.usualPayloadKey
        uploader = configuration.map {
            Uploader(
                $0, spool: spool, transport: transport, bounds: bounds, clock: clock, unwritten: unwritten,
                log: log
            ) { item, now in
                Self.state(now, in: &item)
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
        let written = Spool.Event(
            file: Spool.File(identity: event.identity, at: event.occurredAt), bytes: bytes)
        do {
            try spool.write(written)
            return true
        } catch {
            log("an event cannot be written to \(spool.folder.path): \(error)")
            spool.countDropped(unwritten.keep(written))
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
        unwritten.write(to: spool)
        let outcome = await uploader.upload(within: seconds, isNetworkNew: isNetworkNew)
        if outcome == .erased {
            unwritten.removeAll()
            identity.forget()
        }
        return outcome
    }

    /// Adds the time by the clock that set `occurred_at`. The server accepts no times of clocks that were not
    /// set; without one, it uses its own.
    private static func state(_ now: Int64, in item: inout [String: Any]) {
        if let occurredAt = item["occurred_at"] as? Int64, !Spool.setClocks.contains(occurredAt) {
            item["occurred_at"] = nil
        }
        if Spool.setClocks.contains(now) { item["reported_at"] = now }
    }

    /// An event about the notification of a payload, now.
    ///
    /// - Returns: `nil` if the payload names none, as those of other senders do.
    public func event(_ kind: DeviceEvent.Kind, of userInfo: [AnyHashable: Any]) -> DeviceEvent? {
        NotificationPayload(userInfo, key: payloadKey).map { DeviceEvent(kind, $0, at: clock()) }
    }
}
