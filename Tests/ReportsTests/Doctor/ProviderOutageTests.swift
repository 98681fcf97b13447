import DeliveryModel
import Testing

@testable import Doctor

/// The conclusions from failures of a provider.
@Suite("Provider outages")
struct ProviderOutageTests {
    private let examination = Examination.evening
    private let start = Examination.lastHour

    private func hour(
        _ hoursAgo: Int64, _ attempted: Int64, errors: Int64 = 0, throttled: Int64 = 0, silent: Int64 = 0
    ) -> ProviderOutage.Fact {
        ProviderOutage.Fact(
            provider: "apns", hour: start - .hours(hoursAgo), attempted: attempted, providerError: errors,
            throttled: throttled, silent: silent)
    }

    @Test("a bad hour followed by good ones is over, and a warning")
    func pastOutage() {
        let day = (24..<48).map { hour($0, 100, errors: 1) }
        let over = ProviderOutage.findings(day + [hour(3, 100, errors: 60), hour(1, 100)], examination)
        #expect(over.map(\.severity) == [.warning])
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
        let running = ProviderOutage.findings(day + [hour(3, 100), hour(0, 100, silent: 60)], examination)
        #expect(running.map(\.severity) == [.problem])
    }

    @Test("a bad hour after which nothing was sent is a warning, and not reported as ongoing")
    func nothingSentSince() {
        let silent = ProviderOutage.findings([hour(3, 100, errors: 60)], examination)
        #expect(silent.map(\.severity) == [.warning])
        #expect(silent.first?.sentence.hasSuffix("Nothing has been sent since.") == true)
        let few = ProviderOutage.findings([hour(3, 100, errors: 60), hour(1, 5, errors: 5)], examination)
        #expect(few.map(\.severity) == [.problem])
        let perhaps = ProviderOutage.findings([hour(3, 100, errors: 60), hour(1, 5)], examination)
        #expect(perhaps.map(\.severity) == [.problem])
        #expect(perhaps.first?.sentence.hasSuffix("0 of 5 pushes (0.0 %) failed.") == true)
        // A few pushes an hour add up, and may be as bad.
        let trickle = (0..<5).map { hour($0, 20, errors: 12) }
        let running = ProviderOutage.findings([hour(6, 100, errors: 60)] + trickle, examination)
        #expect(
            running.first?.sentence.hasSuffix("It is ongoing: since then 60 of 100 pushes (60.0 %) failed.")
                == true)
        let well = (0..<5).map { hour($0, 20) }
        let over = ProviderOutage.findings([hour(6, 100, errors: 60)] + well, examination)
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
    }

    @Test("failures as frequent as the day before are no outage, unless they are most of the pushes")
    func usualFailures() {
        let day = (25..<48).map { hour($0, 100, errors: 15) }
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 22)], examination).isEmpty)
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 55)], examination).count == 1)
        #expect(ProviderOutage.findings(day + [hour(0, 12, errors: 12)], examination).isEmpty)
    }

    @Test("for throttling, the remedy is to send more slowly")
    func throttling() {
        let findings = ProviderOutage.findings([hour(0, 200, throttled: 150)], examination)
        #expect(findings.first?.remedy.hasPrefix("Send more slowly") == true)
        #expect(findings.first?.sentence.contains("150 throttled") == true)
    }
}
