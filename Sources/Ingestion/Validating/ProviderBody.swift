internal import DeliveryModel
internal import Foundation

/// The words of a provider's response, in any form that a library gives it.
///
/// A sender posts the body unchanged, a library's error, or an HTTP client's error around the body. The
/// provider's words are in fields of the same names in all of them, so this type knows names of fields and no
/// libraries. The words are ordered by precedence: by the field's name, then the innermost first, because
/// wrappers surround the provider's words.
struct ProviderBody {
    /// The kind of field that contains a word, in the order of precedence.
    enum Place: Int {
        /// FCM's own code, the header of WNS, the list that names the token.
        case errorCode
        case reason
        case error
        case code
        case text
        case wrapper
        /// A word that says only that something failed.
        case refusal
    }

    struct Word {
        let text: String
        let place: Place
        let depth: Int
    }

    private(set) var words: [Word] = []
    /// Everything that narrows a word: sentences, and `BadRequest` if fields of the payload are invalid.
    private(set) var texts: [String] = []
    private(set) var status: Int?
    /// APNs: when the token became invalid; the inner value is `nil` if it cannot be read.
    private(set) var timestamp: PostedInstant??
    /// Whether the body says that the push was accepted: `success`, the code 0, the id of the message.
    private(set) var accepts = false
    /// Whether it says that nothing was sent, with or without a reason.
    private(set) var refuses = false
    /// Whether it names the tokens that failed, without the posted one.
    private(set) var sparesToken = false
    private(set) var isEmpty = true
    /// Whether it is about several pushes with different outcomes, and does not say which one is meant.
    private(set) var isAmbiguous = false

    private let token: String?
    private var statusDepth = Int.max
    /// The number of strings that were read as JSON, at most ``mostUnpacked``.
    private var unpacked = 0
    private static let mostUnpacked = 4
    /// The most words, and the most texts.
    private static let most = 64

    init(_ posted: PostedError, token: String?) {
        self.token = token
        switch posted {
        case .json(let bytes):
            if let value = try? JSONSerialization.jsonObject(with: Data(bytes)) { read(value, 0) }
        case .text(let text): read(text: text, .text, 0)
        }
        words.sort { ($0.place.rawValue, -$0.depth) < ($1.place.rawValue, -$1.depth) }
    }

    private mutating func add(_ text: some StringProtocol, _ place: Place, _ depth: Int) {
        guard words.count < Self.most, !text.isEmpty else { return }
        words.append(Word(text: String(text), place: place, depth: depth))
    }

    private mutating func add(_ text: String) {
        if texts.count < Self.most { texts.append(text) }
    }

    // MARK: - Text

