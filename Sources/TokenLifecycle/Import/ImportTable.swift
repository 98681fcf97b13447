internal import DeliveryModel
internal import Foundation
internal import Instants

/// A whole file as read: its valid lines in the order in which they count, which does not depend on their order in the file, and
/// its mistakes.
///
/// It holds all lines, about half a kilobyte each: an old registration may be the last line.
struct ImportTable {
    /// The earliest registration first.
    private(set) var lines: [ImportLine] = []
    private(set) var invalid: [ImportedLine] = []
    private(set) var mistakes: [FoundMistake] = []
    let ignoredColumns: [String]
    private(set) var wasStopped = false

    static let linesBetweenChecks = 1_000

    /// - Parameters:
    ///   - isStopped: called from time to time; true ends the reading.
    ///   - progress: receives the number of lines read, from time to time.
    init(_ reader: TokenImportReader, isStopped: () -> Bool, progress: (Int64) throws -> Void) throws {
        var reader = reader
        var counts = MistakeCounts()
        while let (number, line) = try reader.next(&counts) {
            switch line {
            case .success(let line): lines.append(line)
            case .failure(let rejection):
                invalid.append(ImportedLine(number: number, verdict: .invalid, rejection: rejection))
            }
            let count = lines.count + invalid.count
            guard count.isMultiple(of: Self.linesBetweenChecks) else { continue }
            try progress(Int64(count))
            wasStopped = isStopped()
            if wasStopped { break }
        }
        ignoredColumns = reader.ignoredColumns
        for column in ignoredColumns where ImportMistake.marksDisuse(column) {
            counts.add(FoundMistake(mistake: .unreadColumn, lines: 0, detail: column))
            break
        }
        if let cut = Self.cutValues(lines) { counts.add(cut) }
        if let shared = Self.sharedValues(lines) { counts.add(shared) }
        mistakes = counts.all
        lines.sort()
    }

    /// The minimum number of devices that make a value suspect.
    private static let suspectDevices = 10

    private static func sharedValues(_ lines: [ImportLine]) -> FoundMistake? {
        var uses: [String: Int] = [:]
        for line in lines where line.deviceID != nil { uses[line.address.value, default: 0] += 1 }
        let suspects = uses.filter { $0.value >= suspectDevices }
        var devices: [String: Set<UUID>] = [:]
        for line in lines where suspects[line.address.value] != nil {
            if let deviceID = line.deviceID { devices[line.address.value, default: []].insert(deviceID) }
        }
        let shared = devices.filter { $0.value.count >= suspectDevices }
        guard let most = shared.values.map(\.count).max() else { return nil }
        let affected = lines.filter { shared[$0.address.value] != nil }
        return FoundMistake(
            mistake: .sharedValues, lines: Int64(affected.count), firstLine: affected.map(\.number).min(),
            detail: "one of them to \(most)")
    }

    /// The minimum number of values of the same length that make them suspect.
    private static let suspectValues = 3

    /// Finds values that a column of the table they come from has cut off: the longest ones all have the column's width. Checks each
    /// issuer by itself, because tokens of different issuers differ in length.
    private static func cutValues(_ lines: [ImportLine]) -> FoundMistake? {
        let byIssuer = Dictionary(grouping: lines, by: \.address.provider).sorted { $0.key < $1.key }
        return byIssuer.compactMap { issuer, values -> FoundMistake? in
            let width = values.map(\.address.value.unicodeScalars.count).max() ?? 0
            guard isTypicalWidth(width, issuer) else { return nil }
            let cut = values.filter { $0.address.value.unicodeScalars.count == width }
            guard cut.count >= suspectValues else { return nil }
            let equal = cut.count - Set(cut.map(\.address.value)).count
            let repeated = equal > 0 ? " (\(equal) repeat another)" : ""
            return FoundMistake(
                mistake: .cutValues, lines: Int64(cut.count), firstLine: cut.map(\.number).min(),
                detail: "\(width) characters\(repeated)")
        }.last
    }

    /// Widths that people give to columns. APNs tokens have 64 hex digits, some 160 or 200; FCM's mostly 140 to 165 characters.
    private static func isTypicalWidth(_ width: Int, _ issuer: String) -> Bool {
        guard width >= 32 else { return false }
        if issuer == "apns" && [64, 128, 160, 200].contains(width) { return false }
        if issuer == "fcm" && (140...165).contains(width) && width != 150 { return false }
        let powers = [32, 64, 128, 256, 512, 1_024, 2_048]
        return width.isMultiple(of: 50) || [191, 767].contains(width)
            || powers.contains { [0, 1].contains($0 - width) }
    }
}
