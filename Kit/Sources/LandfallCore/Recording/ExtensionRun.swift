public import Foundation

/// One run of the notification service extension: the arrival is on disk when the run exists, and its upload has begun.
public final class ExtensionRun: Sendable {
    private let recorder: Recorder
    /// `nil` if the notification is not Landfall's.
    private let arrival: DeviceEvent?
    private let upload: Task<Void, Never>?
    private let handler = Handler()

    /// The system gives an extension 30 seconds; the upload never needs more than this.
    static let uploadSeconds: TimeInterval = 8

    /// - Parameter userInfo: the payload, `UNNotificationContent.userInfo`.
    public init(_ userInfo: [AnyHashable: Any], recorder: Recorder) {
        self.recorder = recorder
        arrival = recorder.event(.arrival, of: userInfo)
        guard let arrival else {
            upload = nil
            return
        }
        recorder.record(arrival)
        upload = Task { await recorder.upload(within: Self.uploadSeconds) }
    }

    /// Shows the notification, once, after the upload or after `grace`, whichever is first. The system may suspend the extension as
    /// soon as the notification is shown; what was not uploaded by then, the next run or the app uploads.
    ///
    /// - Parameters:
    ///   - outcome: how the run went, if not well.
    ///   - grace: in seconds.
    ///   - show: calls the content handler.
    public func finish(
        _ outcome: DeviceEvent.Outcome? = nil, grace: TimeInterval = 1, _ show: @escaping () -> Void
    ) {
        guard handler.set(show) else { return }
        record(outcome)
        guard let upload else { return handler.call() }
        Task {
            await upload.value
            handler.call()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + grace) { [handler] in handler.call() }
    }

    /// The system is about to end the run: `serviceExtensionTimeWillExpire()`. If the run has finished and waits for its upload, the
    /// notification is shown now; otherwise the run has expired, which is reported with the next upload.
    ///
    /// - Parameter show: calls the content handler with what there is.
    public func expire(_ show: @escaping () -> Void = {}) {
        if handler.set(show) { record(.expired) }
        handler.call()
    }

    public var isFinished: Bool { handler.isCalled }

    private func record(_ outcome: DeviceEvent.Outcome?) {
        guard let outcome, var arrival else { return }
        arrival.outcome = outcome
        recorder.record(arrival)
    }
}

/// A handler that is set once and called once, from whichever thread comes first. It is `Sendable` because only one thread ever gets
/// the closure.
private final class Handler: @unchecked Sendable {
    private let lock = NSLock()
    private var isSet = false
    private var closure: (() -> Void)?

    /// - Returns: `false` if one was set before.
    func set(_ closure: @escaping () -> Void) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isSet else { return false }
        isSet = true
        self.closure = closure
        return true
    }

    var isCalled: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isSet && closure == nil
    }

    func call() {
        lock.lock()
        let closure = closure
        self.closure = nil
        lock.unlock()
        closure?()
    }
}
