public import Foundation
public import LandfallCore

/// Records what push providers return, from a server that sends pushes: on disk when ``record(_:)`` returns,
/// on Landfall soon after. It never delays or fails a push.
///
/// ```swift
/// let recorder = ResponseRecorder(url: url, key: "lf_server_…", folder: folder)
/// recorder.record(PushResponse(notificationID: id, provider: "apns", status: 200, token: token))
/// ```
public final class ResponseRecorder: Sendable {
    private let spool: Spool
    private let uploader: Uploader
    private let log: Log
    private let isRunning = Locked(false)
    private static let pause: UInt64 = 1_000_000_000

    /// - Parameters:
    ///   - key: a server key.
    ///   - folder: for what waits; each process that sends has its own, or all share one.
    ///   - transport: what carries requests; `nil` for URLSession.
    public init(
        url: URL, key: String, folder: URL, transport: (any Transport)? = nil, log: @escaping Log = systemLog
    ) {
        var bounds = Spool.Bounds()
        bounds.files = 1_000_000
        spool = Spool(folder: folder, isShared: true, bounds: bounds)
        var limits = Uploader.Bounds()
        limits.eventsPerRequest = 5_000
        limits.secondsPerRequest = 30
        uploader = Uploader(
            Configuration(url: url, key: key), spool: spool, transport: transport ?? SessionTransport(),
            bounds: limits, log: log
        ) { _, _ in true }
        self.log = log
    }

    /// - Returns: `false` if it could not be written, which is logged.
    @discardableResult
    public func record(_ response: PushResponse) -> Bool {
        do {
            let bytes = try JSONSerialization.data(withJSONObject: response.item)
            try spool.append(bytes, at: systemClock())
        } catch {
            log("a response cannot be written to \(spool.folder.path): \(error)")
            return false
        }
        startUploading()
        return true
    }

    /// Uploads until nothing waits, a moment after the first response, so that one request carries many.
    private func startUploading() {
        let isFirst = isRunning.use { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        guard isFirst else { return }
        Task {
            while !spool.files().isEmpty {
                try? await Task.sleep(nanoseconds: Self.pause)
                await uploader.upload(within: 60, isNetworkNew: false)
            }
            isRunning.use { $0 = false }
            // Recorded after the last look.
            if !spool.files().isEmpty { startUploading() }
        }
    }

    /// Uploads what waits, before the process ends.
    ///
    /// - Returns: `false` if some of it still waits: another start uploads it.
    @discardableResult
    public func flush(within seconds: TimeInterval = 10) async -> Bool {
        await uploader.upload(within: seconds) == .done
    }
}
