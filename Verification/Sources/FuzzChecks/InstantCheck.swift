internal import DeliveryModel
internal import Foundation
internal import Ingestion

/// Checks any text as an instant and as a UUID, against the plainest readings of RFC 3339 and RFC 9562.
enum InstantCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        try checkInstant(text)
        try checkUUID(text)
    }

    private static func checkInstant(_ text: String) throws(FuzzFinding) {
        let instant = Instant(rfc3339: text)
        try FuzzFinding.require(
            instant?.millisecondsSinceEpoch == PlainInstant.milliseconds(text),
            "\(text) reads as \(instant?.millisecondsSinceEpoch as Any), plainly \(PlainInstant.milliseconds(text) as Any)"
        )
        // An offset can lead to years that the format cannot write.
        guard let instant,
            (-62_167_219_200_000...253_402_300_799_999).contains(instant.millisecondsSinceEpoch)
        else { return }
        try FuzzFinding.require(
            Instant(rfc3339: instant.rfc3339) == instant, "\(instant.rfc3339) does not read as itself")
    }

    private static func checkUUID(_ text: String) throws(FuzzFinding) {
        // Characters with a meaning in JSON are the JSON reader's concern.
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }) else { return }
        let item = "{\"type\":\"click\",\"notification_id\":\"\(text)\"}"
        let validator = EventValidator(appID: 1, poster: .device, now: DecoderCheck.now)
        let name = text.canonicalName
        let isUUID = (try? /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/.wholeMatch(in: name)) != nil
        switch validator.decode(Array(item.utf8)[...]) {
        case .success(let event):
            let id = event.name.id
            let isItsID = isUUID ? id.uuidString.lowercased() == name.lowercased() : id.uuid.6 >> 4 == 5
            try FuzzFinding.require(isItsID, "\(text) reads as \(id)")
        case .failure(let rejection):
            let codes: [ItemRejection.Code] =
                isUUID ? [.tooOld, .inFuture] : [.invalidNotificationID, .tooLong, .invalidJSON]
            try FuzzFinding.require(codes.contains(rejection.code), "\(text) is rejected: \(rejection.code)")
        }
    }
}

/// RFC 3339 with the additions that `Instant` promises: a space or lower case instead of T, a
/// comma instead of the point, a leap second.
enum PlainInstant {
    static func milliseconds(_ text: String) -> Int64? {
        let pattern =
            /(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})([.,]\d+)?([Zz]|[+-]\d{2}:\d{2})/
            .asciiOnlyDigits().matchingSemantics(.unicodeScalar)
        guard let match = try? pattern.wholeMatch(in: text) else { return nil }
        var parts = tm()
        guard let year = Int32(match.1), let month = Int32(match.2), let day = Int32(match.3),
            let hour = Int32(match.4), let minute = Int32(match.5), let second = Int32(match.6)
        else { return nil }
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        parts.tm_year = year - 1_900
        parts.tm_mon = month - 1
        parts.tm_mday = day
        let midnight = timegm(&parts)
        // If the date does not exist, timegm turns it into another one.
        guard parts.tm_year == year - 1_900, parts.tm_mon == month - 1, parts.tm_mday == day else {
            return nil
        }
        guard let offset = offset(match.8) else { return nil }
        let seconds = Int64(midnight) + Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second) - offset
        let fraction = (match.7 ?? ".0").dropFirst().prefix(3)
        guard let digits = Int64(fraction + String(repeating: "0", count: 3 - fraction.count)) else {
            return nil
        }
        return seconds * 1_000 + digits
    }

    /// The offset in seconds east of UTC; `nil` if it is out of range.
    private static func offset(_ zone: Substring) -> Int64? {
        guard zone.lowercased() != "z" else { return 0 }
        let numbers = zone.dropFirst().split(separator: ":").compactMap { Int64($0) }
        guard numbers.count == 2, numbers[0] < 24, numbers[1] < 60 else { return nil }
        return (numbers[0] * 3_600 + numbers[1] * 60) * (zone.hasPrefix("-") ? -1 : 1)
    }
}
