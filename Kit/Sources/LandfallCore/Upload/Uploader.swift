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
    private let unwritten: Unwritten
    private var running: Task<Outcome, Never>?
    /// Files that the server has, and the disk keeps: this process does not post them again.
    private var unremovable: [Spool.File] = []
    /// The pause, if the disk does not accept it.
    private var unstored: Pause?

    /// - Parameter unwritten: they are posted first. Those that were not stay.
    package init(
        _ configuration: Configuration, spool: Spool, transport: any Transport, bounds: Bounds = Bounds(),
        clock: @escaping WallClock = systemClock, unwritten: Unwritten = Unwritten(), log: @escaping Log,
        complete: @escaping Completion
    ) {
        self.configuration = configuration
        self.spool = spool
        self.transport = transport
        self.bounds = bounds
        self.clock = clock
        self.unwritten = unwritten
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
        while let running { _ = await running.value }
        let task = Task {
            // Before those that wait for it go on.
            defer { running = nil }
            return await uploadAll(within: seconds, isNetworkNew: isNetworkNew)
        }
        running = task
        return await task.value
    }

    private func uploadAll(within seconds: TimeInterval, isNetworkNew: Bool) async -> Outcome {
        // After the upload: by a clock that is wrong, events may seem too old.
        defer { spool.tidy(now: clock()) }
        let end = clock() + Int64(seconds * 1_000)
        let last = unstored ?? spool.pause
        let fingerprint = configuration.fingerprint
        if let last, last.holds(at: clock(), configuration: fingerprint, isNetworkNew: isNetworkNew) {
            return .waiting
        }
        unremovable = unremovable.filter { !spool.remove($0) }
        // Files that cannot be read or completed now are not tried again in this run.
        let tried = NSMutableSet()
        for file in unremovable { tried.add(file.name) }
        var listed = [Spool.File]().makeIterator()
        var parts = [unwritten.events + next(&listed, tried)]
        var failure: UploadVerdict?
        while failure == nil {
            let events = parts.popLast() ?? next(&listed, tried)
            if events.isEmpty { break }
            let now = clock()
            guard now < end else { return .waiting }
            guard let post = post(events, now) else { continue }
            let response = await transport.send(
                post.request, within: min(bounds.secondsPerRequest, Double(end - now) / 1_000))
            let verdict = UploadVerdict(response, events: post.events.count)
            if let divided = settle(post, verdict) { parts += divided } else { failure = verdict }
        }
        let pause = failure.flatMap {
            Pause(
                after: $0, following: last, configuration: fingerprint, now: clock(),
                random: .random(in: 0..<1))
        }
        unstored = spool.store(pause) ? nil : pause
        return failure == nil ? .done : failure == .erased ? .erased : .waiting
    }

    /// The events of the next request.
    private func next(
        _ listed: inout IndexingIterator<[Spool.File]>, _ tried: NSMutableSet
    ) -> [Spool.Event] {
        var events: [Spool.Event] = []
        var isNew = false
        while events.count < bounds.eventsPerRequest {
            if let file = listed.next() {
                guard !tried.contains(file.name) else { continue }
                tried.add(file.name)
                if let bytes = spool.read(file) { events.append(Spool.Event(file: file, bytes: bytes)) }
            } else if isNew || !events.isEmpty {
                break
            } else {
                // Listed anew when all of them are done, because of what was written meanwhile.
                listed = spool.files().makeIterator()
                isNew = true
            }
        }
        return events
    }

    private struct Post {
        var events: [Spool.Event]
        var dropped: Spool.Dropped
        var request: Request
    }

    /// - Returns: `nil` if none of them can be posted yet.
    private func post(_ waiting: [Spool.Event], _ now: Int64) -> Post? {
        let dropped = spool.dropped(with: waiting)
        var events: [Spool.Event] = []
        var items: [[String: Any]] = []
        for event in waiting {
            guard var item = (try? JSONSerialization.jsonObject(with: event.bytes)) as? [String: Any],
                complete(&item, now)
            else { continue }
            let count = dropped.count(with: event.file)
            if count > 0 { item["dropped"] = count }
            items.append(item)
            events.append(event)
        }
        guard !items.isEmpty, let body = try? JSONSerialization.data(withJSONObject: items) else {
            return nil
        }
        return Post(events: events, dropped: dropped, request: request(body))
    }

    /// - Returns: the parts in which they are posted anew, the last one first; `nil` if the upload ends.
    private func settle(_ post: Post, _ verdict: UploadVerdict) -> [[Spool.Event]]? {
        let events = post.events
        switch verdict {
        case .recorded(let rejected):
            for code in rejected { log("the server rejected an event: \(code)") }
            for event in events {
                post.dropped.remove(with: event.file)
                if !spool.remove(event.file) { unremovable.append(event.file) }
                unwritten.remove(event.file)
            }
            return []
        case .divide(let code) where events.count == 1:
            log("the server does not accept an event, which is dropped: \(code)")
            spool.drop(events[0].file)
            unwritten.remove(events[0].file)
            return []
        case .divide:
            let middle = events.count / 2
            return [Array(events[middle...]), Array(events[..<middle])]
        case .stop(let code):
            log(
                "the server does not accept this app's key or URL (\(code)): events are kept for up to \(spool.bounds.days) days"
            )
        case .erased:
            spool.removeAll()
        case .retry: break
        }
        return nil
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
