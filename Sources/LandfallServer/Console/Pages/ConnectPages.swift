internal import Access
internal import Connecting
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Reports

/// How to connect a sender, and what has arrived in the last hour, with what is wrong with it.
struct ConnectPages: Sendable {
    let desk: ReportDesk

    func addRoutes(to console: ConsoleRoutes) {
        console.page(inApp: "connect") { list($0, $1) }
        console.page(inApp: "connect/:sender") { try await page($0, $1) }
        console.post(inApp: "connect/:sender", as: .admin) { visit, app, _ in
            try await createKey(visit, app)
        }
    }

    private func list(_ visit: Visit, _ app: App) -> ConsolePage {
        let path = ConsolePlace.connect.path(of: app.slug)
        return ConsolePage(title: "Connect", place: .connect) {
            h1 { "Connect" }
            p(class: "caption") {
                "What sends the pushes of \(app.slug)? For anything else, choose curl: any language with HTTP can post."
            }
            table(["Sender", "Connected by", "Not learned this way"], ConnectableSender.all) { sender in
                a(["href": "\(path)/\(sender.name)"]) { sender.title }
                sender.way.words
                sender.loss ?? ""
            }
        }
    }

    /// - Parameter key: a key that has just been created; it is on no other page.
    private func page(_ visit: Visit, _ app: App, key: String? = nil) async throws -> ConsolePage {
        let sender = try visit.segment("sender", ConnectableSender.named)
        let progress = try await desk.read(in: app.cell) { connection in
            try ConnectStart(of: app, lastHourBefore: visit.now)
                .progress(until: sender.end, now: visit.now, on: connection)
        }
        // Loading the page again would remove a key that no one has copied yet.
        return ConsolePage(title: sender.title, place: .connect, isLive: key == nil) {
            h1 { sender.title }
            if key != nil {
                p(class: "done", ["role": "status"]) {
                    "Save what is below now: the key in it is shown only once."
                }
            }
            pre(class: "card wide scroll", ["tabindex": "0", "aria-label": "What to paste"]) {
                sender.setup(url: visit.origin ?? "https://…", key: key ?? sender.keyPlaceholder)
                    .split(separator: "\n", omittingEmptySubsequences: false)
                    .map { line in span { String(line) } }
            }
            if let loss = sender.loss { p(class: "note") { "Not learned this way: \(loss)" } }
            p(class: "note") {
                "The details are in "
                code { sender.page }
                " of the documentation."
            }
            if key == nil { keyForm(visit, app, sender) }
            arrived(progress, visit, app)
        }
    }

    private func keyForm(_ visit: Visit, _ app: App, _ sender: ConnectableSender) -> Markup {
        guard visit.role >= .admin else {
            return p(class: "note") { "An admin can create the \(sender.keyKind.rawValue) key for it." }
        }
        return postForm("\(ConsolePlace.connect.path(of: app.slug))/\(sender.name)", visit.session) {
            p(class: "decision") {
                button(class: "primary") { "Create a \(sender.keyKind.rawValue) key and fill it in" }
            }
        }
    }

    private func createKey(_ visit: Visit, _ app: App) async throws -> Response {
        let kind = try visit.segment("sender", ConnectableSender.named).keyKind
        let key = try await visit.pool.withTransaction { connection in
            let key = try AppDirectory(connection).createKey(kind: kind, for: app, at: visit.now)
            try visit.record("key_created", "\(key.kind.rawValue) \(key.prefix)…", on: connection)
            return key.text
        }
        return try await page(visit, app, key: key).response(for: visit)
    }

    // MARK: - What has arrived

    @MarkupBuilder
    private func arrived(_ progress: ConnectProgress, _ visit: Visit, _ app: App) -> [Markup] {
        h2 { "What has arrived in the last hour" }
        p(class: "headline", ["role": "status"]) { progress.summary }
        if case .connected(let push) = progress.stage {
            table(["Stage", "Notifications"], ConnectProgress.funnel(of: push)) { stage in
                stage.measure.rawValue
                "\(stage.count)"
            }
        }
        if !progress.troubles.isEmpty {
            table(["What is wrong", "How to fix it"], progress.troubles) { trouble in
                Markup.name(trouble.sentence)
                trouble.fix
            }
        }
        if !progress.pushes.isEmpty {
            table(["Notification", "Push", "What is known"], progress.pushes.prefix(20)) { push in
                link(push.record, in: app)
                Markup.name(push.record.response.map(Self.words) ?? "")
                Markup.name(push.record.fate)
            }
        }
        p(class: "decision") { a(class: "button again", ["href": visit.path]) { "Load again" } }
    }

    private func link(_ push: PushRecord, in app: App) -> Markup {
        let id = push.notificationID.uuidString.lowercased()
        return a(["href": "\(ConsolePlace.explain.path(of: app.slug))?notification=\(id)"]) { code { id } }
    }

    /// `alert by APNs, production, com.example.shop`.
    private static func words(_ response: PushRecord.Response) -> String {
        let kind = response.pushType.isEmpty ? "push" : response.pushType
        return ["\(kind) by \(providerName(response.provider))", response.environment, response.topic]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension ConnectableSender.Way {
    fileprivate var words: String {
        switch self {
        case .library: "a client library"
        case .copy: "code to copy"
        case .hook: "configuration"
        }
    }
}
