public import Foundation
public import PostgresClient

public struct AppDevice: Hashable, Sendable {
    public let appID: Int64
    public let deviceID: UUID

    public init(appID: Int64, deviceID: UUID) {
        self.appID = appID
        self.deviceID = deviceID
    }
}

public struct AppInstallation: Hashable, Sendable {
    public let appID: Int64
    public let installationID: Int64

    public init(appID: Int64, installationID: Int64) {
        self.appID = appID
        self.installationID = installationID
    }
}

/// Finds installations by device, for channels that have no tokens, and devices by installation.
public enum InstallationDirectory {
    /// The known data of each registered device, as a target without a token.
    public static func find(
        _ devices: Set<AppDevice>, on connection: PostgresConnection
    ) throws -> [AppDevice: PushTarget] {
        guard !devices.isEmpty else { return [:] }
        let asked = Array(devices)
        let rows = try connection.query(
            .Tokens.findInstallations, [.array(asked.map(\.appID)), .array(asked.map(\.deviceID))])
        return try rows.reduce(into: [:]) { found, row in
            found[asked[try row.askedIndex]] = PushTarget(
                token: nil, installationID: try row.get("installation_id"),
                traits: try InstallationTraits(row))
        }
    }

    /// The devices of installations, including erased ones.
    public static func devices(
        of installations: Set<AppInstallation>, on connection: PostgresConnection
    ) throws -> [AppInstallation: UUID] {
        guard !installations.isEmpty else { return [:] }
        let asked = Array(installations)
        let rows = try connection.query(
            .Tokens.findDevices, [.array(asked.map(\.appID)), .array(asked.map(\.installationID))])
        return try rows.reduce(into: [:]) { devices, row in
            devices[asked[try row.askedIndex]] = try row.get("device_id", as: UUID.self)
        }
    }
}
