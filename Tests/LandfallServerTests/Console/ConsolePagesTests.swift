import DeliveryModel
import Foundation
import HTTPTypes
import People
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// What pages show and let people do, without a browser.
@Suite(.database, .timeLimit(.minutes(40))) struct ConsolePagesTests {
    /// Accepted notifications of a campaign, of which the first ones are clicked.
    private static func events(
        of campaign: String, _ numbers: ClosedRange<Int>, clicked: Int, at instant: Instant
    ) -> String {
        let events = numbers.flatMap { number -> [String] in
            let id = #""notification_id":"\#(notificationID(number))""#
            let sent = #""sent_at":"\#(instant.rfc3339)""#
            let response = """
                {"type":"response",\(id),\(sent),"provider":"apns","status":200,"token":"\(tokenValue(number))",\
                "campaign":"\(campaign)"}
                """
            let time = (instant + .seconds(4)).rfc3339
            let arrival = #"{"type":"arrival",\#(id),\#(sent),"occurred_at":"\#(time)"}"#
            let click = #"{"type":"click",\#(id),\#(sent),"occurred_at":"\#(time)"}"#
            return [response, arrival] + (number - numbers.lowerBound < clicked ? [click] : [])
        }
        return "[\(events.joined(separator: ","))]"
    }

    @Test("a report is compared with the time before, unless the page is asked not to or there is nothing")
    func comparison() async throws {
        try await TestServer.run { server in
            let now = Instant.now
            #expect(try await server.post(Self.events(of: "a", 1...20, clicked: 4, at: now)).status == 200)
            let visitor = try await ConsoleVisitor.signedIn(server)
            let first = try await visitor.get("/apps/shop/funnel").text
            #expect(first.contains("nothing was recorded then"))
            #expect(!first.contains("class=\"change"))
            let earlier = Self.events(of: "a", 21...30, clicked: 2, at: now - .days(7))
            #expect(try await server.post(earlier).status == 200)
            let compared = try await visitor.get("/apps/shop/funnel?tz=Europe/Berlin").text
            #expect(compared.contains("▲ 100.0\u{A0}%"))
            #expect(compared.contains("class=\"sparkline attempted\""))
            let alone = try await visitor.get("/apps/shop/funnel?compare=none").text
            #expect(!alone.contains("Compared with 2") && !alone.contains("class=\"change"))
            // A file has what was asked for.
            let file = try await visitor.get("/apps/shop/funnel?compare=none&format=csv")
            let usual = try await visitor.get("/apps/shop/funnel?format=csv")
            #expect(file.status == 200 && usual.status == 200)
            let headers = [file, usual].map { $0.text.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" } }
            #expect(headers[0] == headers[1] && !headers[0].contains("previous"))
        }
    }

    @Test("today is compared with the same hours a week ago")
    func sameHours() async throws {
        try await TestServer.run { server in
            let now = Instant.now
            let events = [
                Self.events(of: "a", 1...30, clicked: 3, at: now),
                Self.events(of: "a", 31...50, clicked: 1, at: now - .days(7)),
                Self.events(of: "a", 51...90, clicked: 1, at: now - .days(1)),
            ]
            for body in events { #expect(try await server.post(body).status == 200) }
            let visitor = try await ConsoleVisitor.signedIn(server)
            let page = try await visitor.get("/apps/shop").text
            #expect(page.contains("since a week ago until"))
            #expect(page.contains("▲ 50.0\u{A0}%"))
            #expect(try await visitor.get("/").text.contains("class=\"sparkline"))
        }
    }

    @Test("headings of columns sort the rows, and the one that does says so")
    func sorting() async throws {
        try await TestServer.run { server in
            let now = Instant.now
            for body in [
                Self.events(of: "large", 1...30, clicked: 1, at: now),
                Self.events(of: "loved", 31...40, clicked: 9, at: now),
            ] { #expect(try await server.post(body).status == 200) }
            let visitor = try await ConsoleVisitor.signedIn(server)
            for path in [
                "/apps/shop/campaigns", "/apps/shop/funnel?by=campaign", "/apps/shop/clicks?by=campaign",
                "/apps/shop/latency?by=campaign", "/apps/shop/loss?by=campaign",
                "/apps/shop/reach?by=campaign",
            ] {
                let page = try await visitor.get(path).text
                #expect(!page.contains("aria-sort"))
                let orders = page.matches(of: #/<a href="([^"]+)" class="order"/#).map {
                    String($0.1).replacing("&amp;", with: "&")
                }
                #expect(orders.count > 2, "\(path)")
                for order in orders {
                    let sorted = try await visitor.get(order)
                    #expect(sorted.status == 200 && sorted.text.contains("aria-sort=\"descending\""))
                }
            }
            let sorted = try await visitor.get("/apps/shop/campaigns?sort=click_through").text
            let loved = try #require(sorted.firstRange(of: ">loved<"))
            let large = try #require(sorted.firstRange(of: ">large<"))
            #expect(loved.lowerBound < large.lowerBound)
        }
    }

    @Test("two campaigns side by side, and the arrivals since sending")
    func twoCampaigns() async throws {
        try await TestServer.run { server in
            let now = Instant.now - .seconds(10)
            for body in [
                Self.events(of: "a & b", 1...40, clicked: 4, at: now),
                Self.events(of: "c", 41...80, clicked: 30, at: now),
            ] { #expect(try await server.post(body).status == 200) }
            let visitor = try await ConsoleVisitor.signedIn(server)
            let page = try await visitor.get("/apps/shop/campaigns/c?with=a%20%26%20b").text
            #expect(page.contains("Compared with a &amp; b"))
            // 75 % and 10 %, with Newcombe's interval.
            #expect(page.contains("▲ 65.0 pp ("))
            #expect(page.contains("Arrivals since sending"))
            #expect(page.contains("within 5 s, 100.0\u{A0}% of accepted: arrived 40"))
            #expect(page.contains("within 2 s, 0.0\u{A0}% of accepted: arrived 0"))
            // In the first hour of a UTC day, there is no course yet.
            #expect(page.contains("By hour of sending") || now.rfc3339.dropFirst(11).hasPrefix("00"))
            #expect(try await visitor.get("/apps/shop/campaigns/c?by=day").status == 400)
        }
    }

    @Test("the day is shown although its tokens cannot be counted in time")
    func slowPart() async throws {
        try await TestServer.run(configure: { $0.reports.statementTimeout = .seconds(1) }) { server in
            let events = Self.events(of: "a", 1...20, clicked: 4, at: .now)
            #expect(try await server.post(events).status == 200)
            let visitor = try await ConsoleVisitor.signedIn(server)
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.token"))
            let page = try await visitor.get("/apps/shop")
            #expect(page.status == 200)
            #expect(page.text.contains("not counted yet") && page.text.contains("not been examined"))
            #expect(page.text.contains("Of 20 notifications"))
            try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
            var later = page
            // On a busy machine, each of the two may again take longer than a second.
            while later.text.contains("not counted yet") || later.text.contains("not been examined") {
                try await Task.sleep(for: .milliseconds(200))
                later = try await visitor.get("/apps/shop")
            }
        }
    }

    @Test("an account that another one has replaced loses its periods there, and nothing else")
    func erasingPeriods() async throws {
        try await TestServer.run { server in
            let phone = UUID()
            for account in ["anna", "bert"] {
                let body = registration(tokenValue(1), also: #","account":"\#(account)""#)
                #expect(try await server.put(phone, body).status == 200)
            }
            let ada = try await ConsoleVisitor.signedIn(server)
            let plan = try await ada.act("/apps/shop/erase/plan", ["account": "anna"]).text
            #expect(plan.contains("On 1 installation, another account has signed in since"))
            #expect(plan.contains("It cannot be undone.") && !plan.contains("0 installations"))
            let done = try await ada.act("/apps/shop/erase", ["account": "anna"]).text
            #expect(done.contains("Erased 1 period of the account") && !done.contains("0 installations"))
            let again = try await ada.act("/apps/shop/erase/plan", ["account": "anna"]).text
            #expect(again.contains("has already been erased"))
            let bert = try await ada.act("/apps/shop/erase/plan", ["account": "bert"]).text
            #expect(bert.contains("This erases 1 installation"))
        }
    }

    @Test("an admin erases a device after the page has said what that does; others cannot")
    func erasing() async throws {
        try await TestServer.run { server in
            let phone = UUID()
            let device = phone.uuidString.lowercased()
            let body = registration(tokenValue(1), also: #","account":"anna""#)
            #expect(try await server.put(phone, body).status == 200)
            let ada = try await ConsoleVisitor.signedIn(server)
            let plan = try await ada.act("/apps/shop/erase/plan", ["account": "anna"])
            #expect(plan.text.contains("This erases 1 installation: 1 token, 1 period of an account"))
            #expect(try await ada.get("/apps/shop/explain").text.contains("/apps/shop/erase"))
            let operators = try await ConsoleVisitor.signedIn(server, as: .operator, name: "olga")
            for path in ["/apps/shop/erase", "/apps/shop/erase/plan"] {
                #expect(try await operators.act(path, ["account": "anna"]).status == 403)
            }
            #expect(try await operators.get("/apps/shop/erase").status == 403)
            #expect(try await !operators.get("/apps/shop/explain").text.contains("/apps/shop/erase"))

            let done = try await ada.act("/apps/shop/erase", ["account": "anna"])
            #expect(done.text.contains("Erased 1 installation") && done.text.contains(device))
            let audit = try await ada.get("/settings/audit").text
            #expect(audit.contains("erased") && audit.contains("an account") && !audit.contains("anna"))
            let again = try await ada.act("/apps/shop/erase/plan", ["account": "anna"])
            #expect(again.text.contains("has already been erased"))
            for fields in [[:], ["device": "1"], ["device": device, "account": "anna"]] {
                let mistaken = try await ada.act("/apps/shop/erase/plan", fields)
                #expect(mistaken.text.contains("Enter either"))
                #expect(try await ada.act("/apps/shop/erase", fields).status == 400)
            }
        }
    }

    @Test("asking for the head of a live stream takes no place")
    func heads() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            for _ in 0..<(TailStreams.most + 1) {
                #expect(try await visitor.send(.head, "/apps/shop/live/events").status == 200)
            }
        }
    }

    @Test("retention is a page of the settings")
    func retention() async throws {
        try await TestServer.run { server in
            #expect(
                try await server.post(Self.events(of: "a", 1...2, clicked: 0, at: .now)).status == 200)
            let visitor = try await ConsoleVisitor.signedIn(server)
            let cell = TestCells.chosen == .one ? 0 : 1
            let page = try await visitor.get("/settings/retention?cell=\(cell)").text
            #expect(page.contains(#/"value">[1-9][0-9.]* MB</#))
            #expect(page.contains("Notifications are kept for"))
            #expect(page.contains(String(Instant.now.rfc3339.prefix(7))))
        }
    }

    @Test("an empty page shows how to post to the server that shows it")
    func ownAddress() async throws {
        try await TestServer.run { server in
            let visitor = try await ConsoleVisitor.signedIn(server)
            let page = try await visitor.get("/apps/shop/funnel").text
            #expect(page.contains("curl -sS http://127.0.0.1:\(server.port)/v1/events"))
        }
    }
}

/// The console on a port of its own.
@Suite(.database, .timeLimit(.minutes(40))) struct ConsolePortTests {
    @Test("with a port of its own, the console is only there, and takes no events")
    func ownPort() async throws {
        _ = try await TestServer.makeApp("shop")
        try await ServedApplication.run(configure: { $0.web.port = 1 }) { served in
            let port = try #require(served.consolePort)
            #expect(port != served.port)
            let address = "127.0.0.1"
            #expect(try await served.get("/sign-in", port: served.port, from: address).status == 404)
            #expect(try await served.get("/sign-in", port: port, from: address).status == 200)
            #expect(try await served.get("/healthz", port: port, from: address).status == 200)
            #expect(try await served.get("/v1/reports/funnel", port: port, from: address).status == 404)
            #expect(
                try await served.get("/v1/reports/funnel", port: served.port, from: address).status == 401)
        }
    }
}
