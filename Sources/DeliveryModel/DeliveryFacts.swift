public import Instants

/// What the events of a notification say that no counter and no rule needs.
///
/// ``visit(_:with:)`` is the only list of these facts in Swift. sql/lists.txt has the same columns in the same order.
public struct DeliveryFacts: Hashable, Sendable {
    /// The events that state a fact.
    public enum Source: String, Sendable {
        case response
        /// Any device event.
        case device
        case click
        case arrival

        /// The sources that such a device event is.
        public static func sources(of kind: DeviceReport.Kind) -> [Source] {
            switch kind {
            case .click: [.device, .click]
            case .arrival: [.device, .arrival]
            case .presentation, .dismissal: [.device]
            }
        }
    }

    /// A fact that is not `nil`.
    public enum Value: Hashable, Sendable {
        case text(String)
        case flag(Bool)
        case instant(Instant)
    }

    /// The row type in which ingestion sends notifications. Its last fields are the facts.
    public static let rowType = "landfall.delivery_event_2"

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
    /// The id that the provider gave the push.
    public var providerID: String?
    /// Whether the push also woke the app in the background.
    public var contentAvailable: Bool?

    public init() {}

    /// Passes each fact to the visitor, together with that of the others.
    @inlinable
    public mutating func visit<Visitor: FactVisitor>(
        _ visitor: inout Visitor, with others: DeliveryFacts = DeliveryFacts()
    ) throws(Visitor.Failure) {
        try visitor.visit(FactColumn("rejected_at", .response), &invalidSince, others.invalidSince)
        try visitor.visit(FactColumn("collapse_id", .response), &collapseID, others.collapseID)
        try visitor.visit(FactColumn("action", .click), &action, others.action)
        try visitor.visit(FactColumn("app_state", .click), word: &appState, others.appState)
        try visitor.visit(FactColumn("has_text", .click), &hasText, others.hasText)
        try visitor.visit(FactColumn("category", .device), &category, others.category)
        try visitor.visit(
            FactColumn("extension_outcome", .arrival), word: &extensionOutcome, others.extensionOutcome)
        try visitor.visit(FactColumn("expires_at", .response), &expiresAt, others.expiresAt)
        try visitor.visit(FactColumn("sender", .response), &sender, others.sender)
        try visitor.visit(FactColumn("provider_id", .response), &providerID, others.providerID)
        try visitor.visit(
            FactColumn("content_available", .response), &contentAvailable, others.contentAvailable)
    }
}

extension DeliveryFacts {
    /// Adds what later events of a batch state. Of two values, the first counts.
    public mutating func add(_ later: DeliveryFacts) {
        var merger = FactMerger()
        visit(&merger, with: later)
    }

    /// Adds what an earlier row of the notification states. Of two values, the row's counts; but of two of responses, the one
    /// that is here, as with the responses' other fields.
    public mutating func add(earlier row: DeliveryFacts) {
        var merger = FactMerger(prefersOthers: true)
        visit(&merger, with: row)
    }

    /// The facts of these sources.
    public func stated(by sources: [Source]) -> DeliveryFacts {
        var facts = DeliveryFacts()
        var merger = FactMerger(sources: sources)
        facts.visit(&merger, with: self)
        return facts
    }

    /// The columns in their order, and what is known.
    public var all: [(column: FactColumn, value: Value?)] {
        var (facts, list) = (self, FactList())
        facts.visit(&list)
        return list.all
    }
}

public struct FactColumn: Sendable {
    /// The name of the column of `landfall.delivery`.
    public let name: String
    public let source: DeliveryFacts.Source

    @inlinable
    public init(_ name: String, _ source: DeliveryFacts.Source) {
        self.name = name
        self.source = source
    }
}

/// Reads or changes each fact. Specialized for its type, so it costs as much as a list of the facts.
public protocol FactVisitor {
    associatedtype Failure: Error

    mutating func visit(_ column: FactColumn, _ value: inout String?, _ other: String?) throws(Failure)
    mutating func visit(_ column: FactColumn, _ value: inout Bool?, _ other: Bool?) throws(Failure)
    mutating func visit(_ column: FactColumn, _ value: inout Instant?, _ other: Instant?) throws(Failure)
}

extension FactVisitor {
    /// A fact of a closed vocabulary is text elsewhere.
    @inlinable
    public mutating func visit<Word: RawRepresentable<String>>(
        _ column: FactColumn, word: inout Word?, _ other: Word?
    ) throws(Failure) {
        var text = word?.rawValue
        try visit(column, &text, other?.rawValue)
        word = text.flatMap { Word(rawValue: $0) }
    }
}

private struct FactMerger: FactVisitor {
    typealias Failure = Never

    /// `nil` for all.
    var sources: [DeliveryFacts.Source]?
    var prefersOthers = false

    func visit(_ column: FactColumn, _ value: inout String?, _ other: String?) {
        merge(column, &value, other)
    }

    func visit(_ column: FactColumn, _ value: inout Bool?, _ other: Bool?) {
        merge(column, &value, other)
    }

    func visit(_ column: FactColumn, _ value: inout Instant?, _ other: Instant?) {
        merge(column, &value, other)
    }

    private func merge<Value>(_ column: FactColumn, _ value: inout Value?, _ other: Value?) {
        guard sources?.contains(column.source) != false else { return }
        value = prefersOthers && column.source != .response ? other ?? value : value ?? other
    }
}

private struct FactList: FactVisitor {
    typealias Failure = Never

    var all: [(column: FactColumn, value: DeliveryFacts.Value?)] = []

    mutating func visit(_ column: FactColumn, _ value: inout String?, _ other: String?) {
        all.append((column, value.map { .text($0) }))
    }

    mutating func visit(_ column: FactColumn, _ value: inout Bool?, _ other: Bool?) {
        all.append((column, value.map { .flag($0) }))
    }

    mutating func visit(_ column: FactColumn, _ value: inout Instant?, _ other: Instant?) {
        all.append((column, value.map { .instant($0) }))
    }
}
