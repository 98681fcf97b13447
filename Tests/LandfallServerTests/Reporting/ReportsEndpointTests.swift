import Access
import DeliveryModel
import Foundation
import HTTPTypes
import PostgresClient
import Rendering
import Reports
import TestDatabase
import Testing

@testable import LandfallServer

@Suite("Reports over HTTP", .database) struct ReportsEndpointTests {
    /// A UTC day that has ended long enough ago, and the bounds of a window that holds it.
    private let day = Instant.now.startOfUTCDay - .days(5)

    private func response(_ number: Int, campaign: String = "spring") -> String {
        let id = notificationID(number, at: day + .hours(10))
        return """
            {"type":"response","notification_id":"\(id)","provider":"apns","status":200,"token":"\(tokenValue(number))",\
            "campaign":"\(campaign)"}
            """
    }

    private func click(_ number: Int) -> String {
        #"{"type":"click","notification_id":"\#(notificationID(number, at: day + .hours(10)))"}"#
    }

    private func date(_ instant: Instant) -> String { String(instant.rfc3339.prefix(10)) }

    private var window: String { "from=\(date(day))&to=\(date(day + .days(1)))" }

    /// The document without the lines that contain its instant.
    private func timeless(_ document: String) -> [Substring] {
        document.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("as_of\":") }
    }

    private func report(_ query: String, on server: TestServer, as kind: APIKey.Kind? = .report) async throws
        -> Response
    {
        try await server.send(.get, "/v1/reports/\(query)", as: kind)
    }

    @Test("are the documents that the command line prints, byte for byte")
    func sameBytes() async throws {
        let (window, from, to) = (window, date(day), date(day + .days(1)))
        try await TestServer.run { server async throws in
            #expect(try await server.post("[\(response(1)),\(response(2)),\(click(1))]").counts == [3, 0, 0])
            _ = try await server.put(UUID(), registration(tokenValue(7)))
            let app = server.app
            let request = ReportRequest(
                from: from, to: to, timeZone: "Asia/Kathmandu", by: ["hour", "campaign"],
                filters: [
                    ReportFilter(.campaign, ["spring", "sale & more"]), ReportFilter(.provider, ["apns"]),
                ],
                compare: "previous")
            let documents = try await TestDatabase.current.pool.withConnection { connection in
                let now = Instant.now
                let query = try request.query(for: app, now: now)
                let waterfall = try WaterfallWindow(
                    from: from, to: nil, by: .day, timeZone: ReportTimeZone("Asia/Kathmandu"), asOf: now)
                return try [
                    FunnelReport.run(query, on: connection, now: now).document,
                    ReachReport.run(query, on: connection, now: now).document,
                    ClicksReport.run(query, on: connection, now: now).document,
                    LossReport.run(query, on: connection, now: now).document,
                    RejectionsReport.run(query, on: connection, now: now).document,
                    LatencyReport.run(query, on: connection, now: now).document,
                    TokenWaterfall.run(for: app, unit: .tokens, window: waterfall, on: connection).document,
                    TokenStatusReport.run(for: app, on: connection, now: now).document,
                ].map { $0.indentedText + "\n" }
            }
            let question =
                "\(window)&tz=Asia/Kathmandu&by=hour,campaign&campaign=spring&campaign=sale+%26%20more&provider=apns"
                + "&compare=previous"
            let paths =
                ["funnel", "reach", "clicks", "loss", "rejections", "latency"].map { "\($0)?\(question)" } + [
                    "tokens?from=\(from)&by=day&tz=Asia/Kathmandu&unit=tokens", "tokens/status",
                ]
            for (path, document) in zip(paths, documents) {
                let response = try await report(path, on: server)
                #expect(response.status == 200)
                #expect(response.contentType == "application/json")
                // The last window of tokens ends at the instant of the request.
                let isOpen = path.hasPrefix("tokens?")
                if isOpen {
                    #expect(timeless(response.text).count == timeless(document).count)
                    #expect(response.text.contains(#""rule": "registered""#))
                } else {
                    #expect(timeless(response.text) == timeless(document))
                    #expect(response.text.contains(#""sale & more""#) != path.hasPrefix("tokens"))
                }
            }
        }
    }

    @Test("today is what the command prints, without its next steps", arguments: ReportFormat.allCases)
    func today(format: ReportFormat) async throws {
        try await TestServer.run { server async throws in
            let now = Instant.now
            let event = response(1).replacing(
                notificationID(1, at: day + .hours(10)), with: notificationID(1, at: now))
            #expect(try await server.post("[\(event),\(response(2))]").counts == [2, 0, 0])
            _ = try await server.put(UUID(), registration(tokenValue(7)))
            let (app, query) = (server.app, "tz=Asia/Kathmandu&app=shop&format=\(format.rawValue)")
            let route = try #require(ReportRoute.all.first { $0.name == "today" })
            let question = try route.read(QueryParameters(query: query), app, now)
            let (asked, page) = try await TestDatabase.current.pool.withConnection { connection in
                let zone = try ReportTimeZone("Asia/Kathmandu")
                let day = try AppToday.run(for: app, in: zone, on: connection, now: now)
                let health = try TokenHealth.run(for: app, on: connection, now: now)
                return (
                    try question.response(connection, 1_000),
                    TodayPage(asOf: now, timeZone: zone, days: [day], health: health, steps: [])
                )
            }
            let text = page.text(as: format, OutputStyle(usesUnicode: false, usesColor: false))
            #expect(asked.report.text(as: format, asked.style) == text)
            #expect(asked.notes.isEmpty)
            #expect(!text.contains("Try next"))
            let sent = try await report("today?\(query)", on: server)
            #expect(sent.status == 200)
            #expect(sent.headers[.init("Landfall-App")!] == "shop")
            #expect(sent.text.prefix(20) == text.prefix(20))
            #expect(sent.text.contains("spring") == (format != .csv), "\(sent.text)")
        }
    }

    @Test("have the format, the order and the number of rows that were requested")
    func formats() async throws {
        let window = window
        try await TestServer.run { server async throws in
            _ = try await server.post(
                "[\(response(1)),\(response(2)),\(response(3, campaign: "autumn")),\(click(3))]")
            let question = "funnel?\(window)&by=campaign&sort=click_through&limit=1"
            let document = try await report(question, on: server)
            #expect(document.headers[.init("Landfall-App")!] == "shop")
            #expect(document.headers[.init("Landfall-Notes")!] == nil)
            #expect(document.text.contains(#""rows_left_out": 1"#))
            #expect(document.text.contains(#"{"campaign": "autumn"}"#))
            let unsorted = try await report("funnel?\(window)&by=campaign&sort=nonsense", on: server)
            #expect(unsorted.status == 400)
            #expect(unsorted.detail?.contains("click_through") == true, "\(unsorted.text)")
            let types = [
                ("csv", "text/csv; charset=utf-8", "campaign,attempted,"),
                ("ndjson", "application/x-ndjson", #"{"key":{"campaign":"autumn"},"#),
                ("html", "text/html; charset=utf-8", "<!doctype html>"),
                ("table", "text/plain; charset=utf-8", "Funnel | shop\n"),
                (
                    "table&terminal=60,unicode,color", "text/plain; charset=utf-8",
                    "\u{1B}[1mFunnel · shop\u{1B}[0m\n"
                ),
            ]
            for (format, type, start) in types {
                let response = try await report("\(question)&format=\(format)", on: server)
                #expect(response.contentType == type)
                #expect(response.text.hasPrefix(start), "\(response.text.prefix(60))")
                // A table names the rows that it leaves out.
                #expect(response.text.contains("autumn"))
                #expect(!response.text.contains("spring"))
            }
        }
    }

    @Test("say what the command line says besides a report")
    func notes() async throws {
        let window = window
        try await TestServer.run { server async throws in
            let status = try await report("tokens/status", on: server)
            #expect(
                status.headers[.init("Landfall-Notes")!]?.removingPercentEncoding
                    == "There is no token of app shop.")
            _ = try await server.post(response(1))
            let nothing = try await report("funnel?\(window)&campaign=sprnig,%C3%BC", on: server)
            #expect(nothing.status == 200)
            #expect(
                nothing.headers[.init("Landfall-Notes")!]?.removingPercentEncoding
                    == "note: shop has nothing with the campaign 'sprnig,ü'. Known: spring, "
                    + "No such notifications of app shop in this window., --from 30d looks further back.")
        }
    }

    @Test(
        "a format, a limit, a terminal or an app that is not valid is a 400 that names the valid ones",
        arguments: [
            ("funnel?format=pdf", "use table or json or ndjson or csv or html"),
            ("loss?limit=0", "1 or more"),
            ("loss?limit=some", "1 or more"), ("reach?terminal=20", "40 to 1000"),
            ("reach?terminal=80,blink", "100,unicode,color"),
            ("funnel?app=news", "one of app 'shop': omit 'app', or use a key of 'news'"),
            ("tokens/status?limit=3", "does not accept 'limit'"),
            ("extension?by=day", "does not accept 'by'"),
        ])
    func invalidShape(query: String, detail: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await report(query, on: server)
            #expect(response.status == 400)
            #expect(response.detail?.contains(detail) == true, "\(response.text)")
            #expect(try await report("funnel?app=shop", on: server).status == 200)
        }
    }

    @Test("contain what was posted, broken down and filtered as requested")
    func numbers() async throws {
        let window = window
        try await TestServer.run { server async throws in
            _ = try await server.post(
                "[\(response(1)),\(response(2, campaign: "autumn")),\(click(1)),\(response(3, campaign: ""))]"
            )
            let all = try await JSONDecoder().decode(
                Counted.self, from: Data(report("funnel?\(window)&by=campaign", on: server).body))
            #expect(all.totals.counts.attempted == 3)
            #expect(Set(all.rows.map { $0.key["campaign"] ?? "absent" }) == ["spring", "autumn", nil])
            let none = try await JSONDecoder().decode(
                Counted.self, from: Data(report("funnel?\(window)&campaign=", on: server).body))
            #expect(none.totals.counts.attempted == 1)
            let two = try await JSONDecoder().decode(
                Counted.self,
                from: Data(report("clicks?\(window)&campaign=spring&campaign=autumn", on: server).body))
            #expect(two.totals.counts.clicked == 1)
            #expect(two.totals.counts.accepted == 2)
        }
    }

    private struct Counted: Decodable {
        struct Counts: Decodable {
            let attempted: Int?
            let accepted: Int?
            let clicked: Int?
        }

        struct Figures: Decodable {
            let counts: Counts
        }

        struct Row: Decodable {
            let key: [String: String?]
        }

        let totals: Figures
        let rows: [Row]
    }

    @Test("need a report key, and each key sees only its own app")
    func keys() async throws {
        let window = window
        try await TestServer.run { server async throws in
            _ = try await server.post(response(1))
            let (other, otherKeys) = try await TestServer.makeApp("news")
            for route in ReportRoute.all {
                let path = route.parameters.contains("from") ? "\(route.name)?\(window)" : route.name
                #expect(try await report(path, on: server, as: nil).status == 401)
                for kind in [APIKey.Kind.server, .device] {
                    let response = try await report(path, on: server, as: kind)
                    #expect(response.status == 403)
                    #expect(response.code == "wrong_key_kind")
                }
                #expect(try await report(path, on: server).text.contains(#""app": "shop""#))
            }
            let foreign = try await report("funnel?\(window)", on: server.with(keys: otherKeys, app: other))
            #expect(foreign.text.contains(#""app": "news""#))
            #expect(foreign.text.contains(#""attempted": 0"#))
        }
    }

    @Test(
        "a request that cannot be read is rejected with what would be right",
        arguments: [
            ("funnel?campagin=spring", "unknown_parameter", "did you mean 'campaign'?"),
            ("funnel?sender=checkout", "unknown_parameter", "they read counters"),
            ("clicks?by=day,sender", "invalid_parameter", "explain token or device lists"),
            ("reach?exact=1", "invalid_parameter", "use true or false"),
            ("funnel?exact=true", "unknown_parameter", "this report does not accept 'exact'"),
            ("funnel?unit=tokens", "unknown_parameter", "this report does not accept 'unit'"),
            ("today?from=7d", "unknown_parameter", "this report does not accept 'from'. It accepts tz, app"),
            ("today?tz=Europe/Berln", "invalid_parameter", "did you mean 'Europe/Berlin'?"),
            ("tokens?campaign=spring", "unknown_parameter", "It accepts from, to, tz, by, unit, as_of"),
            ("funnel?from=soon", "invalid_parameter", "'soon' is not valid for 'from'"),
            ("funnel?from=", "invalid_parameter", "'' is not valid for 'from'"),
            ("reach?from=today&to=yesterday", "invalid_parameter", "the window is empty"),
            ("clicks?tz=Europe/Berln", "invalid_parameter", "did you mean 'Europe/Berlin'?"),
            ("clicks?by=campain", "invalid_parameter", "did you mean 'campaign'?"),
            ("clicks?by=day&by=hour", "invalid_parameter", "too many at once"),
            ("clicks?from=7d&from=8d", "invalid_parameter", "'from' is given 2 times"),
            ("funnel?compare=last", "invalid_parameter", "'last' is not valid for 'compare'"),
            ("tokens?unit=people", "invalid_parameter", "use installations or tokens"),
            ("tokens?by=hour", "invalid_parameter", "use day or week"),
            ("tokens?as_of=2999-01-01", "invalid_parameter", "is in the future"),
            ("funnel?campaign=%00", "invalid_parameter", "contains a NUL"),
            ("funnel?campaign=%FF", "invalid_parameter", "UTF-8"),
            ("funnel?campaign=\(String(repeating: "x", count: 256))", "invalid_parameter", "longer than 255"),
        ])
    func mistakes(path: String, code: String, detail: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await report(path, on: server)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect(response.detail?.contains(detail) == true, "\(response.text)")
            #expect(response.contentType == "application/problem+json")
        }
    }

    @Test(
        "an instant's offset need not be encoded, and blanks are written as in forms",
        arguments: ["2026-03-01T09:30:00+01:00", "2026-03-01T09:30:00%2B01:00"])
    func plus(instant: String) async throws {
        try await TestServer.run { server async throws in
            let response = try await report("funnel?from=\(instant)&to=2026-03-01T10:00:00Z", on: server)
            #expect(response.text.contains(#""from": "2026-03-01T08:30:00+00:00""#), "\(response.text)")
        }
    }

    @Test("a window or a result that is too large is rejected, and so is too large a comparison")
    func tooLarge() async throws {
        try await TestServer.run(configure: {
            $0.reports.window = .days(30)
            $0.reports.rows = 2
        }) { server async throws in
            _ = try await server.post(
                "[\(response(1)),\(response(2, campaign: "autumn")),\(response(3, campaign: ""))]")
            // 30 local days that include a change to winter time are allowed, too.
            let autumn = "from=2025-10-10&to=2025-11-09&tz=Europe/Berlin"
            #expect(try await report("funnel?\(autumn)", on: server).status == 200)
            let long = try await report("funnel?from=31d", on: server)
            #expect(long.status == 400)
            #expect(long.code == "window_too_long")
            #expect(try await report("tokens?from=40d&to=now", on: server).code == "window_too_long")
            #expect(try await report("funnel?\(window)", on: server).status == 200)
            let wide = try await report("funnel?\(window)&by=campaign", on: server)
            #expect(wide.status == 400)
            #expect(wide.code == "too_many_rows")
            #expect(wide.detail?.hasPrefix("the report has more than the 2 rows") == true)
            // The rows of the comparison count, too.
            let some = "\(window)&by=campaign&campaign=autumn&campaign=spring"
            #expect(try await report("funnel?\(some)", on: server).status == 200)
            let compared = try await report("funnel?\(some)&compare=previous", on: server)
            #expect(compared.code == "too_many_rows")
        }
    }

    @Test(
        "latencies in many buckets are one row for each key, and groups without a rejection have an error of their own"
    )
    func rowsAndKeys() async throws {
        let (window, day) = (window, day)
        try await TestServer.run(configure: { $0.reports.rows = 1 }) { server async throws in
            let sentAt = day + .hours(10)
            // Each takes a tenth longer than the one before it: more than a hundred buckets.
            var (milliseconds, arrivals) = (20.0, [String]())
            for number in 1...130 {
                milliseconds *= 1.1
                let occurredAt = sentAt + Span(milliseconds: Int64(milliseconds))
                arrivals.append(
                    """
                    {"type":"arrival","notification_id":"\(notificationID(number, at: sentAt))",\
                    "occurred_at":"\(occurredAt.rfc3339)"}
                    """)
            }
            let pushes = (1...130).map { response($0) }
            _ = try await server.post("[\((pushes + arrivals).joined(separator: ","))]")
            let latency = try await report("latency?\(window)&by=campaign", on: server)
            #expect(latency.status == 200, "\(latency.text)")
            #expect(latency.text.components(separatedBy: #""from_ms""#).count > 100)
            let rejected = ["Unregistered", "ExpiredToken"].enumerated().map { number, reason in
                response(200 + number).replacing(
                    #""status":200"#, with: #""status":410,"reason":"\#(reason)""#)
            }
            _ = try await server.post("[\(rejected.joined(separator: ","))]")
            let reasons = try await report("rejections?\(window)&by=campaign", on: server)
            #expect(reasons.code == "too_many_rows")
            #expect(reasons.detail?.contains("groups") == false, "\(reasons.text)")
            let keys = (131...140).map { response($0, campaign: "campaign-\($0)") }
            _ = try await server.post("[\(keys.joined(separator: ","))]")
            let rejections = try await report("rejections?\(window)&by=campaign", on: server)
            #expect(rejections.status == 400)
            #expect(rejections.code == "too_many_rows")
            #expect(rejections.detail?.hasPrefix("there are more than 10 groups") == true)
        }
    }

    @Test("permissions are those that apps registered, as of any instant, without those of erased devices")
    func permissions() async throws {
        try await TestServer.run { server async throws in
            let phone = UUID()
            for permission in ["authorized", "denied"] {
                let body = #"{"platform":"ios","permission":"\#(permission)"}"#
                #expect(try await server.put(phone, body).status == 200)
            }
            _ = try await server.put(UUID(), #"{"platform":"web","permission":"granted"}"#)
            let all = try await report("permissions?by=platform&sort=opt_in", on: server)
            #expect(all.status == 200)
            for count in [
                #""turned_off": 1"#, #""installations": 2"#, #""granted": 1"#, #""denied": 1"#,
                #""asked": 2"#, #""report": "permissions""#, #""cohort": "registered_at""#,
            ] { #expect(all.text.contains(count), "\(count): \(all.text)") }
            let past = try await report("permissions?as_of=2020-01-01", on: server)
            #expect(past.text.contains(#""installations": 0"#) && past.text.contains(#""alerts_off": null"#))
            #expect(past.text.contains(#""as_of": "2020-01-01T00:00:00+00:00""#))
            let other = try await report("permissions?platform=android", on: server)
            let notes = other.headers[.init("Landfall-Notes")!]?.removingPercentEncoding
            #expect(other.status == 200 && notes?.contains("No such installations of app shop") == true)
            for (question, code) in [
                ("as_of=2999-01-01", "invalid_parameter"), ("by=topic", "invalid_parameter"),
                ("sort=clicked", "invalid_parameter"), ("topic=shop", "unknown_parameter"),
            ] {
                let mistake = try await report("permissions?\(question)", on: server)
                #expect(mistake.status == 400 && mistake.code == code, "\(question): \(mistake.text)")
            }
            #expect(try await server.send(.delete, "/v1/devices/\(phone)", as: .server).status == 200)
            let rest = try await report("permissions", on: server).text
            #expect(rest.contains(#""installations": 1"#) && rest.contains(#""turned_off": 0"#))
        }
    }

    @Test("every option of the commands has a parameter")
    func flags() async throws {
        let window = window
        let long = "from=\(date(day - .days(10)))&to=\(date(day + .days(1)))"
        try await TestServer.run { server async throws in
            _ = try await server.post("[\(response(1)),\(click(1))]")
            for (question, isEstimated) in [
                (long, false), ("\(long)&estimate=false", false), ("\(long)&estimate=true", true),
                (window, true),
            ] {
                let response = try await report("funnel?\(question)", on: server)
                #expect(response.status == 200)
                #expect(response.text.contains(ArrivalEstimates.unreadReason) != isEstimated, "\(question)")
            }
            for response in ["true", "false"] {
                let reach = try await report("reach?\(window)&exact=\(response)", on: server)
                #expect(reach.status == 200)
                #expect(reach.text.contains(#""exact": true"#))
            }
        }
    }

    @Test(
        "a count of notifications is rejected for dropped days, a count from counters is not")
    func dropped() async throws {
        let (window, day) = (window, day)
        try await TestServer.run { server async throws in
            _ = try await server.post("[\(response(1)),\(click(1))]")
            try await TestDatabase.current.execute(
                "SELECT landfall.drop_delivery_partition(($1 AT TIME ZONE 'UTC')::date)", [.value(day)])
            for path in ["reach?\(window)", "latency?\(window)&by=platform"] {
                let response = try await report(path, on: server)
                #expect(response.status == 400)
                #expect(response.code == "invalid_parameter")
                let first = date(day + .days(1))
                #expect(
                    response.detail?.hasSuffix("'from' can be \(first) at the earliest") == true,
                    "\(response.text)")
            }
            let loss = try await report("loss?\(window)&campaign=spring", on: server)
            #expect(loss.text.contains(#""superseded": null"#))
            #expect(loss.text.contains("were dropped"))
            #expect(try await report("funnel?\(window)", on: server).text.contains(#""attempted": 1"#))
        }
    }

    @Test("counters that contradict each other are a 500 that shows none of them")
    func doesNotAddUp() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.post(response(1))
            try await TestDatabase.current.execute("UPDATE landfall.counter_live SET state = 1")
            let response = try await report("funnel?\(window)", on: server)
            #expect(response.status == 500)
            #expect(response.code == "does_not_add_up")
        }
    }
}
