public import Presets

extension BatchItem {
    /// Everything that a preset reads from another sender's post. A body in which it finds nothing, not even
    /// something to skip, is an unread item itself, so that nothing disappears.
    public static func items(
        of reading: PresetReading, in body: [UInt8], of preset: String, appID: Int64,
        _ validator: EventValidator
    ) -> [BatchItem] {
        let nothing = PresetItem.unread(
            code: ItemRejection.Code.unreadPost.rawValue, detail: "\(preset): there is no event in the body",
            posted: body)
        let isEmpty = reading.items.isEmpty && reading.skipped == 0
        return (isEmpty ? [nothing] : reading.items).map {
            BatchItem($0, of: preset, appID: appID, validator)
        }
    }

    /// One item that a preset has read, under the rules for servers.
    private init(_ item: PresetItem, of preset: String, appID: Int64, _ validator: EventValidator) {
        switch item {
        case .event(let text):
            self.init(appID: appID, text: text[...], poster: .server, content: validator.decode(text[...]))
        case .unread(let code, let detail, let posted):
            let rejection = ItemRejection(ItemRejection.Code(rawValue: code) ?? .unreadPost, detail)
            self.init(
                appID: appID, text: posted[...], preset: preset, poster: .server, content: .failure(rejection)
            )
        }
    }
}
