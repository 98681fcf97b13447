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
        notes { PostedField(rawValue: $0)?.name ?? "" }
    }
}
