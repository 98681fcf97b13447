internal import DeliveryModel
public import Documents

extension NotificationStory {
    /// `{"story":"notification",…}`. Stable; members may be added.
    ///
    /// - `app`, `time_zone`, `as_of`.
    /// - `notification`: has the shape of an element of `pushes` in ``TokenStory/document``;
    ///   `is_provisional`: true if no response has said when it was sent.
    /// - `device_id` and `token` to which it was sent, with the token's current state, in the same shape; null if unknown.
    /// - `measures`: the counters in which it is 1, by their names in reports; without a response, `unmatched` or `local`.
    /// - `remarks`: sentences about contradictions, and about why it counts as it does.
    /// - `transitions`: what its response did to the token, in the same shape.
    ///
    /// Instants are RFC 3339 in `time_zone`.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("notification") + [
                .init("notification", push.document(clock)), .init("is_provisional", .bool(isProvisional)),
                .init("device_id", .optional(deviceID?.text)),
                .init("token", token.map { $0.document(clock) } ?? .null),
                .init("measures", .array(countedAs.map { .string($0) })),
                .init("remarks", .array(remarks.map { .string($0) })),
                .init("transitions", .array(consequences.map { $0.document(clock, names) })),
            ])
    }

    /// The names of the counters in which it is 1.
    public var countedAs: [String] { measures.map(\.rawValue) + unmatchedMeasures.map(\.rawValue) }
}
