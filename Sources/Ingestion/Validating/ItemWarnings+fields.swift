public import DeliveryModel

extension PostedFields {
    /// One warning for each field.
    var warnings: ItemWarnings {
        ItemWarnings(PostedField.allCases.filter(contains).map { .unreadField($0.rawValue) })
    }
}

extension ItemWarnings {
    /// Each warning with its code and advice about this item.
    public var notes: [(code: String, detail: String)] {
        let requirements = unreadFields.compactMap { PostedField(rawValue: $0)?.requirement }
        return notes { PostedField(rawValue: $0)?.name ?? "" }.map { code, detail in
            guard code == "unread_field", !requirements.isEmpty else { return (code, detail) }
            return (code, "\(detail): \(requirements.joined(separator: ", "))")
        }
    }
}
