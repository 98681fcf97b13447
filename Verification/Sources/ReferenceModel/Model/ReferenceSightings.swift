internal import Foundation

/// What devices said about one notification, by the device that said it: all of it, from which the facts
/// follow once it is known where the push went.
struct ReferenceSightings: Equatable {
    /// `nil` stands for all events that name no registered device.
    private var said: [UUID?: ReferenceBits] = [:]

    mutating func add(_ bits: ReferenceBits, by reporter: UUID?) {
        said[reporter, default: []].formUnion(bits)
    }

    mutating func add(_ other: ReferenceSightings) {
        for (reporter, bits) in other.said { add(bits, by: reporter) }
    }

    /// - Parameter device: the device that the push went to; `nil` if that is unknown.
    func bits(pushedTo device: UUID?) -> ReferenceBits {
        said.reduce([]) { $0.union(Self.counting($1.value, by: $1.key, pushedTo: device)) }
    }

    /// The part of a device's words that counts: those of a device that did not get the push only say that.
    static func counting(
        _ bits: ReferenceBits, by reporter: UUID?, pushedTo device: UUID?
    ) -> ReferenceBits {
        guard let reporter, let device, reporter != device else { return bits }
        return .misdirected
    }
}
