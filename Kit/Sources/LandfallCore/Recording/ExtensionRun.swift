public import Foundation

/// One run of the notification service extension: the arrival is on disk when the run exists, and its upload
/// has begun.
public final class ExtensionRun: Sendable {
    private let recorder: Recorder
    /// `nil` if the notification is not Landfall's.
    private let arrival: DeviceEvent?
    private let handler = Handler()

    /// The system gives an extension 30 seconds; the upload never needs more than this.
    static let uploadSeconds: TimeInterval = 8

    /// - Parameter userInfo: the payload, `UNNotificationContent.userInfo`.
    public init(_ userInfo: [AnyHashable: Any], recorder: Recorder) {
        self.recorder = recorder
        arrival = recorder.event(.arrival, of: userInfo)
        guard let arrival else {
            handler.release()
            return
        }
        recorder.record(arrival)
        Task { [handler] in
            await recorder.upload(within: Self.uploadSeconds)
            handler.release()
        }
    }

    /// Shows the notification, once, after the upload or after `grace`, whichever is first. The system may
    /// suspend the extension as soon as the notification is shown; what was not uploaded by then, the next
    /// run or the app uploads.
    ///
    /// - Parameters:
    ///   - outcome: how the run went, if not well.
    ///   - grace: in seconds.
    ///   - show: calls the content handler.
    public func finish(
        _ outcome: DeviceEvent.Outcome? = nil, grace: TimeInterval = 1, _ show: @escaping () -> Void
    ) {
        guard handler.claim() else { return }
        record(outcome)
        handler.set(show)
        DispatchQueue.global().asyncAfter(deadline: .now() + grace) { [handler] in handler.release() }
    }

    /// The system is about to end the run: `serviceExtensionTimeWillExpire()`. If the run has finished and
    /// waits for its upload, the notification is shown now; otherwise the run has expired, which is reported
    /// with the next upload.
    ///
    /// - Parameter show: calls the content handler with what there is.
    public func expire(_ show: @escaping () -> Void = {}) {
        if handler.claim() {
            record(.expired)
            handler.set(show)
        }
        handler.release()
    }

    public var isFinished: Bool { handler.isCalled }

    private func record(_ outcome: DeviceEvent.Outcome?) {
        guard let outcome, var arrival else { return }
        arrival.outcome = outcome
        recorder.record(arrival)
    }
}

/// A handler that is called once, when it is set and released, from whichever thread comes last. It is
/// `Sendable` because only one thread ever gets the closure.
private final class Handler: @unchecked Sendable {
    private let lock = NSLock()
    private var isClaimed = false
    private var isReleased = false
    private var closure: (() -> Void)?
    private var wasCalled = false

    /// - Returns: `false` if another caller sets it.
    func claim() -> Bool {
        lock.lock()
        defer {
            isClaimed = true
            lock.unlock()
        }
        return !isClaimed
    }

    func set(_ closure: @escaping () -> Void) {
        lock.lock()
        self.closure = closure
        callIfReleased()
    }

    func release() {
        lock.lock()
        isReleased = true
        callIfReleased()
    }

    var isCalled: Bool {
        lock.lock()
        defer { lock.unlock() }
        return wasCalled
    }

    /// Unlocks.
    private func callIfReleased() {
        guard isReleased, let closure else { return lock.unlock() }
        wasCalled = true
        self.closure = nil
        lock.unlock()
        closure()
    }
}
