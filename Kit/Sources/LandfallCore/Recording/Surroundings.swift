public import Foundation

/// What the kit finds where it runs: configuration, folders, keychain. The app and its extension find the
/// same, as long as both have the same keys in their Info.plist and the same App Group.
public final class Surroundings: Sendable {
    public let configuration: Result<Configuration, ConfigurationError>
    public let spool: Spool
    public let identity: Identity
    /// The app's own folder.
    public let folder: URL
    public let transport: any Transport
    public let clock: WallClock
    public let log: Log

    public init(
        configuration: Result<Configuration, ConfigurationError>, spool: Spool, identity: Identity,
        folder: URL, transport: any Transport, clock: @escaping WallClock = systemClock, log: @escaping Log
    ) {
        self.configuration = configuration
        self.spool = spool
        self.identity = identity
        self.folder = folder
        self.transport = transport
        self.clock = clock
        self.log = log
    }

    /// - Parameter plist: the Info.plist of the running program.
    public init(
        plist: [String: Any], secrets: (_ group: String?) -> any SecretStore, log: @escaping Log
    ) {
        do throws(ConfigurationError) {
            configuration = .success(try Configuration(plist: plist))
        } catch {
            configuration = .failure(error)
            log("\(error). Until then, events are kept on the device")
        }
        let group = plist["LandfallAppGroup"] as? String
        let container = group.flatMap(Surroundings.container)
        if let group, container == nil {
            log(
                "the App Group \(group) is not among the entitlements of \(plist["CFBundleIdentifier"] ?? "this program")"
            )
        }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        spool = Spool(
            folder: (container ?? caches).appendingPathComponent("Landfall/v1", isDirectory: true),
            isShared: container != nil)
        folder = support.appendingPathComponent("Landfall", isDirectory: true)
        identity = Identity(secrets(container == nil ? nil : group))
        transport = SessionTransport()
        clock = systemClock
        self.log = log
    }

    private static func container(_ group: String) -> URL? {
        #if canImport(Darwin)
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        #else
            nil
        #endif
    }

    public func recorder() -> Recorder {
        Recorder(
            try? configuration.get(), spool: spool, identity: identity, transport: transport, clock: clock,
            log: log)
    }
}
