internal import DeliveryModel

/// A target that histories are posted to.
public protocol Intake: Sendable {
    /// Creates an app that no other client uses.
    func openApp() async throws -> IntakeApp
    func register(_ device: IntakeDevice, app: IntakeApp) async throws
    func post(_ body: IntakeBody, app: IntakeApp) async throws -> IntakeResponse
    func close() async throws
}

extension Intake {
    /// Closes the intake after the body, also if the body throws. If both throw, the body's error is thrown.
    public func closing<Value>(_ body: (Self) async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await body(self)
        } catch {
            try? await close()
            throw error
        }
        try await close()
        return value
    }
}

/// An app, and its keys if posting needs any.
public struct IntakeApp: Sendable {
    public let appID: Int64
    let serverKey: String
    let deviceKey: String
}

/// A registration, as `PUT /v1/devices` accepts it.
public struct IntakeDevice: Sendable {
    let device: HistoryDevice
    let traits: DeviceTraits
}

/// A body, as `POST /v1/events` accepts it.
public struct IntakeBody: Sendable {
    let bytes: [UInt8]
    let isNDJSON: Bool
    let isByDevice: Bool
    /// The current time for validators that accept it from the caller, in milliseconds since 1970.
    let now: Int64

    init(_ request: HistoryRequest, now: Int64) {
        bytes = request.body
        isNDJSON = request.layout == .lines
        isByDevice = request.isByDevice
        self.now = now
    }
}

/// The response to a body.
public struct IntakeResponse: Sendable {
    var accepted = 0
    var duplicates = 0
    /// Codes by position.
    var rejected: [Int: String] = [:]
    /// By item, if the response includes it.
    var verdicts: [ItemVerdict]?
    /// The body was posted more than once, so the outcome of the first attempt is unknown.
    var isRepeated = false
}
