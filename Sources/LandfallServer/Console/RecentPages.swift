internal import Access
internal import Rendering
internal import Synchronization

/// The content of reports' pages, kept for two seconds: people who open the same page at the same time cost one report.
final class RecentPages: Sendable {
    struct Content: Sendable {
        let title: String
        let markup: [Markup]
        let tag: ReportTag
    }

    private struct Entry {
        let task: Task<Content, any Error>
        let startedAt: ContinuousClock.Instant
    }

    private static let lifetime = Duration.seconds(2)
    private let entries = Mutex(RecentlyUsed<String, Entry>(capacity: 100))

    /// - Parameters:
    ///   - question: names the app, the report and its parameters.
    ///   - read: called unless the same question has just been asked.
    func content(
        _ question: String, _ read: @escaping @Sendable () async throws -> Content
    ) async throws -> Content {
        let task = entries.withLock { entries in
            if let entry = entries[question], entry.startedAt.duration(to: .now) < Self.lifetime {
                return entry.task
            }
            // All who ask meanwhile wait for this task; one who leaves does not cancel it.
            let task = Task { try await read() }
            entries[question] = Entry(task: task, startedAt: .now)
            return task
        }
        do {
            return try await task.value
        } catch {
            entries.withLock { $0[question] = nil }
            throw error
        }
    }
}
