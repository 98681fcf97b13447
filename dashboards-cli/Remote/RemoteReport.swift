internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A report as a server sent it.
struct RemoteReport: Sendable {
    /// What the command prints, in the format that was asked for.
    let text: String
    /// What the command says besides the report, such as that a filter has an unknown value.
    let notes: [String]
    /// The app of the key.
    let app: String

    /// `nil` for a response that no Landfall server sends.
    init?(_ response: HTTPURLResponse, _ body: Data) {
        guard let app = response.value(forHTTPHeaderField: "Landfall-App"),
            let text = String(data: body, encoding: .utf8)
        else { return nil }
        self.app = app
        self.text = text
        notes = (response.value(forHTTPHeaderField: "Landfall-Notes") ?? "").split(separator: ",").compactMap
        {
            $0.trimmingCharacters(in: .whitespaces).removingPercentEncoding
        }
    }
}
