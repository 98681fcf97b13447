public import DeliveryModel
public import PostgresClient
public import Vault

/// One app's quarantine, for operators: lists and removes items.
public struct QuarantineStock {
    public struct Group: Hashable, Decodable, Sendable {
        public let code: String
        public let items: Int64
        /// Bytes of sealed text.
        public let bytes: Int64
        public let oldest: Instant
        public let newest: Instant
    }

    static let batchSize: Int64 = 1_000

    let appID: Int64
    let connection: PostgresConnection

    public init(appID: Int64, on connection: PostgresConnection) {
        (self.appID, self.connection) = (appID, connection)
    }

    /// The number of items in all quarantines and of those evicted so far, by kind of key that posted them.
    public static func totals(
        on connection: PostgresConnection
    ) throws -> [EventValidator.Poster: (items: Int64, evicted: Int64)] {
        try connection.query(.Quarantine.sumTotals).reduce(into: [:]) { totals, row in
            totals[try row.get("poster")] = (try row.get("items"), try row.get("evicted"))
        }
    }

    /// The items by code, the most frequent code first.
    public func groups(_ filter: QuarantineFilter) throws -> [Group] {
        try connection.query(.Quarantine.summarizeItems, [.value(appID)] + filter.parameters).decode()
    }

    /// The totals of all items ever rejected, of one kind of key or of both.
    public func books(of poster: EventValidator.Poster? = nil) throws -> QuarantineBooks {
        try connection.query(.Quarantine.readBooks, [.value(appID), .value(poster?.rawValue)])
            .single().decode()
    }

    public func newest(_ filter: QuarantineFilter, limit: Int64, withText: Bool) throws -> [QuarantinedItem] {
        try connection.query(
            .Quarantine.listItems,
            [.value(appID)] + filter.parameters + [.value(limit), .value(withText)]
        ).decode()
    }

    /// Removes the items permanently, counts them as dropped, and returns their number. Items arriving
    /// meanwhile stay. `progress` receives the number after each batch; if `isStopped` then, it ends cleanly.
    public func drop(
        _ filter: QuarantineFilter, isStopped: () -> Bool = { false }, progress: (Int64) -> Void = { _ in }
    ) throws -> Int64 {
        var dropped: Int64 = 0
        var walk = try walk(filter, withText: false)
        while !isStopped(), let items = try walk.next() {
            dropped += try remove(items.map(\.itemID), asReplayed: false)
            progress(dropped)
        }
        return dropped
    }

    /// Removes items in one transaction, during which no other session removes any from this quarantine.
    /// Returns the number of those that were still there.
    func remove(_ itemIDs: [Int64], asReplayed: Bool) throws -> Int64 {
        guard !itemIDs.isEmpty else { return 0 }
        return try connection.batch {
            try connection.fence([appID])
            try connection.lockInTransaction(.quarantine, of: appID)
            return try connection.query(
                .Quarantine.removeItems, [.value(appID), .array(itemIDs), .value(asReplayed)]
            ).single().get("removed")
        }
    }

    /// The items from the oldest to the one that is the newest now.
    func walk(_ filter: QuarantineFilter, withText: Bool) throws -> QuarantineWalk {
        let end: Int64 = try connection.query(.Quarantine.lastItem, [.value(appID)]).single().get("item_id")
        return QuarantineWalk(stock: self, filter: filter, withText: withText, end: end)
    }
}

public struct QuarantinedItem: Hashable, Decodable, Sendable {
    public let appID: Int64
    public let itemID: Int64
    public let receivedAt: Instant
    /// The error code; text, because an older version may have had other codes.
    public let code: String
    public let detail: String
    /// The rules under which it was read.
    public let poster: EventValidator.Poster
    /// The preset in whose form the text is; `nil` if it is in the form of `POST /v1/events`.
    public let preset: String?
    /// `nil` if the text was not requested.
    let sealedText: [UInt8]?

    /// The item as it was posted, or its beginning if it was too long. Throws if it was sealed under another
    /// token key, or read without text.
    public func text(_ vault: TokenVault) throws -> [UInt8] {
        guard let sealedText else {
            throw PostgresError.unexpectedResult(statement: "quarantine", detail: "read without its text")
        }
        return try vault.open(sealedText, from: .quarantine(ofApp: appID))
    }
}

/// The totals of an app's rejected items since the app was created.
public struct QuarantineBooks: Hashable, Decodable, Sendable {
    public var kept: Int64 = 0
    /// Items that were already in quarantine.
    public var repeated: Int64 = 0
    public var evicted: Int64 = 0
    public var dropped: Int64 = 0
    /// Items that were posted again and recorded.
    public var replayed: Int64 = 0
}

/// Selects items of a quarantine. A property that is `nil` does not restrict the selection.
public struct QuarantineFilter: Hashable, Sendable {
    public var codes: [ItemRejection.Code]?
    public var itemIDs: [Int64]?
    /// Received at or after this instant.
    public var from: Instant?
    /// Received before this instant.
    public var to: Instant?
    public var poster: EventValidator.Poster?
    /// The preset in whose form the text is.
    public var preset: String?

    public init(
        codes: [ItemRejection.Code]? = nil, itemIDs: [Int64]? = nil, from: Instant? = nil,
        to: Instant? = nil, poster: EventValidator.Poster? = nil, preset: String? = nil
    ) {
        (self.codes, self.itemIDs, self.from, self.to) = (codes, itemIDs, from, to)
        (self.poster, self.preset) = (poster, preset)
    }

    /// The parameters of the statements that follow the app.
    var parameters: [PostgresParameter] {
        [
            codes.map { .array($0.map(\.rawValue)) } ?? .noArray(of: String.self),
            itemIDs.map { .array($0) } ?? .noArray(of: Int64.self), .value(from), .value(to),
            .value(poster?.rawValue), .value(preset),
        ]
    }
}

/// A quarantine in batches, the oldest items first.
struct QuarantineWalk {
    let stock: QuarantineStock
    let filter: QuarantineFilter
    let withText: Bool
    let end: Int64
    private(set) var last: Int64 = 0

    mutating func next() throws -> [QuarantinedItem]? {
        let items = try stock.connection.query(
            .Quarantine.nextItems,
            [.value(stock.appID)] + filter.parameters + [
                .value(QuarantineStock.batchSize), .value(withText), .value(last), .value(end),
            ]
        ).decode(QuarantinedItem.self)
        guard let furthest = items.last else { return nil }
        last = furthest.itemID
        return items
    }
}
