public import DeliveryModel

// Warnings that name the fields that could not be read.

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

extension PostedField {
    /// What a fact of a response must be, for those who posted something else.
    fileprivate var requirement: String? {
        switch self {
        case .expiresAt: "\(name) \(PostedInstant.requirement)"
        case .sender, .providerID: "\(name) must be a text of at most \(longest) characters"
        case .contentAvailable: "\(name) must be true or false"
        default: nil
        }
    }
}
