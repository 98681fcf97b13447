internal import DeliveryModel

/// Which installations the device events of one notification came from.
///
/// A push's installation is often known only after the device events. Until then all count, and this
/// remembers which do if the push went to another installation. The same as `landfall.reported_state` in SQL.
struct Reporters: Sendable {
    /// The bits of events that name no registered device. They belong to the notification wherever it went.
    private var unnamed: DeliveryState = []
    /// The bits of the other events, by installation.
    private var named: [Int64: DeliveryState] = [:]

    init() {}

    mutating func add(_ contribution: DeliveryState, from installationID: Int64?) {
        let bits = contribution.intersection(.saidByDevice)
        if let installationID {
            named[installationID, default: []].formUnion(bits)
        } else {
            unnamed.formUnion(bits)
        }
    }

    mutating func add(_ other: Reporters) {
        unnamed.formUnion(other.unnamed)
        named.merge(other.named) { $0.union($1) }
    }

    /// The state with the device bits that count if the push went to this installation.
    func attributed(_ state: DeliveryState, to installationID: Int64) -> DeliveryState {
        guard !named.isEmpty else { return state }
        return named.reduce(state.subtracting(.saidByDevice).union(unnamed)) { state, said in
            state.union(said.key == installationID ? said.value : .misdirected)
        }
    }

    // MARK: - In the database

    /// The elements of `delivery.reporters`; `nil` if no event named a registered device.
    var stored: [Int64]? {
        guard !named.isEmpty else { return nil }
        let others = named.sorted { $0.key < $1.key }.map { $0.key << 7 | $0.value.storedBits }
        return unnamed.isEmpty ? others : [unnamed.storedBits] + others
    }

    /// - Parameter stored: empty if no event named a registered device.
    init(stored: [Int64], of state: DeliveryState) {
        if stored.isEmpty { add(state, from: nil) }
        for element in stored {
            add(DeliveryState(storedBits: element & 127), from: element >> 7 == 0 ? nil : element >> 7)
        }
    }
}

extension DeliveryState {
    /// Its device bits, without the gaps between them.
    fileprivate var storedBits: Int64 {
        let bits = Int64(rawValue)
        return bits >> 3 & 15 | bits >> 4 & 16 | bits >> 25 & 96
    }

    fileprivate init(storedBits bits: Int64) {
        self.init(
            rawValue: Int32(truncatingIfNeeded: (bits & 15) << 3 | (bits & 16) << 4 | (bits & 96) << 25))
    }
}
