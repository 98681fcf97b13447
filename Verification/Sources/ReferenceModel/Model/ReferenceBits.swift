/// The facts known about one notification, as the schema defines the bits of `delivery.state`.
struct ReferenceBits: OptionSet, Hashable, Sendable {
    let rawValue: Int32

    static let attempted = ReferenceBits(rawValue: 1)
    static let accepted = ReferenceBits(rawValue: 2)
    static let canReport = ReferenceBits(rawValue: 4)
    static let arrived = ReferenceBits(rawValue: 8)
    static let presented = ReferenceBits(rawValue: 16)
    static let clicked = ReferenceBits(rawValue: 32)
    static let dismissed = ReferenceBits(rawValue: 64)
    static let recalled = ReferenceBits(rawValue: 128)
    static let local = ReferenceBits(rawValue: 256)

    static let misdirected = ReferenceBits(rawValue: 536_870_912)

    static let witnessed = ReferenceBits(rawValue: .min)

    static let seen: ReferenceBits = [.arrived, .presented, .clicked, .dismissed, .witnessed]

    /// - Parameter rank: 1 to 10, the classes of rejection by finality.
    static func rejected(rank: Int) -> ReferenceBits { ReferenceBits(rawValue: 32_768 << Int32(rank)) }

    /// The sender's final result. The bits of the first seven classes are below those of other rejections,
    /// those of the last three above.
    static func finallyRejected(rank: Int) -> ReferenceBits {
        ReferenceBits(rawValue: rank <= 7 ? 256 << Int32(rank) : 262_144 << Int32(rank))
    }

    static let finallyRejected = ReferenceBits((1...10).map(finallyRejected(rank:)))

    /// The union of the facts. A final rejection removes the acceptance, in either order.
    func adding(_ said: ReferenceBits) -> ReferenceBits {
        let all = union(said)
        return all.isDisjoint(with: Self.finallyRejected) ? all : all.subtracting(.accepted)
    }

    static func said(by event: MeantEvent) -> ReferenceBits {
        switch event.content {
        case .recall: return .recalled
        case .response(let response):
            let rank = response.words.rank
            let rejected = response.isFinal ? finallyRejected(rank: rank) : rejected(rank: rank)
            let outcome = rank == 0 ? accepted : rejected
            return [.attempted, outcome, response.canReport ? .canReport : []]
        case .sighting(let sighting):
            let bit = sighting.isWitness ? witnessed : seen(sighting.kind)
            return sighting.isLocal ? [bit, .local] : bit
        }
    }

    static func seen(_ kind: MeantSighting.Kind) -> ReferenceBits {
        switch kind {
        case .arrival: .arrived
        case .presentation: .presented
        case .click: .clicked
        case .dismissal: .dismissed
        }
    }
}

/// The numbers of the reports for one notification, each written down from its definition.
struct ReferenceMeasures {
    static let rejections = [
        "rejected_token_dead", "rejected_token_suspect", "rejected_wrong_topic", "rejected_wrong_environment",
        "rejected_payload_error", "rejected_request_error", "rejected_auth_error", "rejected_throttled",
        "rejected_provider_error", "rejected_unknown",
    ]
    static let names =
        ["attempted", "accepted"] + rejections + [
            "conflicting", "reportable", "arrived", "arrived_reportable", "arrived_clicked", "confirmed",
            "confirmed_signed",
            "presented", "clicked",
            "dismissed", "confirmed_unreported", "responded_reportable", "contradicted", "misdirected",
            "unconfirmed_recalled", "unconfirmed_not_reportable",
        ]

    /// The measures that count this notification; none without a response.
    static func counting(_ bits: ReferenceBits) -> Set<String> {
        guard bits.contains(.attempted) else { return [] }
        let names = countingOutcome(of: bits)
        return bits.contains(.misdirected) ? names.union(["misdirected"]) : names
    }

    private static func countingOutcome(of bits: ReferenceBits) -> Set<String> {
        let lastWords = (1...10).filter { bits.contains(.finallyRejected(rank: $0)) }
        let ranks = lastWords.isEmpty ? (1...10).filter { bits.contains(.rejected(rank: $0)) } : lastWords
        let wasSeen = !bits.isDisjoint(with: .seen)
        guard bits.contains(.accepted) else {
            var names: Set<String> = ["attempted"]
            if let mostFinal = ranks.first { names.insert(rejections[mostFinal - 1]) }
            if ranks.count > 1 { names.insert("conflicting") }
            if wasSeen { names.insert("contradicted") }
            return names
        }
        var names: Set<String> = ["attempted", "accepted"]
        if bits.contains(.canReport) { names.insert("reportable") }
        if bits.contains(.presented) { names.insert("presented") }
        if bits.contains(.clicked) { names.insert("clicked") }
        if bits.contains(.dismissed) { names.insert("dismissed") }
        if bits.contains(.arrived) { names.insert("arrived") }
        if bits.isSuperset(of: [.arrived, .canReport]) { names.insert("arrived_reportable") }
        if bits.isSuperset(of: [.arrived, .clicked]) { names.insert("arrived_clicked") }
        if wasSeen {
            names.insert("confirmed")
            if bits.contains(.canReport), !bits.contains(.arrived) { names.insert("confirmed_unreported") }
            if bits.contains(.canReport),
                !bits.isDisjoint(with: [.presented, .clicked, .dismissed, .witnessed])
            {
                names.insert("responded_reportable")
            }
        } else if bits.contains(.recalled) {
            names.insert("unconfirmed_recalled")
        } else if !bits.contains(.canReport) {
            names.insert("unconfirmed_not_reportable")
        }
        return names
    }

    /// `unmatched` or `local` for a notification without a response.
    static func countingUnmatched(_ bits: ReferenceBits) -> String? {
        guard !bits.isEmpty, !bits.contains(.attempted) else { return nil }
        return bits.contains(.local) ? "local" : "unmatched"
    }
}
