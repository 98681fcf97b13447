internal import DeliveryModel
internal import Foundation

/// A history that was posted, and the responses.
struct PlayedHistory: Sendable {
    let history: History
    let apps: [IntakeApp]
    /// In the order of the history's requests.
    let responses: [IntakeResponse]
    /// The time at which the history was posted, in milliseconds since 1970.
    let arrivals: ClosedRange<Int64>

    /// - Parameter fold: folds counters of quarter hours before an instant.
    static func play(
        _ history: History, to intake: some Intake, fold: (Instant) async throws -> Void
    ) async throws -> PlayedHistory {
        var apps: [IntakeApp] = []
        for _ in 0..<history.appCount { apps.append(try await intake.openApp()) }
        let start = milliseconds
        let responses =
            history.isSequential
            ? try await playInOrder(history, apps, intake, fold)
            : try await playAtOnce(history, apps, intake, fold)
        return PlayedHistory(
            history: history, apps: apps, responses: responses,
            // Validators may use an earlier time.
            arrivals: min(start, history.now.millisecondsSinceEpoch)...milliseconds)
    }

    private static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private static func playInOrder(
        _ history: History, _ apps: [IntakeApp], _ intake: some Intake,
        _ fold: (Instant) async throws -> Void
    ) async throws -> [IntakeResponse] {
        var responses: [IntakeResponse] = []
        for step in history.steps {
            switch step {
            case .register(let registration): try await register(registration, history, apps, intake)
            case .post(let request): responses.append(try await post(request, history, apps, intake))
            case .fold(let before): try await fold(before)
            }
        }
        return responses
    }

    /// Registers all devices, before or meanwhile, and posts all requests at the same time. After each of the
    /// first responses, one fold runs while other requests are open.
    private static func playAtOnce(
        _ history: History, _ apps: [IntakeApp], _ intake: some Intake,
        _ fold: (Instant) async throws -> Void
    ) async throws -> [IntakeResponse] {
        if !history.registersMeanwhile { try await registerAll(history, apps, intake) }
        async let registered: Void =
            history.registersMeanwhile ? registerAll(history, apps, intake) : ()
        let requests = history.requests
        let responses = try await withThrowingTaskGroup(of: (Int, IntakeResponse).self) { group in
            for (position, request) in requests.enumerated() {
                group.addTask { (position, try await post(request, history, apps, intake)) }
            }
            var responses = [IntakeResponse](repeating: IntakeResponse(), count: requests.count)
            var folds = history.folds[...]
            for try await (position, response) in group {
                responses[position] = response
                if let before = folds.popFirst() { try await fold(before) }
            }
            return responses
        }
        try await registered
        return responses
    }

    private static func registerAll(
        _ history: History, _ apps: [IntakeApp], _ intake: some Intake
    ) async throws {
        for case .register(let registration) in history.steps {
            try await register(registration, history, apps, intake)
        }
    }

    private static func register(
        _ registration: HistoryRegistration, _ history: History, _ apps: [IntakeApp], _ intake: some Intake
    ) async throws {
        try await intake.register(
            IntakeDevice(device: history.devices[registration.device], traits: registration.traits),
            app: apps[registration.app])
    }

    private static func post(
        _ request: HistoryRequest, _ history: History, _ apps: [IntakeApp], _ intake: some Intake
    ) async throws -> IntakeResponse {
        try await intake.post(
            IntakeBody(request, now: history.now.millisecondsSinceEpoch), app: apps[request.app])
    }
}
