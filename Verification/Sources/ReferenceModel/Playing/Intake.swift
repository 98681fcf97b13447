internal import DeliveryModel

/// Where histories are posted.
public protocol Intake: Sendable {
    /// Makes an app that nobody else uses.
    func openApp() async throws -> IntakeApp
    func register(_ device: IntakeDevice, app: IntakeApp) async throws
    func post(_ body: IntakeBody, app: IntakeApp) async throws -> IntakeAnswer
    func close() async throws
}

extension Intake {
    /// Closes it behind the body, whatever happens. When both go wrong, the body's error is the one worth knowing.
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

/// An app, and its keys where posting needs some.
public struct IntakeApp: Sendable {
    public let appID: Int64
    let serverKey: String
    let deviceKey: String
}

/// A registration, as `PUT /v1/devices` takes it.
public struct IntakeDevice: Sendable {
    let device: HistoryDevice
    let traits: DeviceTraits
}

/// A body, as `POST /v1/events` takes it.
public struct IntakeBody: Sendable {
    let bytes: [UInt8]
    let isNDJSON: Bool
    let isByDevice: Bool
    /// What validators take for now, where they ask us; in milliseconds since 1970.
    let now: Int64

    init(_ request: HistoryRequest, now: Int64) {
        bytes = request.body
        isNDJSON = request.layout == .lines
        isByDevice = request.isByDevice
        self.now = now
    }
}

/// What was answered to a body.
public struct IntakeAnswer: Sendable {
    var accepted = 0
    var duplicates = 0
    /// Codes by position.
    var rejected: [Int: String] = [:]
    /// By item, where the answer says so much.
    var verdicts: [ItemVerdict]?
    /// It had to be posted more than once: what came of the first time is not known.
    var isRepeated = false
}
