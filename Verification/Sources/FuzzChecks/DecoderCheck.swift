internal import DeliveryModel
internal import Ingestion

/// Checks bodies of any bytes, as one JSON document and as lines, from server and device.
enum DecoderCheck {
    static let now = Instant(millisecondsSinceEpoch: 1_772_000_000_000)
    private static let mostItems = 100

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        for isNDJSON in [false, true] {
            guard let body = try? EventBody(bytes, isNDJSON: isNDJSON, limit: mostItems) else { continue }
            try FuzzFinding.require(body.items.count <= mostItems, "\(body.items.count) items")
            if body.items.isEmpty {
                let isEmptyArray = bytes.contains(UInt8(ascii: "[")) && !bytes.contains(UInt8(ascii: "{"))
                try FuzzFinding.require(isEmptyArray, "no items")
            }
            try check(body.items, of: bytes)
        }
        // As one item, regardless of how `EventBody` would cut it.
        try check([bytes[...]], of: bytes)
    }

    private static func check(_ items: [ArraySlice<UInt8>], of bytes: [UInt8]) throws(FuzzFinding) {
        let server = EventValidator(appID: 1, poster: .server, now: now)
        let device = EventValidator(appID: 1, poster: .device, now: now)
        var events: [Event] = []
        var end = bytes.startIndex
        for item in items {
            try FuzzFinding.require(
                item.startIndex >= end && item.endIndex <= bytes.endIndex, "items overlap or leave the body")
            end = item.endIndex
            let decoded = server.decode(item)
            guard case .success(let event) = decoded else {
                try checkRejected(device.decode(item))
                continue
            }
            events.append(event)
            try checkUnderDeviceKey(device.decode(item), event)
        }
        try checkCanonical(events, server)
    }

    /// A device may not post an item that a server may not post.
    private static func checkRejected(_ decoded: Result<Event, ItemRejection>) throws(FuzzFinding) {
        guard case .success = decoded else { return }
        throw FuzzFinding("a device may post what a server may not")
    }

    private static func checkUnderDeviceKey(
        _ decoded: Result<Event, ItemRejection>, _ event: Event
    ) throws(FuzzFinding) {
        switch (event.content, decoded) {
        case (.device, .success(event)): return
        case (.device(let report), .failure(let rejection)) where report.evidence == .provider:
            try FuzzFinding.require(
                rejection.code == .forbiddenEvidence, "\(rejection) instead of forbidden_evidence")
        case (.response, .failure(let rejection)), (.recall, .failure(let rejection)):
            try FuzzFinding.require(
                rejection.code == .forbiddenType, "\(rejection) instead of forbidden_type")
        default: throw FuzzFinding("means something else under a device key")
        }
    }

    /// Each event, written in its plainest form, must read as itself, alone and among others.
    private static func checkCanonical(_ events: [Event], _ validator: EventValidator) throws(FuzzFinding) {
        guard !events.isEmpty else { return }
        let texts = events.map { EventText.canonical($0) }
        for (text, event) in zip(texts, events) {
            let again = validator.decode(Array(text.utf8)[...]).map(\.withoutWarnings)
            try FuzzFinding.require(
                again == .success(event.withoutWarnings), "\(text) reads as \(again), not as \(event)")
        }
        let bodies = [
            ("[" + texts.joined(separator: ",") + "]", false), (texts.joined(separator: "\n"), true),
        ]
        for (body, isNDJSON) in bodies {
            guard let items = try? EventBody(Array(body.utf8), isNDJSON: isNDJSON).items else {
                throw FuzzFinding("\(body) is not a body")
            }
            let again = items.map { validator.decode($0).map(\.withoutWarnings) }
            try FuzzFinding.require(
                again == events.map { .success($0.withoutWarnings) }, "\(body) reads as \(again)")
        }
    }
}

extension Event {
    /// A field that was left out of an item is not in its plainest form either.
    fileprivate var withoutWarnings: Event {
        var event = self
        event.warnings = []
        return event
    }
}