    /// A text, or JSON in a text.
    private mutating func read(text posted: some StringProtocol, _ place: Place, _ depth: Int) {
        let text = ProviderText.unquoted(posted.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !text.isEmpty, !ProviderText.isAbsent(text) else { return }
        if unpacked < Self.mostUnpacked, let value = ProviderText.value(in: text) {
            unpacked += 1
            return read(value, depth + 1)
        }
        isEmpty = false
        guard !ProviderText.isPage(text), !ProviderText.isBinary(text) else {
            return read(page: text, place, depth)
        }
        add(text)
        if timestamp == nil { timestamp = ProviderText.timestamp(in: text).map { .some($0) } }
        let word = ProviderText.firstLine(of: text)
        if ProviderText.saysAccepted(word) {
            accepts = true
        } else if ProviderText.saysOnlyFailed(word) {
            refuses = true
            add(word, .refusal, depth)
        } else {
            add(word, ProviderText.isOfClient(word) ? .wrapper : place, depth)
        }
        if status == nil, let named = ProviderText.status(in: text) { set(status: named, depth) }
    }

    /// Reads a page: it says nothing, but errors of AWS are XML with a code.
    private mutating func read(page: String, _ place: Place, _ depth: Int) {
        guard let code = page.firstMatch(of: /<Code>([A-Za-z.]+)<\/Code>/)?.1 else {
            return add(ProviderText.foreignBody, place, depth)
        }
        add(code, .error, depth)
    }

    // MARK: - JSON

    private mutating func read(_ value: Any, _ depth: Int) {
        switch value {
        case let object as [String: Any]: read(object: object, depth)
        case let values as [Any]: read(array: values, depth)
        case let text as String: read(text: text, .error, depth)
        default: break
        }
    }

    private mutating func read(object: [String: Any], _ depth: Int) {
        if !object.isEmpty { isEmpty = false }
        guard !isAboutAnother(object) else {
            sparesToken = true
            return
        }
        let isGoogles = object["code"] is NSNumber && object["status"] is String
        for (key, value) in object.sorted(by: { $0.key < $1.key }) where !(value is NSNull) {
            let name = WordSpellings.fold(key)
            if isGoogles, name == "status", value as? String == "NOT_FOUND" {
                // Google's class says less than FCM's code: without one, a project is wrong, not a token.
                add("NOT_FOUND without FcmError", .code, depth)
            } else if ProviderField.isSkipped(name) {
                if let headers = value as? [String: Any] { read(headers: headers, depth) }
            } else if ProviderField.isListOfSuccesses(name), value is [Any] {
                if let token, FailedTokens(value)?.contains(token) ?? false { accepts = true }
            } else if ProviderField.isListOfFailures(name), let failures = FailedTokens(value) {
                read(failures, value, called: key, depth)
            } else {
                read(field: name, value, depth)
            }
        }
    }

    private mutating func read(field name: String, _ value: Any, _ depth: Int) {
        switch value {
        case let text as String: read(field: name, text: text, depth)
        case let number as NSNumber: read(field: name, number: number, depth)
        default:
            if name == "fieldviolations" {
                read(violations: value)
            } else if ProviderField.results.contains(name), let results = Self.results(value) {
                read(array: results, depth + 1, areResults: true)
            } else {
                read(value, depth + 1)
            }
        }
    }

    private mutating func read(field name: String, text: String, _ depth: Int) {
        if ProviderField.timestamps.contains(name) { return read(timestamp: text) }
        if ProviderField.ids.contains(name) { return read(id: text) }
        if name == "name" { return read(name: text, depth) }
        if ProviderField.isNumeric(name), let number = Int(text) {
            return read(field: name, number: number, depth)
        }
        if ProviderField.successes.contains(name) {
            if ProviderText.saysAccepted(text) { accepts = true }
            if ProviderText.saysOnlyFailed(text) { refuses = true }
            return
        }
        guard let place = ProviderField.place(name) else { return }
        read(text: text, place, ProviderField.bodies.contains(name) ? depth + 1 : depth)
    }

    /// Reads FCM's name of the message, or the class of an error.
    private mutating func read(name: String, _ depth: Int) {
        if ProviderText.isMessageID(name) {
            accepts = true
        } else if name.hasSuffix("Exception") || name.hasSuffix("Error"), !ProviderText.saysOnlyFailed(name) {
            add(name, .wrapper, depth)
        }
    }

    private mutating func read(field name: String, number: NSNumber, _ depth: Int) {
        if ["c", "B"].contains(String(cString: number.objCType)) {
            guard ProviderField.successes.contains(name) else { return }
            return number.boolValue ? accepts = true : (refuses = true)
        }
        if ProviderField.timestamps.contains(name) {
            return timestamp = .some(PostedInstant(providers: number.doubleValue))
        }
        read(field: name, number: number.intValue, depth)
    }

    private mutating func read(field name: String, number: Int, _ depth: Int) {
        switch number {
        case 1... where ProviderField.ids.contains(name): accepts = true
        case _ where ProviderField.successes.contains(name): number > 0 ? accepts = true : (refuses = true)
        case 1... where ProviderField.failures.contains(name): refuses = true
        case 0 where ProviderField.codes.contains(name): accepts = true
        case 100...599 where ProviderField.statuses.contains(name) || ["code", "errorcode"].contains(name):
            set(status: number, depth)
        case _ where ProviderField.isNumeric(name) && number != 0: add(String(number), .code, depth)
        default: break
        }
    }

    private mutating func set(status found: Int, _ depth: Int) {
        guard depth < statusDepth else { return }
        (status, statusDepth) = (found, depth)
    }

    private mutating func read(id text: String) { text.isEmpty ? (refuses = true) : (accepts = true) }

    private mutating func read(timestamp text: String) {
        timestamp = .some(
            Double(text).map(PostedInstant.init(providers:))
                ?? Instant(rfc3339: text).flatMap(PostedInstant.init))
    }

    /// Reads the header in which WNS, which responds with 200, says what it did.
    private mutating func read(headers: [String: Any], _ depth: Int) {
        for (key, value) in headers {
            let name = WordSpellings.fold(key)
            let text = value as? String ?? (value as? [String])?.first
            guard ["xwnsstatus", "xwnsnotificationstatus"].contains(name), let text else { continue }
            add(text, .errorCode, depth)
        }
    }

    /// Reads the fields that FCM found invalid: they decide whether the token is in doubt.
    private mutating func read(violations: Any) {
        let fields = (violations as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
        let namesToken = fields.contains { $0.hasSuffix("token") }
        add(namesToken ? "not a valid FCM registration token" : "BadRequest")
    }

    // MARK: - Several pushes

    /// Reads the results of several pushes, or parts of one response. The one that names the token counts; if
    /// none does, all must agree. Each is read only once: twice at each level would take exponential time.
    private mutating func read(array: [Any], _ depth: Int, areResults: Bool = false) {
        if array.count == 2, array[0] is String, let time = Self.timestamp(array[1]) {
            timestamp = .some(time)
        }
        let objects = array.compactMap { $0 as? [String: Any] }
        let own = objects.filter { names(token, in: $0) }
        if !own.isEmpty { return own.forEach { read(object: $0, depth) } }
        let before = self
        var (oneAccepts, oneRefuses) = (false, false)
        var refusals: Set<Set<String>> = []
        for value in array {
            var apart = self
            (apart.words, apart.accepts, apart.refuses) = ([], false, false)
            apart.read(value, depth)
            if value is [String: Any] {
                oneAccepts = oneAccepts || apart.accepts
                let isRefusal = apart.refuses || !apart.words.isEmpty
                oneRefuses = oneRefuses || isRefusal
                if isRefusal, areResults { refusals.insert(Set(apart.words.map(\.text))) }
            }
            apart.words = Array((words + apart.words).prefix(Self.most))
            apart.accepts = accepts || apart.accepts
            apart.refuses = refuses || apart.refuses
            self = apart
        }
        guard objects.count > 1, oneAccepts && oneRefuses || refusals.count > 1 else { return }
        self = before
        isEmpty = false
        isAmbiguous = true
    }

    /// The results of several pushes, in a list or by the ids of messages; `nil` if it is one result.
    private static func results(_ value: Any) -> [Any]? {
        let byID = (value as? [String: [String: Any]]).map { Array($0.values) }
        return (value as? [[String: Any]] ?? byID).flatMap { $0.count > 1 ? $0 : nil }
    }

    /// Whether it names another token of the same form, so that what it says is not about the posted one.
    private func isAboutAnother(_ object: [String: Any]) -> Bool {
        guard let token, !names(token, in: object) else { return false }
        let fields = object.map { (name: WordSpellings.fold($0.key), value: $0.value as? String) }
        // With the id of a message, it is the new value of the token.
        guard !fields.contains(where: { $0.name == "messageid" }) else { return false }
        return fields.contains { name, value in
            guard let value, ProviderField.tokens.contains(name) else { return false }
            return NamedToken(value).isAnother(than: NamedToken(token))
        }
    }

    /// The second part of what PyAPNs2 returns: `["Unregistered", 1771990000000]`.
    private static func timestamp(_ value: Any) -> PostedInstant? {
        let number = (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap(Double.init)
        return number.flatMap(PostedInstant.init(providers:)).flatMap { $0.instant == nil ? nil : $0 }
    }

    private func names(_ token: String?, in object: [String: Any]) -> Bool {
        guard let token else { return false }
        return object.values.contains { ($0 as? String)?.caseInsensitiveCompare(token) == .orderedSame }
    }

    /// Reads a list of tokens that failed.
    private mutating func read(_ failures: FailedTokens, _ value: Any, called key: String, _ depth: Int) {
        guard !failures.values.isEmpty else { return }
        guard let token else { return add(key, .errorCode, depth) }
        guard failures.contains(token) else {
            sparesToken = true
            return
        }
        refuses = true
        add(missingRight(in: value, for: token) ?? key, .errorCode, depth)
        // Node's APNs library puts the response to each token next to it.
        if let objects = value as? [[String: Any]] {
            for object in objects where names(token, in: object) { read(object: object, depth + 1) }
        }
    }

    /// The name under which a list by cause has the token if the sender lacks a right, so that the token is
    /// not at fault: `illegalTokens: {"noPushTypeRight": […]}` of Huawei; `nil` for other lists.
    private func missingRight(in failures: Any, for token: String) -> String? {
        (failures as? [String: Any])?.first { cause, tokens in
            WordSpellings.fold(cause).hasSuffix("right") && FailedTokens(tokens)?.contains(token) == true
        }?.key
    }
}

/// A token as a library names it: perhaps in another spelling, or in part.
private struct NamedToken {
    private let form: [Bool]
    /// Without the address of the service and the name of the kind.
    private let id: String
    private let isWhole: Bool

    private static let shortest = 16

    init(_ text: String) {
        let text = text.removingPercentEncoding ?? text
        let isEndpoint = text.hasPrefix("https://")
        id = WordSpellings.fold(text.split { $0 == "[" || isEndpoint && $0 == "/" }.last ?? "")
        form = [isEndpoint, !isEndpoint && id.allSatisfy(\.isHexDigit), !isEndpoint && text.contains(".")]
        isWhole =
            id.count >= Self.shortest && !text.contains("*") && !text.contains("…") && !text.hasSuffix("...")
    }

    func isAnother(than other: NamedToken) -> Bool {
        isWhole && form == other.form && !id.contains(other.id) && !other.id.contains(id)
    }
}
