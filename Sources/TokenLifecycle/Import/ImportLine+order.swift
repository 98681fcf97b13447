internal import DeliveryModel
internal import Foundation
internal import Instants

/// The order in which lines count: the earliest registration first. Lines of the same instant are ordered by their content, so
/// that their order in the file has no effect. Equal lines keep it.
extension ImportLine: Comparable {
    static func < (left: ImportLine, right: ImportLine) -> Bool {
        if left.registeredAt != right.registeredAt { return left.registeredAt < right.registeredAt }
        if left.address.value != right.address.value { return left.address.value < right.address.value }
        let words = (left.words, right.words)
        return words.0 == words.1 ? left.number < right.number : words.0.lexicographicallyPrecedes(words.1)
    }

    static func == (left: ImportLine, right: ImportLine) -> Bool {
        !(left < right) && !(right < left)
    }

    private var words: [String] {
        let place = [
            deviceID?.uuidString ?? "", address.text, address.topic, address.environment.rawValue,
            address.kind.rawValue,
        ]
        // Traits without a device are not kept.
        guard deviceID != nil else { return place }
        return place + [
            traits.account ?? "", traits.platform ?? "", traits.appVersion ?? "", traits.osVersion ?? "",
            traits.language ?? "", traits.permission ?? "",
        ] + (traits.tags ?? [])
    }
}
