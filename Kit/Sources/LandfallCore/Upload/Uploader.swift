public import Foundation

/// Uploads the waiting events: everything that is in the spool, in requests of up to 100.
public actor Uploader {
    public struct Bounds: Sendable {
        public var eventsPerRequest = 100
        /// Larger bodies are compressed.
        public var plainBytes = 2_048
        public var secondsPerRequest: TimeInterval = 5

        public init() {}
    }

    public enum Outcome: Sendable {
        /// Nothing waits any more, or only what lacks a device id.
        case done
        /// The rest waits for another time.
        case waiting
        /// The device was erased on request.
        case erased
    }

    /// Adds to an item what is known only when it is posted.
    ///
    /// - Returns: `false` if it cannot be posted yet.
    public typealias Completion = @Sendable (_ item: inout [String: Any], _ now: Int64) -> Bool

    private let configuration: Configuration
    private let spool: Spool
    private let transport: any Transport
    private let complete: Completion
    private let log: Log
    private let bounds: Bounds
    private let clock: WallClock
    private var running: Task<Outcome, Never>?
    /// Files that the server has, and the disk keeps: this process does not post them again.
    private var unremovable: [Spool.File] = []
    /// The pause, if the disk does not accept it.
    private var unstored: Pause?

    public init(
        _ configuration: Configuration, spool: Spool, transport: any Transport, bounds: Bounds = Bounds(),
        clock: @escaping WallClock = systemClock, log: @escaping Log, complete: @escaping Completion
    ) {
        self.configuration = configuration
        self.spool = spool
        self.transport = transport
        self.bounds = bounds
        self.clock = clock
        self.log = log
        self.complete = complete
    }

    /// Uploads what is waiting, including what is written meanwhile. It tries each request once.
    ///
    /// - Parameters:
    ///   - seconds: begins no request after this time, and gives up the one that is under way.
    ///   - isNetworkNew: whether a pause ends that a missing network caused.
    @discardableResult
    public func upload(within seconds: TimeInterval, isNetworkNew: Bool = true) async -> Outcome {
        await upload(within: seconds, isNetworkNew: isNetworkNew, unwritten: Unwritten())
    }

    /// - Parameter unwritten: they are posted first. Those that were not stay.
    func upload(within seconds: TimeInterval, isNetworkNew: Bool = true, unwritten: Unwritten) async
        -> Outcome
    {
        while let running { _ = await running.value }
        let task = Task {
            // Before those that wait for it go on.
            defer { running = nil }
            return await uploadAll(within: seconds, isNetworkNew: isNetworkNew, unwritten: unwritten)
        }
        running = task
        return await task.value
    }

    private func uploadAll(
        within seconds: TimeInterval, isNetworkNew: Bool, unwritten: Unwritten
    ) async -> Outcome {
        // After the upload: by a clock that is wrong, events may seem too old.
        defer { spool.tidy(now: clock()) }
        let end = clock() + Int64(seconds * 1_000)
        let last = unstored ?? spool.pause
        let fingerprint = configuration.fingerprint
        if let last, last.holds(at: clock(), configuration: fingerprint, isNetworkNew: isNetworkNew) {
            return .waiting
        }
        var next = unwritten.events.map { Waiting(file: nil, event: $0.bytes) }
        // Files that cannot be read or completed now are not tried again in this run.
        unremovable = spool.remove(unremovable)
        var tried = Set(unremovable.map(\.name))
        var verdict = UploadVerdict.recorded(rejected: [])
        var listed: ArraySlice<Spool.File> = []
        while true {
            // Listed anew when all of them are done, because of what was written meanwhile.
            if listed.isEmpty { listed = spool.files().filter { !tried.contains($0.name) }[...] }
            let files = listed.prefix(bounds.eventsPerRequest)
            listed = listed.dropFirst(files.count)
            tried.formUnion(files.map(\.name))
            next += files.compactMap { file in spool.read(file).map { Waiting(file: file, event: $0) } }
            if next.isEmpty, files.isEmpty { break }
            guard clock() < end else { return .waiting }
            verdict = await post(
                next[...], dropped: spool.dropped(with: next.compactMap(\.file)), unwritten: unwritten,
                end: end)
            guard case .recorded = verdict else { break }
            next = []
        }
        store(
            Pause(
                after: verdict, following: last, configuration: fingerprint, now: clock(),
                random: .random(in: 0..<1)))
        switch verdict {
        case .recorded: return .done
        case .erased: return .erased
        case .retry, .stop, .divide: return .waiting
        }
    }

    private func store(_ pause: Pause?) {
        unstored = spool.store(pause) ? nil : pause
    }

    /// An event to post; without a file, it is only in memory.
    private struct Waiting {
        var file: Spool.File?
        var event: Data
    }

    private func post(
        _ waiting: ArraySlice<Waiting>, dropped: Spool.Dropped, unwritten: Unwritten, end: Int64
    ) async -> UploadVerdict {
        let now = clock()
        var posted: [Waiting] = []
        var items: [[String: Any]] = []
        for event in waiting {
            guard var item = (try? JSONSerialization.jsonObject(with: event.event)) as? [String: Any],
                complete(&item, now)
            else { continue }
            if let count = event.file.map(dropped.count), count > 0 { item["dropped"] = count }
            items.append(item)
            posted.append(event)
        }
        guard !items.isEmpty, let body = try? JSONSerialization.data(withJSONObject: items) else {
            return .recorded(rejected: [])
        }
        let seconds = min(bounds.secondsPerRequest, Double(end - now) / 1_000)
        let response = await transport.send(request(body), within: seconds)
        let verdict = UploadVerdict(response, events: items.count)
        switch verdict {
        case .recorded(let rejected):
            for code in rejected { log("the server rejected an event: \(code)") }
            let files = posted.compactMap(\.file)
            spool.remove(dropped, with: files)
            unremovable += spool.remove(files)
            unwritten.remove(posted.filter { $0.file == nil }.map(\.event))
        case .divide(let code) where posted.count == 1:
            log("the server does not accept an event, which is dropped: \(code)")
            drop(posted, unwritten)
            return .recorded(rejected: [])
        case .divide:
            let middle = posted.count / 2
            let first = await post(posted[..<middle], dropped: dropped, unwritten: unwritten, end: end)
            guard case .recorded = first else { return first }
            return await post(posted[middle...], dropped: dropped, unwritten: unwritten, end: end)
        case .stop(let code):
            log(
                "the server does not accept this app's key or URL (\(code)): events are kept for up to \(spool.bounds.days) days"
            )
        case .erased:
            spool.removeAll()
        case .retry: break
        }
        return verdict
    }

    private func drop(_ posted: [Waiting], _ unwritten: Unwritten) {
        let files = posted.compactMap(\.file)
        spool.drop(files)
        unwritten.remove(posted.filter { $0.file == nil }.map(\.event))
    }

    private func request(_ body: Data) -> Request {
        var headers = ["Authorization": "Bearer " + configuration.key, "Content-Type": "application/json"]
        var content = body
        if body.count > bounds.plainBytes, let compressed = body.gzipped {
            content = compressed
            headers["Content-Encoding"] = "gzip"
        }
        return Request(
            "POST", configuration.url.appendingPathComponent("v1/events"), headers: headers, body: content)
    }
}
