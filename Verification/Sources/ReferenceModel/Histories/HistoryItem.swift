/// One item of a history: its text, and its expected outcome.
struct HistoryItem: Sendable {
    enum Meaning: Sendable {
        case event(MeantEvent)
        /// The code under which the item is quarantined.
        case rejected(String)
    }

    let text: String
    let meaning: Meaning
    /// Whether it has the same meaning under a device key.
    let isForDevices: Bool

    var event: MeantEvent? {
        guard case .event(let event) = meaning else { return nil }
        return event
    }

    var code: String? {
        guard case .rejected(let code) = meaning else { return nil }
        return code
    }
}

/// The items of one `POST /v1/events`.
struct HistoryRequest: Sendable {
    enum Layout: Sendable {
        case array, lines
    }

    /// The position of the history's app.
    let app: Int
    let isByDevice: Bool
    let layout: Layout
    var items: [HistoryItem]

    var body: [UInt8] {
        let texts = items.map(\.text)
        return switch layout {
        case .array: Array("[\(texts.joined(separator: ","))]".utf8)
        case .lines: Array(texts.joined(separator: "\n").utf8)
        }
    }
}

/// A registration of one of the history's devices with its token.
struct HistoryRegistration: Sendable {
    let app: Int
    let device: Int
    let traits: DeviceTraits
}

/// The traits that a device registers; they are part of the segment of every later push to it.
struct DeviceTraits: Hashable, Sendable {
    var platform = ""
    var appVersion = ""
    var osVersion = ""
    var language = ""
    var permission = ""

    var words: [String] { [platform, appVersion, osVersion, language, permission] }
}
