/// Facts from a notification's events that no counter or rule needs. ``DeliveryFact/all`` lists its columns.
public struct DeliveryFacts: Hashable, Decodable, Sendable {
    /// The `timestamp` of a 410: when APNs last confirmed that the token was invalid for the topic.
    public var invalidSince: Instant?
    public var collapseID: String?
    /// The custom action; `nil` for the default tap.
    public var action: String?
    /// `nil` if the device did not say.
    public var appState: DeviceReport.AppState?
    /// Whether the user typed a text; `nil` if the device did not say.
    public var hasText: Bool?
    /// The notification's category; `nil` if it has none, or the device did not say.
    public var category: String?
    /// `nil` if the run ended well, or the device did not say.
    public var extensionOutcome: DeviceReport.ExtensionOutcome?
    /// When the provider gives up delivering the push.
    public var expiresAt: Instant?
    /// The service that sent the push, by the name that the app gives it.
    public var sender: String?
    public var providerID: String?
    /// Whether the push also woke the app in the background.
    public var contentAvailable: Bool?

    public init() {}

    public var isEmpty: Bool { self == DeliveryFacts() }
}

/// A column of `landfall.delivery` that is in ``DeliveryFacts``.
public struct DeliveryFact: Sendable {
    public enum Source: String, Sendable {
        /// `counted` is the response that counts.
        case response, counted, click, arrival
        /// Any device event.
        case device
    }

    public typealias Reader<Value> = @Sendable (DeliveryFacts) -> Value?
    public typealias Writer<Value> = @Sendable (inout DeliveryFacts, Value?) -> Void

    /// How it is read and written, by the type of its column.
    public enum Access: Sendable {
        case text(Reader<String>, Writer<String>)
        case flag(Reader<Bool>, Writer<Bool>)
        case instant(Reader<Instant>, Writer<Instant>)
    }

    public let column: String
    public let source: Source
    public let access: Access

    /// The columns in the order of sql/lists.txt, which is also that of the last fields of the row type.
    public static let all: [DeliveryFact] = [
        .init("rejected_at", .response, .instant({ $0.invalidSince }, { $0.invalidSince = $1 })),
        .init("collapse_id", .response, .text({ $0.collapseID }, { $0.collapseID = $1 })),
        .init("action", .click, .text({ $0.action }, { $0.action = $1 })),
        .init(
            "app_state", .click,
            .text({ $0.appState?.rawValue }, { $0.appState = $1.flatMap(DeviceReport.AppState.init) })),
        .init("has_text", .click, .flag({ $0.hasText }, { $0.hasText = $1 })),
        .init("category", .device, .text({ $0.category }, { $0.category = $1 })),
        .init(
            "extension_outcome", .arrival,
            .text(
                { $0.extensionOutcome?.rawValue },
                { $0.extensionOutcome = $1.flatMap(DeviceReport.ExtensionOutcome.init) })),
        .init("expires_at", .response, .instant({ $0.expiresAt }, { $0.expiresAt = $1 })),
        .init("sender", .counted, .text({ $0.sender }, { $0.sender = $1 })),
        .init("provider_id", .counted, .text({ $0.providerID }, { $0.providerID = $1 })),
        .init("content_available", .response, .flag({ $0.contentAvailable }, { $0.contentAvailable = $1 })),
    ]

    /// The row type of notifications that ends with these columns.
    public static let rowType = "landfall.delivery_event"

    private init(_ column: String, _ source: Source, _ access: Access) {
        (self.column, self.source, self.access) = (column, source, access)
    }
}

extension DeliveryFacts {
    /// Adds what others state, only facts of these events. Of two values, the one that is known counts, for
    /// events in `replacing` that of the others. `counts`: whether their response is the one that counts.
    public mutating func add(
        _ others: DeliveryFacts, of sources: [DeliveryFact.Source]? = nil,
        replacing: [DeliveryFact.Source] = [], counts: Bool = false
    ) {
        // Most events state no facts, and of the events of most rows at most one does.
        guard !others.isEmpty || (counts && !isEmpty) else { return }
        if isEmpty, counts, sources == nil { return self = others }
        func merge<Value>(
            _ source: DeliveryFact.Source, _ read: DeliveryFact.Reader<Value>,
            _ write: DeliveryFact.Writer<Value>
        ) {
            guard sources?.contains(source) != false else { return }
            let value = read(others)
            let isNews = value != nil && (replacing.contains(source) || read(self) == nil)
            if source == .counted ? counts : isNews { write(&self, value) }
        }
        for fact in DeliveryFact.all {
            switch fact.access {
            case .text(let read, let write): merge(fact.source, read, write)
            case .flag(let read, let write): merge(fact.source, read, write)
            case .instant(let read, let write): merge(fact.source, read, write)
            }
        }
    }

    public func stated(by sources: [DeliveryFact.Source]) -> DeliveryFacts {
        var facts = DeliveryFacts()
        facts.add(self, of: sources, counts: true)
        return facts
    }
}
