import HTTPTypes
import NIOCore
import Testing

@testable import LandfallServer

@Suite struct ClientAddressRateLimitTests {
    private struct Case: CustomTestStringConvertible {
        let testDescription: String
        var socket = "10.0.0.1"
        var trusted = ["10.0.0.0/8", "fd00::/8"]
        var forwardedFor: [String] = []
        var forwarded: [String] = []
        let client: String
    }

    private static let cases = [
        Case(
            testDescription: "nobody is trusted", trusted: [], forwardedFor: ["192.0.2.1"], client: "10.0.0.1"
        ),
        Case(
            testDescription: "a stranger is not believed", socket: "192.0.2.9", forwardedFor: ["192.0.2.1"],
            client: "192.0.2.9"),
        Case(testDescription: "a proxy that says nothing", client: "10.0.0.1"),
        Case(testDescription: "one entry", forwardedFor: ["192.0.2.1"], client: "192.0.2.1"),
        Case(
            testDescription: "what stands left of it was written by anybody",
            forwardedFor: ["192.0.2.66, 192.0.2.1"], client: "192.0.2.1"),
        Case(
            testDescription: "a chain of proxies, in several fields",
            forwardedFor: ["192.0.2.66,192.0.2.1", "10.3.0.1, fd00::7"], client: "192.0.2.1"),
        Case(testDescription: "only proxies", forwardedFor: ["10.3.0.1, 10.3.0.2"], client: "10.3.0.1"),
        Case(
            testDescription: "an entry nobody can read", forwardedFor: ["192.0.2.1, unknown"],
            client: "10.0.0.1"),
        Case(testDescription: "with a port", forwardedFor: ["192.0.2.1:4711"], client: "192.0.2.1"),
        Case(testDescription: "IPv6", forwardedFor: ["2001:db8::1"], client: "2001:db8::1"),
        Case(
            testDescription: "IPv4 written as IPv6", socket: "::ffff:10.0.0.1",
            forwardedFor: ["::ffff:192.0.2.1"], client: "192.0.2.1"),
        Case(
            testDescription: "Forwarded",
            forwarded: [#"for=192.0.2.66, For="[2001:db8::1]:4711";proto=https;by=10.0.0.1"#],
            client: "2001:db8::1"),
        Case(
            testDescription: "both fields agree", forwardedFor: ["192.0.2.1"], forwarded: ["for=192.0.2.1"],
            client: "192.0.2.1"),
        Case(
            testDescription: "both fields disagree", forwardedFor: ["192.0.2.1"],
            forwarded: ["for=192.0.2.2"],
            client: "10.0.0.1"),
    ]

    @Test("the caller is the right-most address that is not a trusted proxy's", arguments: cases)
    private func client(_ example: Case) throws {
        let addresses = ClientAddresses(trustedProxies: example.trusted.compactMap { AddressRange($0) })
        var headers = HTTPFields()
        for (name, values) in [("X-Forwarded-For", example.forwardedFor), ("Forwarded", example.forwarded)] {
            for value in values { headers.append(HTTPField(name: try #require(.init(name)), value: value)) }
        }
        let socket = try SocketAddress(ipAddress: example.socket, port: 4_711)
        #expect(addresses.client(headers, socket: socket) == IPAddress(example.client))
    }

    @Test("a range contains exactly the addresses with its prefix")
    func ranges() throws {
        for (text, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"), ("192.0.2.0/25", "192.0.2.127", "192.0.2.128"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.6"), ("0.0.0.0/0", "255.1.2.3", "2001:db8::1"),
            ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::"), ("::1", "::1", "::2"),
            ("2001:db8::8/125", "2001:db8::f", "2001:db8::10"), ("fd00::/64", "fd00::1", "fd00:0:0:1::"),
        ] {
            let range = try #require(AddressRange(text))
            #expect(range.contains(try #require(IPAddress(inside))), "\(inside) in \(text)")
            #expect(range.contains(try #require(IPAddress(outside))) == false, "\(outside) in \(text)")
        }
        for text in ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0/8", "::/129", "example.com", "10.0.0.0/"] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }

    @Test("one IPv6 customer is one caller, however many addresses it uses")
    func networks() {
        #expect(IPAddress("2001:db8::1")?.network == IPAddress("2001:db8::ffff:1")?.network)
        #expect(IPAddress("2001:db8::1")?.network != IPAddress("2001:db8:0:1::1")?.network)
        #expect(IPAddress("192.0.2.1")?.network != IPAddress("192.0.2.2")?.network)
    }
}
