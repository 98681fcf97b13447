import Basics
import Foundation
import Simulation
import Trust

/// A day without a fault, in which each device posts its own events.
struct DeviceDay {
    /// A quarter of an hour. A device has a notification only after its sender has posted it, so the devices'
    /// events are posted last.
    struct Slice {
        let registrations: [SimulatedRegistration]
        var senderEvents: [[UInt8]] = []
        var deviceEvents: [[UInt8]] = []
    }

    static let phones = 120

    let end: Instant
    let truth: SimulatedTruth
    private(set) var slices: [Slice] = []

    /// - Parameters:
    ///   - end: less than an hour ago, the traffic is that of `landfall simulate` with the same `--end`.
    ///   - receiptKeys: what the sender signs with: the first key until the middle of the day, then the last
    ///     one. If there are none, it does not sign.
    init(endingAt end: Instant, receiptKeys: [String] = []) throws {
        let traffic = TrafficSimulation.generate(
            SimulationSettings(
                start: (end - .days(1)).millisecondsSinceEpoch, installations: Self.phones, lateEventHours: 0,
                reportsDeviceClock: false, scenario: .healthy))
        self.end = end
        truth = traffic.truth
        let middle = (truth.windowStart + truth.windowEnd) / 2
        for slice in traffic.slices {
            var posted = Slice(registrations: slice.registrations)
            for json in slice.events {
                let event = try DayEvent(json)
                guard event.isOfDevice else {
                    posted.senderEvents.append(json)
                    continue
                }
                let key = event.sentAt < middle ? receiptKeys.first : receiptKeys.last
                posted.deviceEvents.append(key.map { event.signed(json, by: SigningKey($0)) } ?? json)
            }
            slices.append(posted)
        }
    }
}

/// An event of simulated traffic, as its bytes say.
struct DayEvent: Decodable {
    let type: String
    let notificationID: UUID
    let receipt: String?

    private enum CodingKeys: String, CodingKey {
        case type, receipt
        case notificationID = "notification_id"
    }

    init(_ json: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(DayEvent.self, from: Data(json))
    }

    /// Whether it happened on a device, which posts it.
    var isOfDevice: Bool { !["response", "recall"].contains(type) }

    /// When the notification was sent, Unix milliseconds: the first 48 bits of a version 7 id.
    var sentAt: Int64 {
        let bytes = notificationID.uuid
        return [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The event with the receipt that the sender has put into the payload.
    func signed(_ json: [UInt8], by key: SigningKey) -> [UInt8] {
        json.dropLast() + Array(#","receipt":"\#(Receipt.text(for: notificationID, key: key))"}"#.utf8)
    }
}
